package stat

import (
	"math"

	"gonum.org/v1/gonum/mathext"
	gonum "gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// student returns Student's t with df degrees of freedom.
func student(df float64) distuv.StudentsT { return distuv.StudentsT{Sigma: 1, Nu: df} }

// Above returns the chance that Student's t with df degrees of freedom is above t.
func Above(t, df float64) float64 { return student(df).Survival(t) }

// Beyond returns the t above which Student's t with df degrees of freedom is with the chance p.
func Beyond(p, df float64) float64 { return student(df).Quantile(1 - p) }

// fAbove returns the chance that Fisher's F with d1 and d2 degrees of freedom is above x.
func fAbove(x, d1, d2 float64) float64 { return distuv.F{D1: d1, D2: d2}.Survival(x) }

// normalQuantile returns the value below which the standard normal distribution is with the chance p.
func normalQuantile(p float64) float64 { return mathext.NormalQuantile(p) }

// kendall returns Kendall's S of values over their places, which rise: how many pairs of v rise less how many fall, a
// whole number. v holds no NaN. gonum's tau counts equal values as a pair that rises; for the negative values they
// rise as well, so half of the difference is without them. Rounding removes the error of dividing by the number of
// pairs.
func kendall(places, v []float64) float64 {
	negative := make([]float64, len(v))
	for i, x := range v {
		negative[i] = -x
	}
	pairs := float64(len(v) * (len(v) - 1) / 2)
	tau := gonum.Kendall(places, v, nil) - gonum.Kendall(places, negative, nil)
	return math.Round(pairs * tau / 2)
}
