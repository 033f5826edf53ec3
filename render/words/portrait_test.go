package words

import (
	"math"
	"slices"
	"testing"
)

// TestAddingUp: rounded parts add up to the rounded whole, and each is next to what it is rounded from.
func TestAddingUp(t *testing.T) {
	for _, parts := range [][]float64{{0.0767, 0.0596, 0.01075, 0.00901, 0.00453, 0.00313, 0.00006}, {1}, {1, 1, 1}, {0.5, 0.25, 0.25}, {1e-9, 2}} {
		whole := 0.0
		for _, v := range parts {
			whole += v
		}
		for _, unit := range []float64{0.0001, 0.01, whole / 100, 3} {
			out, sum := addingUp(parts, whole, unit), 0.0
			for i, n := range out {
				if sum += n; math.Abs(n-parts[i]/unit) >= 1+1e-9 {
					t.Errorf("%v in %g: got %g for %g", parts, unit, n, parts[i])
				}
			}
			if sum != math.Round(whole/unit) {
				t.Errorf("%v in %g: got %v, want them to add up to %g", parts, unit, out, math.Round(whole/unit))
			}
		}
	}
	if got := addingUp([]float64{46.84, 36.37, 6.56, 5.5, 2.77, 1.91, 0.04}, 99.99, 1); !slices.Equal(got, []float64{47, 36, 7, 5, 3, 2, 0}) {
		t.Errorf("got %v", got)
	}
}

// TestShareOf: a share is called a half only where it is near one.
func TestShareOf(t *testing.T) {
	for of, want := range map[float64]string{0.30: "30 %", 0.33: "a third", 0.47: "half", 0.6: "60 %", 0.75: "three quarters", 0.86: "86 %", 0.97: "nearly all"} {
		if got := shareOf(&RunPart{Of: of, Share: wholePercent(of)}); plain(got) != plain(want) {
			t.Errorf("%g: got %q, want %q", of, got, want)
		}
	}
}
