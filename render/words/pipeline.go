package words

import (
	"fmt"
	"math"
	"strings"

	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/render/number"
)

// bubble writes the sentence that the stages of a pipeline idle or wait for each other for another time: "The pipeline
// bubble rose from 18.9 to 36.9 ms per step, from 26.9 % to 41.9 % of it: 4 micro-batches instead of 8 pass through 4
// stages (1F1B), which ideally leaves 27.3 % and 42.9 %".
func bubble(r *diff.Report, f *cause.Finding) string {
	b, c := &f.Pipeline[0], &f.Pipeline[1]
	text := moved(r, f)
	if !math.IsNaN(b.Share + c.Share) {
		text += fmt.Sprintf(", from %s to %s of it", number.Share(b.Share), number.Share(c.Share))
	}
	text += ": " + Schedule(b, c)
	if !math.IsNaN(b.Ideal + c.Ideal) {
		if b.Ideal == c.Ideal {
			return text + fmt.Sprintf(", which ideally leaves %s on both sides", number.Share(c.Ideal))
		}
		text += fmt.Sprintf(", which ideally leaves %s and %s", number.Share(b.Ideal), number.Share(c.Ideal))
	}
	return text
}

// Schedule says how stages go through a step, and how they did in the baseline where they do it
// otherwise: "4 micro-batches instead of 8 pass through 4 stages (1F1B)". What is not known is left
// out. Of one side it says which: "8 micro-batches pass through 4 stages (1F1B) in the baseline".
func Schedule(b, c *cause.Pipeline) string {
	switch {
	case c.Stages == 0 && b.Stages > 0:
		return schedule(&cause.Pipeline{}, b) + " in the baseline"
	case b.Stages == 0 && c.Stages > 0:
		return schedule(b, c) + " in the candidate"
	}
	return schedule(b, c)
}

func schedule(b, c *cause.Pipeline) string {
	what := "micro-batches"
	if n := c.MicroBatches; n > 0 {
		what = number.Counted(n, "micro-batch")
		if n > 1 {
			what = number.Count(n) + " micro-batches"
		}
		what += instead(b.MicroBatches, n)
	}
	through := "the stages"
	if n := c.Stages; n > 0 {
		through = number.Counted(n, "stage") + instead(b.Stages, n)
	}
	if n := c.Chunks; n > 1 || n > 0 && b.Chunks > 1 {
		through += ", each with " + number.Counted(n, "part") + " of the model" + instead(b.Chunks, n)
	}
	text := what + " pass through " + through
	if strings.HasPrefix(what, "1 ") {
		text = what + " passes through " + through
	}
	switch {
	case c.Schedule == "":
	case b.Schedule != "" && b.Schedule != c.Schedule:
		text += " (" + c.Schedule + " instead of " + b.Schedule + ")"
	default:
		text += " (" + c.Schedule + ")"
	}
	return text
}

// instead says what a number was in the baseline; "" if that is unknown or the same.
func instead(base, cand int) string {
	if base == 0 || base == cand {
		return ""
	}
	return " instead of " + number.Count(base)
}

// slowStage returns the clause about the one stage that computes for another time than before.
func slowStage(c *cause.Clause) string {
	sc := number.ScaleOf("s", math.Max(c.Base, c.Cand))
	text := fmt.Sprintf("; stage %s (%s) computes for %s per step instead of %s", c.Names[0], someRanks(c.Ranks), sc.With(c.Cand), sc.With(c.Base))
	if c.Delta > 0 {
		text += ", and the others wait for it"
	}
	return text
}

// StageParts names the parts of a stage's time.
var StageParts = [4]string{"Busy", "Warm-up", "Steady", "Drain"}

// StageTimes returns the times of these parts, in s.
func StageTimes(l *cause.StageLoads) [4]float64 {
	return [4]float64{l.Busy(), l.WarmUp, l.Steady, l.Drain}
}
