package render

import (
	"slices"
	"strconv"
	"strings"

	"perfdiff/diff"
	"perfdiff/diff/number"
)

// notes are the footnotes of a summary, each text once, numbered in order of
// their first mark.
type notes struct {
	texts []string
	left  int // warnings for which there was no room
}

// mark is the number that stands for text.
func (n *notes) mark(text string) string {
	i := slices.Index(n.texts, text)
	if i < 0 {
		i = len(n.texts)
		n.texts = append(n.texts, text)
	}
	return "[" + strconv.Itoa(i+1) + "]"
}

// mostNotes bounds the footnotes that warnings add.
const mostNotes = 8

// marks are the marks of the warnings about a side, "" for those about both:
// with a space in front, or nothing. What is about nothing that was measured has none.
func (n *notes) marks(r *diff.Report, side string) string {
	var out []string
	for i := range r.Warnings {
		w := &r.Warnings[i]
		if w.Side != side {
			continue
		}
		text := warningText(w)
		if w.Aside {
			n.left++
			continue
		}
		if len(n.texts) >= mostNotes && !slices.Contains(n.texts, text) {
			n.left++
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

// rest says how many warnings have no footnote; "" if none.
func (n *notes) rest() string {
	if n.left == 0 {
		return ""
	}
	return "and " + number.Counted(n.left, "more warning") + ": the page lists all (-o report.html)"
}

// fold says how many of a list are not shown; "" if all are.
func fold(all, shown int, what string) string {
	if all <= shown {
		return ""
	}
	return "and " + number.Count(all-shown) + " more " + what
}
