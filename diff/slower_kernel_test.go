package diff_test

import (
	"fmt"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff/difftest"
)

// TestSlowerKernelItself: a kernel that takes as long as before while all others got shorter, as by
// another clock or by less work, is no slower kernel; one that takes longer is, whatever the others
// do.
func TestSlowerKernelItself(t *testing.T) {
	kernels := func(others, one float64) *run.Set {
		of := map[run.Key]func(int, int) float64{{Metric: run.ComputeTime}: difftest.Steady(.07, 0)}
		for i := range 8 {
			name, factor := fmt.Sprint("kernel", i), others
			if i == 3 {
				factor = one
			}
			of[run.Key{Metric: run.KernelTime, Part: name}], of[run.Key{Metric: run.KernelLaunches, Part: name}] = difftest.Steady(.008*factor, float64(i)), difftest.Constant(3)
		}
		return difftest.SetOf("a", difftest.Job{Ranks: difftest.UpTo(4), Steps: 60, Step: difftest.Steady(.1, 0), Series: of})
	}
	for _, tt := range []struct {
		others, one float64
		fails       bool
	}{{0.8, 1, false}, {0.8, 1.3, true}, {1, 1.3, true}, {1, 1, false}, {1.3, 1.3, false}} {
		r := difftest.Compare(kernels(1, 1), kernels(tt.others, tt.one))
		if got := len(r.SlowerKernels()) > 0; got != tt.fails {
			t.Errorf("others take %v, one %v of the time: slower kernel %v, want %v", tt.others, tt.one, got, tt.fails)
		}
	}
}
