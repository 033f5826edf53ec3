package html

import (
	"math"
	"slices"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
)

// TestMapCells: a column of several steps has the median of the steps that both sides have, a step
// far off it on both sides in its place, and nothing of steps that are left out; columns of one
// step have its values, whatever they are.
func TestMapCells(t *testing.T) {
	r := &diff.Report{}
	index := map[int64]int{}
	for i := range 12 {
		r.Steps = append(r.Steps, cause.StepPoint{Number: int64(100 + i)})
		index[int64(100+i)] = i
	}
	r.Steps[0].Omission.Base = "first step"
	side := func(first int64, v ...float64) *diff.RankSide {
		out := &diff.RankSide{Values: map[string][]float64{run.StepTime: v}}
		for i := range v {
			out.Steps = append(out.Steps, first+int64(i))
		}
		return out
	}
	s := &sheet{r: r}
	nan := math.NaN()
	for name, tt := range map[string]struct {
		base, cand         *diff.RankSide
		cols               []int
		wantBase, wantCand []float32
	}{
		"medians":                     {side(100, 9, 1.8, 2, 2.2, 4, 4, 4, 4), side(100, 9, 2, 2.1, 2.2, 5, 5, 5, 5.1), []int{0, 4, 8}, []float32{2, 4, nan32}, []float32{2.1, 5, nan32}},
		"of the steps that both have": {side(104, 4, 4, 4.4, 4.4), side(106, 5, 5.1), []int{0, 4, 8}, []float32{nan32, 4.4, nan32}, []float32{nan32, 5.05, nan32}},
		"a spike on one side":         {side(104, 4, 4, 4.1, 4), side(104, 4, 4, 4.2, 30), []int{0, 4, 8}, []float32{nan32, 4, nan32}, []float32{nan32, 30, nan32}},
		"the larger of two spikes":    {side(104, 20, 4, 4.1, 4), side(104, 5, 4, 4.2, 30), []int{0, 4, 8}, []float32{nan32, 4, nan32}, []float32{nan32, 30, nan32}},
		"not recorded":                {side(104, nan, 4, nan, nan), nil, []int{0, 4, 8}, []float32{nan32, 4, nan32}, []float32{nan32, nan32, nan32}},
		"left out alone":              {side(100, 9), side(100, 8), []int{0, 1}, []float32{9, nan32}, []float32{8, nan32}},
	} {
		rows, means := s.mapCells([2]*diff.RankSide{tt.base, tt.cand}, run.StepTime, index, tt.cols)
		for k, want := range [][]float32{tt.wantBase, tt.wantCand} {
			if !slices.EqualFunc(rows[k], want, func(a, b float32) bool { return a == b || a != a && b != b }) {
				t.Errorf("%s, side %d: got %v, want %v", name, k, rows[k], want)
			}
		}
		if name == "medians" && (math.Abs(means[0]-22.0/7) > 1e-9 || math.Abs(means[1]-(6.3+20.1)/7) > 1e-9) {
			t.Errorf("means: got %v", means)
		}
	}
}

var nan32 = float32(math.NaN())
