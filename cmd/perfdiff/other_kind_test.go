package main

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
)

// TestOtherKindOfSteps: steps that launch half of the kernels, such as evaluation, are named, left out of the median and
// of what is tested, and kept in the mean, whether one side has them or both.
func TestOtherKindOfSteps(t *testing.T) {
	dir, _ := writeEdited(t, "aa", synth.Kineto, strings.NewReplacer("ranks: 4", "ranks: 2"))
	base, cand := filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate")
	plain := document(t, statusOK, base, cand)
	const says = "another kind of step: in the mean, and not in the median"
	edited(evaluations(5))(t, openSide(t, cand, 2))
	for _, both := range []bool{false, true} {
		if both {
			edited(evaluations(5))(t, openSide(t, base, 2))
		}
		doc := document(t, statusOK, base, cand)
		step, was := stepTimeOf(t, doc), stepTimeOf(t, plain)
		if got, want := float64(step.Median.Candidate), float64(was.Median.Candidate); math.Abs(got/want-1) > .005 {
			t.Errorf("both %v: the median step is %g, and without other kinds %g", both, got, want)
		}
		if got, want := float64(step.Mean.Candidate), float64(was.Mean.Candidate); got > .95*want {
			t.Errorf("both %v: the mean step is %g, and without other kinds %g", both, got, want)
		}
		text := plainSpaces(saysOf(t, base, cand, "--table"))
		if strings.Count(text, says) != 1 || strings.Contains(text, "the mean counts them and the median does not") == both {
			t.Errorf("both %v: got %s", both, text)
		}
	}
}
