package render

import (
	"fmt"
	"io"
	"strings"

	"perfdiff/render/number"
)

// Nothing writes for people that nothing was compared: what replaces the verdict, and why, as a clause. written is
// false for formats that have no form for this: those for programs, and the page.
func Nothing(w io.Writer, f Format, what, why string) (written bool, err error) {
	why = number.Capital(Line(why)) + "."
	switch f {
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
