package main

import (
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"perfdiff/render"
)

// reportSchema is the schema that perfdiff help schema prints, made so narrow that no object may have a member that
// it does not name.
var reportSchema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	var text strings.Builder
	if err := render.WriteReportSchema(&text); err != nil {
		return nil, err
	}
	closed := strings.ReplaceAll(text.String(), `"properties": {`, `"additionalProperties": false, "properties": {`)
	parsed, err := jsonschema.UnmarshalJSON(strings.NewReader(closed))
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("report.json", parsed); err != nil {
		return nil, err
	}
	return c.Compile("report.json")
})

// agreesWithSchema holds a report in JSON against its schema.
func agreesWithSchema(t testing.TB, text []byte) {
	t.Helper()
	s, err := reportSchema()
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	if err == nil {
		err = s.Validate(v)
	}
	if err != nil {
		t.Errorf("the report does not agree with its schema: %v", err)
	}
}

// TestSchema: the schema is printed, and a document that is none fails it.
func TestSchema(t *testing.T) {
	out, _ := mustRun(t, statusOK, "help", "schema")
	if !strings.HasPrefix(out, "{\n") || !strings.Contains(out, `"$schema": "https://json-schema.org/draft/2020-12/schema"`) {
		t.Errorf("got %.300s", out)
	}
	s, err := reportSchema()
	if err != nil {
		t.Fatal(err)
	}
	for _, wrong := range []any{map[string]any{}, map[string]any{"schema_version": 2}, "text"} {
		if s.Validate(wrong) == nil {
			t.Errorf("%v agrees", wrong)
		}
	}
}
