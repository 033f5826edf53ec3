package kernelname

import "testing"

// TestHoldsAny: the test before an expression never says no where that would match.
func TestHoldsAny(t *testing.T) {
	for name, want := range map[string]bool{
		"train Step 7": true, "STEP": true, "ste": false, "": false, "forward": false, "\u017ftep": true, "it": true, "xiT": true,
	} {
		if got := HoldsAny(name, "step", "it"); got != want {
			t.Errorf("%q: got %v, want %v", name, got, want)
		}
		if NumberedStep.MatchString(name) && !HoldsAny(name, "step", "it", "batch") {
			t.Errorf("%q: would be missed", name)
		}
	}
}
