package words

import (
	"fmt"

	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// memoryGrowth writes the sentence that the steps of one side keep memory for good.
func memoryGrowth(r *diff.Report, f *cause.Finding) string {
	sc := valuesIn(f)
	if f.Class == verdict.ClassBetter {
		return fmt.Sprintf("Device memory no longer grows from step to step; in the baseline it grew by %s per step", sc.With(f.Base))
	}
	return fmt.Sprintf("Device memory grows from step to step, by %s per step; in the baseline it does not", sc.With(f.Cand))
}

// heldGrounds says what a finding about kept memory rests on.
func heldGrounds(runs [2]int) string {
	return fmt.Sprintf("memory at the ends of the steps of %s and %s", number.Counted(runs[0], "run"), number.Counted(runs[1], "run"))
}
