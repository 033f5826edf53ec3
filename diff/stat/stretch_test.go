package stat

import (
	"math"
	"slices"
	"testing"
)

func TestStretches(t *testing.T) {
	for _, tt := range []struct {
		name string
		v    []float64
		want []int
	}{
		{"none", nil, []int{0}}, {"few", []float64{1, 1, 2, 2}, []int{0}},
		{"one level", []float64{1, 1.01, .99, 1, 1.01, .99, 1, 1}, []int{0}},
		{"two", []float64{1, 1.01, .99, 1, 2, 2.01, 1.99, 2}, []int{0, 4}},
		{"three", []float64{1, 1.01, .99, 1, 1, 2, 2.01, 1.99, 2, 2, 1.5, 1.51, 1.5, 1.49, 1.5}, []int{0, 5, 10}},
		{"the last alone is no level", []float64{1, 1.01, .99, 1, 1.01, .99, 1, 2}, []int{0}},
	} {
		if got := Stretches(tt.v); !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %v want %v", tt.name, got, tt.want)
		}
	}
}

func TestOdd(t *testing.T) {
	quiet := []float64{.01, -.01, .01, -.01, .01, -.01, .01}
	with := func(v ...float64) []float64 { return append(slices.Clone(quiet), v...) }
	for _, tt := range []struct {
		name  string
		v     []float64
		floor float64
		at    int
	}{
		{"none", quiet, .001, -1}, {"two values", []float64{0, 1}, .001, -1},
		{"one", with(.3), .001, 7}, {"one below", with(-.3), .02, 7},
		{"within the floor", with(.3), .07, -1}, {"several are how they are", with(.3, .31), .001, -1},
		{"one on either side", with(.3, -.3), .001, -1},
	} {
		at, as := Odd(tt.v, tt.floor)
		if at != tt.at {
			t.Errorf("%s: got %d want %d", tt.name, at, tt.at)
		}
		// It counts between the value and the others, on the value's side.
		if at >= 0 && !(math.Abs(as) < math.Abs(tt.v[at]) && math.Abs(as) > .01 && as*tt.v[at] > 0) {
			t.Errorf("%s: it counts as %g", tt.name, as)
		}
	}
}
