package number

import (
	"math"
	"testing"
)

// TestRow: two values and their difference have the decimals that give the difference two digits.
func TestRow(t *testing.T) {
	for _, c := range []struct {
		unit       string
		base, cand float64
		want       [3]string
	}{
		{"s", 0.029116, 0.034142, [3]string{"29.1", "34.1", "+5.0"}},
		{"s", 0.16375, 0.07882, [3]string{"164", "79", Minus + "85"}},
		{"s", 0.00004, 0.00016, [3]string{"0.04", "0.16", "+0.12"}},
		{"s", 0.0291, 0.0291, [3]string{"29.10", "29.10", "0"}},
		{"1", 4, 8, [3]string{"4", "8", "+4"}}, {"ratio", 0.0007, 0.1996, [3]string{"0", "20", "+20"}},
		{"s", math.NaN(), 2e-5, [3]string{None, "20.00", None}},
	} {
		r := RowOf(c.unit, c.base, c.cand, c.cand-c.base)
		if got := [3]string{r.Digits(c.base), r.Digits(c.cand), r.Signed(c.cand - c.base)}; got != c.want {
			t.Errorf("%g and %g: got %q, want %q", c.base, c.cand, got, c.want)
		}
	}
	for _, c := range []struct {
		change, base float64
		rough        bool
		want         string
	}{
		{5, 29, false, "+17" + Space + "%"}, {1.3, 29, false, "+4.5" + Space + "%"}, {1.3, 29, true, "+4" + Space + "%"},
		{2.3, 1, false, "3.3 times"}, {9, 0, false, ""}, {-1, 2, false, Minus + "50" + Space + "%"},
	} {
		if got := PercentOf(c.change, c.base, c.rough); got != c.want {
			t.Errorf("%g of %g: got %q, want %q", c.change, c.base, got, c.want)
		}
	}
}
