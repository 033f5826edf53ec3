package saved

import (
	"math"
	"testing"
)

// TestSharedValues: lists that are the same to the bit are one, and no others.
func TestSharedValues(t *testing.T) {
	s := newSharedValues()
	one := func(a, b []float64) bool { return &a[0] == &b[0] && len(a) == len(b) }
	nan := math.NaN()
	first := s.of([]float64{0, nan, 2})
	for _, x := range []struct {
		v    []float64
		same bool
	}{
		{[]float64{0, nan, 2}, true},
		{[]float64{math.Copysign(0, -1), nan, 2}, false},
		{[]float64{0, nan, 2, 0}, false},
		{[]float64{0, nan}, false},
		{[]float64{0, math.Float64frombits(math.Float64bits(nan) ^ 1), 2}, false},
	} {
		if got := s.of(x.v); one(got, first) != x.same || len(got) != len(x.v) {
			t.Errorf("%v: got %v, the same list: %v, want %v", x.v, got, one(got, first), x.same)
		}
	}
	if got := s.of(nil); got != nil {
		t.Errorf("no values: got %v", got)
	}
}
