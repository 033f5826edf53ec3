package step

import (
	"testing"
	"time"

	"perfdiff/analyze/trace"
)

// TestWindow: whole steps in the window count, from the begin of the capture on; the reason of the others says it, and
// where none is left it is said where the steps lie.
func TestWindow(t *testing.T) {
	const began, s = 1_700_000_000e9, int64(time.Second)
	for _, tt := range []struct {
		window [2]time.Duration
		kept   int
		why    string
	}{
		{[2]time.Duration{}, 4, ""},
		{[2]time.Duration{time.Second, 3 * time.Second}, 2, ""},
		{[2]time.Duration{time.Second, 3*time.Second - 1}, 1, ""},
		{[2]time.Duration{10 * time.Second, 12500 * time.Millisecond}, 0, "the steps lie from 0.000 to 5.000 s of the capture"},
	} {
		var steps []trace.Step
		for i := range int64(5) {
			steps = append(steps, trace.Step{Number: i, Start: began + i*s, End: began + (i+1)*s})
		}
		steps[4].Dropped = DropSkip
		why := Options{Window: tt.window}.dropOutside(steps, began)
		if _, kept := tallyDrops(steps); kept != tt.kept || why != tt.why {
			t.Errorf("%v: got %d steps, %q, want %d, %q", tt.window, kept, why, tt.kept, tt.why)
		}
		if tt.kept == 2 && steps[0].Dropped != "outside of --window 1-3" {
			t.Errorf("got %q", steps[0].Dropped)
		}
	}
}
