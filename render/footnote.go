package render

import (
	"slices"
	"strconv"

	"perfdiff/diff"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// footnotes are the footnotes of a summary. Each text stands once, numbered in order of its
// first mark.
type footnotes struct {
	texts []string
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

// notShownText says how many entries of a list are not shown; "" if all are.
func notShownText(all, shown int, what string) string {
	if all <= shown {
		return ""
	}
	return "and " + number.Count(all-shown) + " more " + what
}

// mostToKnow is how many warnings the answer prints: alone, and with every table. Chosen, not measured: the first are to
// fit one screen.
var mostToKnow = map[bool]int{false: 2, true: 8}

// toKnow says what to know before quoting an answer: on which terms it was compared, and what was warned of. A warning
// about something that was not measured is counted alone.
func (t *text) toKnow(r *diff.Report, a *words.Answer) (out []string) {
	if a.Notes != "" {
		out = append(out, shorten(a.Notes, 2*maxSentence))
	}
	shown, more := map[string]bool{}, 0
	for i := range r.Warnings {
		w := &r.Warnings[i]
		switch text := warningText(w); {
		case shown[text]:
		case w.Aside || len(shown) == mostToKnow[t.all]:
			more++
		default:
			out, shown[text] = append(out, text), true
		}
	}
	if more > 0 {
		out = append(out, "and "+number.Counted(more, "more warning")+": -o report.html lists all")
	}
	return out
}
