package html

import (
	"math"
	"slices"
	"strings"
	"testing"

	"perfdiff/diff/cause"
)

// TestThinned: of more steps than a chart has room for the least and the most of each stretch stay,
// on both sides and in their order, and the page says so.
func TestThinned(t *testing.T) {
	points := make([]cause.StepPoint, 1001)
	for i := range points {
		v := 0.017 + 0.0001*float64(i%7)
		points[i] = cause.StepPoint{Number: int64(i), Base: cause.StepSide{Median: v, Min: v, Max: v}, Cand: cause.StepSide{Median: v, Min: v, Max: v}}
	}
	points[777].Cand = cause.StepSide{Median: 0.343, Min: 0.343, Max: 0.343}
	points[778].Base = cause.StepSide{Median: 0.001, Min: 0.001, Max: 0.001}
	points[5].Base = cause.StepSide{Median: math.NaN(), Min: math.NaN(), Max: math.NaN()}
	cols, each := columnsOf(points)
	if each != 2 || len(cols) != 501 {
		t.Fatalf("got %d columns of %d steps, want 501 of 2", len(cols), each)
	}
	if got := slices.MaxFunc(cols, func(a, b stepColumn) int { return int(1e6 * (a.cand.Median - b.cand.Median)) }); got.cand.Median != 0.343 || got.index < 774 || got.index > 780 {
		t.Errorf("the longest step of the candidate is drawn as %v at %d, want 0.343 at 777", got.cand.Median, got.index)
	}
	if got := slices.MinFunc(cols, func(a, b stepColumn) int { return int(1e6 * (a.base.Median - b.base.Median)) }); got.base.Median != 0.001 {
		t.Errorf("the shortest step of the baseline is drawn as %v, want 0.001", got.base.Median)
	}
	for i := 1; i < len(cols); i++ {
		if cols[i].index <= cols[i-1].index {
			t.Fatalf("column %d begins at step %d, and the one before at %d", i, cols[i].index, cols[i-1].index)
		}
	}
	if page := written(t, jobReport(2, 1000)); !strings.Contains(page, "Each two points are the least and the most of 4 steps: no extreme is left out.") {
		t.Error("the page does not say how steps are thinned")
	}
}

// TestCaptureBreaks: a line ends where steps were not captured, and only there.
func TestCaptureBreaks(t *testing.T) {
	of := func(numbers ...string) (cols []stepColumn) {
		for i, n := range numbers {
			cols = append(cols, stepColumn{name: n, index: i})
		}
		return cols
	}
	for _, tt := range []struct {
		in   []stepColumn
		want []int
	}{
		{of("5", "6", "7", "16", "17", "18"), []int{3}},
		{of("5", "6", "8", "9"), nil},
		{of("10", "20", "30", "80", "90"), []int{3}},
		{of("7"), nil},
	} {
		if got := captureBreaks(tt.in); !slices.Equal(got, tt.want) {
			t.Errorf("%v: got breaks at %v, want %v", tt.in, got, tt.want)
		}
	}
}
