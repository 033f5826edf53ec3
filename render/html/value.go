package html

import (
	"math"
	"slices"
	"strconv"

	"perfdiff/diff"
	"perfdiff/diff/number"
)

// metric is the comparison of a main metric, nil if there is none.
func (s *sheet) metric(name string) *diff.Comparison {
	for i := range s.r.Metrics {
		if c := &s.r.Metrics[i]; c.Key.Metric == name && c.Part == "" {
			return c
		}
	}
	return nil
}

// measure is a metric, of the main table or not; nil if there is none.
func (s *sheet) measure(name string) *diff.Comparison {
	for i := range s.r.Parts {
		if c := &s.r.Parts[i]; c.Key.Metric == name && c.Part == "" {
			return c
		}
	}
	return s.metric(name)
}

// stepScale is the unit of every step time on the page.
func stepScale(r *diff.Report) number.Scale {
	largest := 0.0
	for i := range r.Steps {
		for _, v := range []float64{r.Steps[i].Base.Median, r.Steps[i].Cand.Median} {
			if v > largest {
				largest = v
			}
		}
	}
	return number.ScaleOf("s", largest)
}

// rows names the ranks and steps of maps.
func (s *sheet) rows() {
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
		if p.Dropped != "" {
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

// round keeps six digits: more than a chart can show, and fewer bytes.
func round(v float64) float64 {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return v
	}
	scale := math.Pow(10, 5-math.Floor(math.Log10(math.Abs(v))))
	if math.IsInf(scale, 0) {
		return v
	}
	return math.Round(v*scale) / scale
}

// dash is a point of a line that does not exist.
const dash = "-"

// point is a value as a chart takes it.
func point(v float64) any {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return dash
	}
	return round(v)
}

// thin is the middle of each of n equal shares of the sorted values.
func thin(v []float64, n int) []float64 {
	if len(v) <= n {
		return v
	}
	out := make([]float64, n)
	for i := range out {
		out[i] = quantile(v, (float64(i)+0.5)/float64(n))
	}
	return out
}

// quantile reads a value off the sorted points of a chart, between two of
// them in proportion.
func quantile(v []float64, q float64) float64 {
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

// known are the values that exist.
func known(v []float64) []float64 {
	return slices.DeleteFunc(slices.Clone(v), math.IsNaN)
}

func mean(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}

func largest(v ...float64) float64 {
	out := 0.0
	for _, x := range v {
		if math.Abs(x) > out && !math.IsInf(x, 0) {
			out = math.Abs(x)
		}
	}
	return out
}

// ceiling is a round number at or above v, for the end of an axis.
func ceiling(v float64) float64 {
	if !(v > 0) || math.IsInf(v, 0) {
		return 1
	}
	unit := math.Pow(10, math.Floor(math.Log10(v)))
	for _, step := range []float64{1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10} {
		if v <= step*unit*(1+1e-9) {
			return round(step * unit)
		}
	}
	return 10 * unit
}

// isAre follows a counted subject: "is" after one, "are" after more.
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
