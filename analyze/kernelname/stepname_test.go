package kernelname

import "testing"

func TestIsStepName(t *testing.T) {
	for name, want := range map[string]bool{
		"ProfilerStep#12": true, "train step 7": true, "iteration_3": true, "forward": false, "save_checkpoint": false, "layer 4": false, "": false,
	} {
		if got := IsStepName(name); got != want {
			t.Errorf("IsStepName(%q): got %v, want %v", name, got, want)
		}
	}
}
