package render

import (
	"io"

	"perfdiff/diff"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// checkWidth is how wide the text of a self-check is, and maxSlower how much of a name it has, in columns. Chosen, not
// measured: its table is as wide.
const checkWidth, maxSlower = 92, 40

// Check writes the result of a self-check of one run set.
func Check(w io.Writer, r *diff.CheckReport) error {
	t := &text{width: checkWidth}
	tag, headline, story := words.Check(r)
	t.paintedLine("strong", tag+"  ", 0, shortSentence(headline))
	if story != "" {
		t.WriteString("\n")
		t.line("  ", 2, shortSentence(story))
	}
	if len(r.Injected) > 0 && r.Judged {
		into := "the even steps, with the odd ones as baseline:"
		if r.Whole {
			into = "a copy, since half of the steps would be too few:"
		}
		t.WriteString("\n  What was made slower in " + into + "\n")
		cells := [][]string{{"", "by", "of the step", "caught", "seen in"}}
		for _, x := range r.Injected {
			caught, by := "no", number.None
			if x.Caught {
				caught = "yes"
			}
			if seen := words.SeenIn(&x); seen != "" {
				by = seen
			}
			cells = append(cells, []string{shorten(x.What, maxSlower), number.Setting(x.Size), number.Share(x.OfStep), caught, by})
		}
		t.lay(cells, "lrrll", 2, 2, nil)
		t.line("  Next  ", 8, "More steps after the warm-up, three runs per side, or past runs (--history) show less.")
	}
	t.policy(&r.Policy)
	_, err := io.WriteString(w, t.String())
	return err
}
