package stat_test

import (
	"math"
	"testing"

	"perfdiff/diff/stat"
)

// TestThresholdsAsPrinted: on a scale of logs a threshold is the size of the change as a fraction that
// people read, up and down.
func TestThresholdsAsPrinted(t *testing.T) {
	for _, tt := range []struct {
		change, threshold float64
		want              stat.Outcome
	}{
		{-.048, .05, stat.Unclear}, {-.051, .05, stat.Lower}, {.051, .05, stat.Higher}, {.049, .05, stat.Unclear},
		{-.092, .1, stat.Unclear}, {-.53, .54, stat.Unclear}, {-.53, .5, stat.Lower}, {-.99, 1.2, stat.Unclear}, {1.3, 1.2, stat.Higher},
	} {
		e := stat.Effect{Estimate: math.Log1p(tt.change), SE: 1e-6, DF: 20, NA: 3, NB: 3}
		if got := stat.Decide(e, stat.Limits{Alpha: .05, Threshold: tt.threshold, Equivalence: .001}.InLogs()); got != tt.want {
			t.Errorf("%+g at a threshold of %g: got %v, want %v", tt.change, tt.threshold, got, tt.want)
		}
	}
}
