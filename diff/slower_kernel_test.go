package diff

import (
	"fmt"
	"testing"

	"perfdiff/analyze/run"
)

// TestSlowerKernelItself: a kernel that takes as long as before while all others got shorter, as by
// another clock or by less work, is no slower kernel; one that takes longer is, whatever the others
// do.
func TestSlowerKernelItself(t *testing.T) {
	kernels := func(others, one float64) *run.Set {
		of := map[run.Key]func(int, int) float64{{Metric: run.ComputeTime}: steady(.07, 0)}
		for i := range 8 {
			name, factor := fmt.Sprint("kernel", i), others
			if i == 3 {
				factor = one
			}
			of[run.Key{Metric: run.KernelTime, Part: name}], of[run.Key{Metric: run.KernelLaunches, Part: name}] = steady(.008*factor, float64(i)), constant(3)
		}
		return setOf("a", job{ranks: upTo(4), steps: 60, step: steady(.1, 0), series: of})
	}
	for _, tt := range []struct {
		others, one float64
		fails       bool
	}{{0.8, 1, false}, {0.8, 1.3, true}, {1, 1.3, true}, {1, 1, false}, {1.3, 1.3, false}} {
		r := compare(kernels(1, 1), kernels(tt.others, tt.one))
		if got := len(r.slowerKernels()) > 0; got != tt.fails {
			t.Errorf("others take %v, one %v of the time: slower kernel %v, want %v", tt.others, tt.one, got, tt.fails)
		}
	}
}
