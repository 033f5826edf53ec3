package stat

import (
	"math"
	"testing"
)

// TestStratified: of two kinds of steps one becomes slower. The effect is its share of
// the steps, in whatever order they come, and other levels of the kinds are no noise.
func TestStratified(t *testing.T) {
	tests := []struct {
		name string
		kind func(s int) int
	}{
		{"in turn", func(s int) int { return map[bool]int{true: 1}[s%5 == 0] }},
		{"one behind the other", func(s int) int { return map[bool]int{true: 1}[s < 8] }},
	}
	for _, tt := range tests {
		kind := make([]int, 40)
		var base, cand []float64
		for s := range kind {
			kind[s] = tt.kind(s)
			level := math.Log([]float64{0.01, 0.1}[kind[s]]) + 0.001*math.Sin(float64(7*s))
			base = append(base, level)
			cand = append(cand, level+[]float64{0.10, 0}[kind[s]])
		}
		s := Stratified([][]float64{base}, [][]float64{cand}, kind)
		if got := s.Cand[0] - s.Base[0]; math.Abs(got-0.08) > 1e-9 {
			t.Errorf("%s: got an effect of %v, want 0.08", tt.name, got)
		}
		if sd := math.Sqrt(s.Variance); !(sd < 0.002) || s.DF != 4 {
			t.Errorf("%s: got a standard deviation of %v and %v degrees of freedom, want less than 0.002 and 4", tt.name, sd, s.DF)
		}
	}
	// What is shown differs by the effect.
	steps, kind := [][]float64{{1, 10, 1, 10, 1, 10, 1, 10, 1, 10}}, []int{0, 1, 0, 1, 0, 1, 0, 1, 0, 1}
	slower := [][]float64{{2, 10, 2, 10, 2, 10, 2, 10, 2, 10}}
	if b, c := Levels(steps, slower, kind); math.Abs(b-5.5) > 1e-12 || math.Abs(c-6) > 1e-12 {
		t.Errorf("got levels %v and %v, want 5.5 and 6", b, c)
	}
	// One kind is what Paired has, with means of batches for medians.
	x := [][]float64{{1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2}}
	y := [][]float64{{2, 3, 2, 3, 2, 3, 2, 3, 2, 3, 2, 3}}
	one, paired := Stratified(x, y, make([]int, 12)), Paired(x, y)
	if one.Cand[0]-one.Base[0] != paired.Cand[0]-paired.Base[0] || one.DF != paired.DF {
		t.Errorf("one kind: got %+v want the effect of %+v", one, paired)
	}
}

func TestOfKinds(t *testing.T) {
	if got := OfKinds([]float64{1, 10, 3, 20, math.NaN()}, []int{0, 1, 0, 1, 1}); got != 8.5 {
		t.Errorf("got %v want 8.5", got)
	}
	if got := OfKinds([]float64{math.NaN()}, []int{0}); !math.IsNaN(got) {
		t.Errorf("nothing known: got %v want NaN", got)
	}
}
