package stat

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// The distributions of Student and Fisher by gonum's incomplete beta function, to the
// bit as gonum/stat/distuv has them. That package, as gonum/stat, links gonum/mat and all
// of LAPACK, of which nothing is ever called, and html/template keeps every method of it:
// a tenth of the program.

// tBelow is the chance that Student's t with df degrees of freedom is below x.
func tBelow(x, df float64) float64 {
	return tAbove(-x, df)
}

// tAbove is the chance that it is above x.
func tAbove(x, df float64) float64 {
	switch {
	case x == 0:
		return 0.5
	case x > 0:
		return float64(0.5 * tTail(x, df))
	}
	return 1 - float64(0.5*tTail(x, df))
}

// tTail is the chance that it is farther from zero than x.
func tTail(x, df float64) float64 {
	return mathext.RegIncBeta(df/2, 0.5, df/(float64(x*x)+df))
}

// tQuantile is what it is below of with the chance p.
func tQuantile(p, df float64) float64 {
	far := func(tail float64) float64 {
		t := mathext.InvRegIncBeta(df/2, 0.5, tail)
		return math.Sqrt(float64(df*(1-t)) / t)
	}
	switch {
	case p == 0.5:
		return 0
	case p > 0.5:
		return far(2 * (1 - p))
	}
	return -far(2 * p)
}

// fAbove is the chance that Fisher's F with d1 and d2 degrees of freedom is above x.
func fAbove(x, d1, d2 float64) float64 {
	scaled := float64(d1 * x)
	return 1 - mathext.RegIncBeta(d1/2, d2/2, scaled/(scaled+d2))
}
