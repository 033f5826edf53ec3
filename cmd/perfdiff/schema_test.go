package main

import (
	"strings"
	"sync"
	"testing"

	"perfdiff/golden"
	"perfdiff/render"
)

// reportSchema holds documents to the schema that perfdiff help schema prints.
var reportSchema = sync.OnceValues(func() (func(document string) error, error) {
	var text strings.Builder
	if err := render.WriteReportSchema(&text); err != nil {
		return nil, err
	}
	return golden.HeldTo(text.String())
})

// agreesWithSchema holds a report in JSON against its schema.
func agreesWithSchema(t testing.TB, text []byte) {
	t.Helper()
	agrees, err := reportSchema()
	if err != nil {
		t.Fatal(err)
	}
	if err := agrees(string(text)); err != nil {
		t.Errorf("the report does not agree with its schema: %v", err)
	}
}

// TestSchema: the schema is printed, and a document that is none fails it.
func TestSchema(t *testing.T) {
	out, _ := mustRun(t, statusOK, "help", "schema")
	if !strings.HasPrefix(out, "{\n") || !strings.Contains(out, `"$schema": "https://json-schema.org/draft/2020-12/schema"`) {
		t.Errorf("got %.300s", out)
	}
	agrees, err := reportSchema()
	if err != nil {
		t.Fatal(err)
	}
	for _, wrong := range []string{`{}`, `{"schema_version": 2}`, `"text"`} {
		if agrees(wrong) == nil {
			t.Errorf("%s agrees", wrong)
		}
	}
}
