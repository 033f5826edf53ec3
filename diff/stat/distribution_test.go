package stat

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/mathext"
)

// TestDistributions holds the distributions to their definitions by the incomplete beta
// function. Processors that multiply and add at once give another last bit.
func TestDistributions(t *testing.T) {
	const most = 1e-10 // 5.5e-12 was seen on arm64, none on amd64
	same := func(what string, df, x, got, want float64) {
		t.Helper()
		if !(math.Abs(got-want) <= most*math.Abs(want)) {
			t.Errorf("%s with %v degrees of freedom at %v: got %v want %v", what, df, x, got, want)
		}
	}
	for _, df := range []float64{0.7, 1, 2, 3.3, 8, 17, 250, 1e5} {
		for _, x := range []float64{-90, -3.1, -1, -1e-9, 0, 1e-9, 0.3, 1, 2.77, 40} {
			tail := mathext.RegIncBeta(df/2, 0.5, df/(df+x*x)) / 2
			below, above := tail, 1-tail
			if x > 0 {
				below, above = above, below
			}
			same("below", df, x, student(df).CDF(x), below)
			same("above", df, x, student(df).Survival(x), above)
			if x >= 0 {
				same("F above", df, x, fAbove(x, 3, df), 1-mathext.RegIncBeta(1.5, df/2, 3*x/(3*x+df)))
			}
		}
		for _, p := range []float64{0.025, 0.4, 0.5, 0.8, 0.975, 0.9999} {
			same("quantile", df, p, student(df).CDF(student(df).Quantile(p)), p)
		}
	}
}
