package words

import (
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff/cause"
	"perfdiff/diff/sides"
)

// TestLaunched: what is not named is said to be not recorded, with what records it on which side, and
// nothing is said where all is.
func TestLaunched(t *testing.T) {
	for _, tt := range []struct {
		phases, places  [2]bool
		levels, missing string
	}{
		{[2]bool{true, true}, [2]bool{true, true}, "By phase and operator", ""},
		{[2]bool{true, true}, [2]bool{false, false}, "By phase", "Operators and modules are not recorded in these captures: put a range around each layer."},
		{[2]bool{true, false}, [2]bool{true, true}, "By operator or module", "Phases are not recorded in the candidate: name ranges forward, backward and optimizer."},
		{[2]bool{false, true}, [2]bool{false, true}, "By operator or module", "Phases are not recorded in the baseline: name ranges forward, backward and optimizer. " +
			"Operators and modules are not recorded in the baseline: put a range around each layer."},
	} {
		l := &cause.Launched{KnowsPhases: tt.phases, KnowsPlaces: tt.places}
		if got := LaunchedLevels(l); got != tt.levels {
			t.Errorf("%v, %v: got %q, want %q", tt.phases, tt.places, got, tt.levels)
		}
		if got := LaunchedMissing(l, &sides.Profilers{}); got != tt.missing {
			t.Errorf("%v, %v: got %q, want %q", tt.phases, tt.places, got, tt.missing)
		}
	}
	for want, n := range map[string]cause.LaunchedNode{
		"Kernels in the mean step": {Level: cause.LaunchedAll}, "Backward": {Level: cause.LaunchedPhase, Name: "backward"}, "Phase not recorded": {Level: cause.LaunchedPhase},
		"aten::conv2d": {Level: cause.LaunchedPlace, Name: "aten::conv2d"}, "Operator or module not recorded": {Level: cause.LaunchedPlace},
		"Other operators and modules": {Level: cause.LaunchedPlace, Name: run.OtherPlaces}, "3 other kernels": {Level: cause.LaunchedKernel, Others: 3}, "gemm": {Level: cause.LaunchedKernel, Name: "gemm"},
	} {
		if got := LaunchedName(&n); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
