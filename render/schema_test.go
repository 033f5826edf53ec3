package render

import (
	"bytes"
	"strings"
	"testing"

	"perfdiff/diff"
	"perfdiff/golden"
)

// TestReportSchema: the schema is one, and every document agrees with it, also where it may hold no member that the
// schema does not know.
func TestReportSchema(t *testing.T) {
	var text bytes.Buffer
	if err := WriteReportSchema(&text); err != nil {
		t.Fatal(err)
	}
	agrees, err := golden.HeldTo(text.String())
	if err != nil {
		t.Fatal(err)
	}
	reports := verdicts()
	reports["hostile"], reports["empty"], reports["full"] = hostile(), &diff.Report{}, filled()
	for name, r := range reports {
		if err := agrees(write(t, r, JSON, Options{})); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	text.Reset()
	text.WriteString(write(t, filled(), JSON, Options{}))
	for _, wrong := range [][2]string{{`"schema_version": "`, `"schema_version": 2, "was": "`}, {`"findings": [`, `"findings": {}, "were": [`}} {
		spoilt := strings.Replace(text.String(), wrong[0], wrong[1], 1)
		if spoilt == text.String() || agrees(spoilt) == nil {
			t.Errorf("%s instead of %s agrees", wrong[1], wrong[0])
		}
	}
}
