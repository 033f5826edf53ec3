package html

import (
	"testing"

	"perfdiff/diff/cause"
)

// TestKernelOfAnotherShift: where all kernels got faster, the one that did not stands out and is
// not called worse; one that got slower is.
func TestKernelOfAnotherShift(t *testing.T) {
	r := jobReport(2, 6)
	r.KernelShift = -0.14
	s := &sheet{r: r, judged: true}
	for _, tt := range []struct {
		cand, change float64
		want         string
	}{{1.0, 0.16, ""}, {1.02, 0.18, ""}, {1.2, 0.4, "worse"}, {0.5, -0.4, "better"}} {
		k := &cause.Kernel{BaseTime: 1, CandTime: tt.cand, Change: tt.change, BeyondNoise: true}
		if got := s.kernelClass(k); got != tt.want {
			t.Errorf("from 1 to %g s: got %q, want %q", tt.cand, got, tt.want)
		}
	}
}
