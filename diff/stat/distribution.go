package stat

import (
	"gonum.org/v1/gonum/mathext"
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
