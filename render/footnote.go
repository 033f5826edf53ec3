package render

import (
	"slices"
	"strconv"
	"strings"

	"perfdiff/diff"
	"perfdiff/render/number"
)

// footnotes are the footnotes of a summary. Each text stands once, numbered in order of its
// first mark.
type footnotes struct {
	texts    []string
	unplaced int // number of warnings without a footnote
}

// mark returns the mark of a footnote, "[1]". It adds the text if it is new.
func (n *footnotes) mark(text string) string {
	i := slices.Index(n.texts, text)
	if i < 0 {
		i = len(n.texts)
		n.texts = append(n.texts, text)
	}
	return "[" + strconv.Itoa(i+1) + "]"
}

// maxWarningNotes bounds the number of footnotes for which warnings are still added.
const maxWarningNotes = 8

// marks returns the marks of the warnings about a side ("" for both), with a space in front; ""
// without any. A warning about something that was not measured gets no mark.
func (n *footnotes) marks(r *diff.Report, side string) string {
	var out []string
	for i := range r.Warnings {
		w := &r.Warnings[i]
		if w.Side != side {
			continue
		}
		text := warningText(w)
		if w.Aside {
			n.unplaced++
			continue
		}
		if len(n.texts) >= maxWarningNotes && !slices.Contains(n.texts, text) {
			n.unplaced++
			continue
		}
		if m := n.mark(text); !slices.Contains(out, m) {
			out = append(out, m)
		}
	}
	if len(out) == 0 {
		return ""
	}
	return " " + strings.Join(out, " ")
}

// unplacedText says how many warnings have no footnote; "" if none.
func (n *footnotes) unplacedText() string {
	if n.unplaced == 0 {
		return ""
	}
	return "and " + number.Counted(n.unplaced, "more warning") + ": the page lists all (-o report.html)"
}

// notShownText says how many entries of a list are not shown; "" if all are.
func notShownText(all, shown int, what string) string {
	if all <= shown {
		return ""
	}
	return "and " + number.Count(all-shown) + " more " + what
}
