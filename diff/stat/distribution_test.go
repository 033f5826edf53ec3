package stat

import (
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

// TestDistributions holds the distributions to those of gonum/stat/distuv, to the bit.
func TestDistributions(t *testing.T) {
	same := func(what string, df, x, got, want float64) {
		t.Helper()
		if got != want {
			t.Errorf("%s with %v degrees of freedom at %v: got %v want %v", what, df, x, got, want)
		}
	}
	for _, df := range []float64{0.7, 1, 2, 3.3, 8, 17, 250, 1e5} {
		student := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: df}
		for _, x := range []float64{-90, -3.1, -1, -1e-9, 0, 1e-9, 0.3, 1, 2.77, 40} {
			same("below", df, x, tBelow(x, df), student.CDF(x))
			same("above", df, x, tAbove(x, df), student.Survival(x))
			if x >= 0 {
				same("F above", df, x, fAbove(x, 3, df), distuv.F{D1: 3, D2: df}.Survival(x))
			}
		}
		for _, p := range []float64{1e-6, 0.025, 0.4, 0.5, 0.8, 0.975, 0.9999} {
			same("quantile", df, p, tQuantile(p, df), student.Quantile(p))
		}
	}
}
