package words

import (
	"testing"

	"perfdiff/diff"
)

// TestSelfTestIsSaid: each comparison of a self-check has words, and so has what saw a change.
func TestSelfTestIsSaid(t *testing.T) {
	for _, of := range []diff.Halves{diff.Itself, diff.Reordered, diff.OddEven, diff.FirstLast} {
		if SelfTest(&diff.SelfTest{Of: of}) == "" {
			t.Errorf("%s: no words", of)
		}
	}
	for _, tt := range []struct {
		in   diff.Injected
		want string
	}{{diff.Injected{}, ""}, {diff.Injected{By: "step_time"}, "step_time"}, {diff.Injected{ByKernels: true}, "the table of kernels"}} {
		if got := SeenIn(&tt.in); got != tt.want {
			t.Errorf("got %q want %q", got, tt.want)
		}
	}
}
