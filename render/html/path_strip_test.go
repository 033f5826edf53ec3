package html

import (
	"fmt"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff/cause"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// TestPathStrip: a column of the strip is the mean of the steps in it that are known, and has no
// value where none is.
func TestPathStrip(t *testing.T) {
	s := &sheet{ms: number.Scale{Name: "ms", Factor: 1e3}}
	index := map[int64]int{10: 0, 11: 1, 12: 2, 13: 3, 14: 4, 15: 5}
	steps := []cause.StepPath{
		{Number: 10, Parts: []float64{0.001, 0.004}}, {Number: 11, Parts: []float64{0.003, 0.002}},
		{Number: 12}, {Number: 15, Parts: []float64{0.005, 0}}, {Number: 99, Parts: []float64{1, 1}},
	}
	if got, want := fmt.Sprint(s.stripOf(steps, index, 2, 3, 2)), "[2 3 NaN NaN 5 0]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestPathColours: each part of a path has a colour of the page.
func TestPathColours(t *testing.T) {
	for _, part := range run.PathParts {
		if words.PathColour(part) == "" {
			t.Errorf("%s has no colour", part)
		}
	}
}
