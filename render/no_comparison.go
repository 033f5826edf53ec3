package render

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"perfdiff/diff"
	"perfdiff/render/number"
)

// Nothing writes that nothing was compared: what replaces the verdict, and why, as a clause; and whether a build fails.
// written is false for formats that have no form for this: pictures, and the page, which shows the one run.
func Nothing(w io.Writer, f Format, what, why string, failed bool) (written bool, err error) {
	why = number.Capital(Line(why)) + "."
	switch f {
	case JSON:
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		err = enc.Encode(map[string]any{
			"schema_version": diff.SchemaVersion, "gate": map[string]any{"state": what, "because": []string{why}},
		})
	case JUnit:
		s := testSuite{Name: "perfdiff", Tests: 1, Cases: []testCase{{Class: "perfdiff", Name: "gate"}}}
		if failed {
			s.Errors, s.Cases[0].Error = 1, &result{what, why}
		} else {
			s.Skipped, s.Cases[0].Skipped = 1, &result{what, why}
		}
		err = writeSuites(w, []testSuite{s})
	case Markdown:
		_, err = fmt.Fprintf(w, "### %s: %s\n", strings.ToUpper(what), escapeMarkdown(why))
	case Text:
		_, err = fmt.Fprintf(w, "%s  %s\n", strings.ToUpper(what), why)
	default:
		return false, nil
	}
	return true, err
}

// AnnotationsOfNothing writes annotations for a run in which nothing was compared.
func AnnotationsOfNothing(w io.Writer, what, why string, failed bool) error {
	kind := "warning" // also where it passes: a store that is lost looks like one that has just begun
	if failed {
		kind = "error"
	}
	_, err := fmt.Fprintf(w, "::%s title=%s::%s\n", kind, commandProperty("perfdiff: "+what), commandMessage(shortSentence(why)))
	return err
}
