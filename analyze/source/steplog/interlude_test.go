package steplog

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/trace"
)

// TestOtherLoops: lines of a loop that is no training, with numbers of its own, are no steps, whether a name tells
// them or only that numbers go back and go on.
func TestOtherLoops(t *testing.T) {
	for _, name := range []string{"val step: %d", "[dev] step: %d", "epoch 1 VAL | step: %d", "infer step: %d", "warmup step: %d",
		"mode: val | step: %d", "split=generate step=%d", "probe step: %d"} {
		var b strings.Builder
		for i := 1; i <= 60; i++ {
			fmt.Fprintf(&b, "step: %d | loss: 2.5 | step_time: %.1f ms\n", i, 250+float64(i*7%5))
			for k := 1; i%20 == 0 && k <= 12; k++ {
				fmt.Fprintf(&b, name+" | loss: 2.5 | step_time: %.1f ms\n", k, 40+float64(k*7%5))
			}
		}
		tr, err := read(t, "run.log", []byte(b.String()))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if n, first := len(tr.Logged.Steps), tr.Logged.Steps[0].Time; n != 60 || slices.ContainsFunc(tr.Logged.Steps, func(s trace.LoggedStep) bool { return s.Time < 250e6 }) {
			t.Errorf("%s: %d steps, the first of %d ns, want 60 of 250 ms", name, n, first)
		}
	}
}

// TestMeanInBrackets: of "time: 0.2778 (0.2774)" the first is taken in every log, however few steps its mean is of.
func TestMeanInBrackets(t *testing.T) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		var b strings.Builder
		sum := 0.0
		for i := 1; i <= 60; i++ {
			v := 0.25 * (1 + 0.01*math.Abs(r.NormFloat64()))
			sum += v
			fmt.Fprintf(&b, "[%d/60] time: %.4f (%.4f) data 0.001 (0.001)\n", i, v, sum/float64(i))
		}
		if tr, err := read(t, "run.log", []byte(b.String())); err != nil || tr.Logged.Name != "time" {
			t.Errorf("seed %d: %v, or another number than the first", seed, err)
		}
	}
}
