package render

import (
	"fmt"
	"io"
	"math"

	"perfdiff/diff"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// Check writes the result of a self-check of one run set.
func Check(w io.Writer, r *diff.CheckReport) error {
	t := &text{width: maxSentence}
	t.policy(&r.Policy)
	if !r.Judged {
		t.WriteString(checkNotJudged(r) + "\n")
		_, err := io.WriteString(w, t.String())
		return err
	}
	t.WriteString("No change may be found:\n")
	cells := [][]string{}
	for _, x := range r.Tests {
		result, found := "ok", ""
		if !x.OK {
			result, found = "FAILED", shortSentence(words.Found(&x))
		}
		cells = append(cells, []string{"  " + words.SelfTest(&x), result, found})
	}
	t.columns(cells)
	if len(r.Injected) > 0 {
		into := "the even steps, with the odd ones as baseline"
		if r.Whole {
			into = "a copy (half of the steps would be too few)"
		}
		t.WriteString("\nChanges put into " + into + ":\n")
		cells = [][]string{{"  slower", "by", "of the step", "gate", "seen in"}}
		for _, x := range r.Injected {
			caught, by := "missed", number.None
			if x.Caught {
				caught = "caught"
			}
			if seen := words.SeenIn(&x); seen != "" {
				by = seen
			}
			cells = append(cells, []string{"  " + shortName(x.What), number.Setting(x.Size), number.Share(x.OfStep), caught, by})
		}
		t.columns(cells)
		if d := r.Injected[0].Detectable; !math.IsNaN(d) {
			fmt.Fprintf(t, "\nThe smallest change of the step time that such data shows in 80 %% of cases: %s.\n", spaces.Replace(number.Setting(d)))
			t.WriteString("More steps after the warm-up, three runs per side, or past runs (--history) show less.\n")
		}
	}
	_, err := io.WriteString(w, t.String())
	return err
}
