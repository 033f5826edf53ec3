package html

import (
	"testing"

	"perfdiff/diff/cause"
)

// TestLeading: a table that is short stands open; of a long one the first rows do, the note says
// how many follow, and the whole of it can be opened.
func TestLeading(t *testing.T) {
	for _, tt := range []struct{ rows, open, all int }{{3, 3, 0}, {openRows, openRows, 0}, {openRows + 1, openRows, openRows + 1}} {
		open, all := (&table{Label: "Pairs", Rows: make([]row, tt.rows)}).leading()
		if len(open.Rows) != tt.open || (all == nil) != (tt.all == 0) || all != nil && len(all.Rows) != tt.all {
			t.Errorf("%d rows: got %d open and %v", tt.rows, len(open.Rows), all)
		}
		if all != nil && (open.More != "1 more row below, in the table of values." || all.Label == open.Label) {
			t.Errorf("got %q of %q and %q", open.More, open.Label, all.Label)
		}
	}
}

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
