package html

import (
	"math"
	"slices"
	"strconv"

	"perfdiff/diff"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
	"perfdiff/render/picture"
	"perfdiff/render/plot"
)

// mainMetric returns the comparison of a main metric, nil if there is none.
func (s *sheet) mainMetric(name string) *verdict.Comparison {
	for i := range s.r.Metrics {
		if c := &s.r.Metrics[i]; c.Key.Metric == name && c.Part == "" {
			return c
		}
	}
	return nil
}

// anyMetric returns the comparison of a metric, main or not; nil if there is none.
func (s *sheet) anyMetric(name string) *verdict.Comparison {
	for i := range s.r.Parts {
		if c := &s.r.Parts[i]; c.Key.Metric == name && c.Part == "" {
			return c
		}
	}
	return s.mainMetric(name)
}

// stepScale returns the unit of every step time on the page.
func stepScale(r *diff.Report) number.Scale { return number.ScaleOf("s", picture.Longest(r)) }

// nameRanksAndSteps sets the names of the maps' rows and columns.
func (s *sheet) nameRanksAndSteps() {
	host := ""
	for i, row := range s.r.Ranks {
		s.data.Ranks = append(s.data.Ranks, rankName(row.Rank))
		s.data.Numbers = append(s.data.Numbers, row.Rank)
		if h := hostOf(&row); h != host {
			if i > 0 {
				s.data.Nodes = append(s.data.Nodes, i)
			}
			host = h
		}
	}
	for i, p := range s.r.Steps {
		s.data.Steps = append(s.data.Steps, p.Number)
		if p.Omission.Omitted() {
			s.data.LeftOut = append(s.data.LeftOut, i)
		}
	}
}

func hostOf(r *diff.RankRow) string {
	if r.Base.Present {
		return r.Base.Host
	}
	return r.Cand.Host
}

func rankName(rank int) string {
	if rank < 0 {
		return "?"
	}
	return strconv.Itoa(rank)
}

// sixDigits rounds to six digits: more than a chart can show, and fewer bytes.
func sixDigits(v float64) float64 { return plot.Rounded(v, 6) }

// missingPoint is a point of a line that does not exist.
const missingPoint = "-"

// chartValue returns a value as ECharts takes it.
func chartValue(v float64) any {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return missingPoint
	}
	return sixDigits(v)
}

// representatives returns n values for the distribution of v: the middle of each of n equal shares
// of the sorted values.
func representatives(v []float64, n int) []float64 {
	if len(v) <= n {
		return v
	}
	out := make([]float64, n)
	for i := range out {
		out[i] = interpolatedQuantile(v, (float64(i)+0.5)/float64(n))
	}
	return out
}

// interpolatedQuantile returns the quantile q of v, linear between the two neighbouring values: the
// median of an even number is the mean of the two in the middle. It is NaN for no values.
// It is the definition of order.Quantile, by a difference in place of weights: with weights values of charts
// that lie half way between two of six digits are written otherwise.
func interpolatedQuantile(v []float64, q float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	sorted := slices.Sorted(slices.Values(v))
	at := float64(q * float64(len(sorted)-1))
	i := int(at)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + float64((sorted[i+1]-sorted[i])*(at-float64(i)))
}

// existing returns the values without NaN.
func existing(v []float64) []float64 {
	return slices.DeleteFunc(slices.Clone(v), math.IsNaN)
}

func mean(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}

func largestMagnitude(v ...float64) float64 {
	out := 0.0
	for _, x := range v {
		if math.Abs(x) > out && !math.IsInf(x, 0) {
			out = math.Abs(x)
		}
	}
	return out
}

// isAre returns the verb after a counted subject: "is" after one, "are" after more.
func isAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

func orDash(s string) string {
	if s == "" {
		return number.None
	}
	return s
}
