package words

import (
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff/verdict"
)

// TestShift: a level is told by its share, in points of a ratio, and in its unit of what was
// nothing before.
func TestShift(t *testing.T) {
	for _, tt := range []struct {
		unit string
		s    verdict.Shift
		want string
	}{
		{"s", verdict.Shift{By: 0.042, Relative: true}, "+4.2 %"},
		{"s", verdict.Shift{By: -0.5, Relative: true}, "−50.0 %"},
		{"ratio", verdict.Shift{By: -0.031}, "−3.10 pts"},
		{"s", verdict.Shift{By: 0.002}, "+2.00 ms"},
		{"s", verdict.Shift{}, ""},
	} {
		if got := plain(Shift(&run.Metric{Unit: tt.unit}, tt.s)); got != tt.want {
			t.Errorf("%v of %s: got %q, want %q", tt.s, tt.unit, got, tt.want)
		}
	}
}
