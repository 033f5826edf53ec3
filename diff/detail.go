package diff

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/stat"
	"perfdiff/diff/verdict"
)

// Details returns the comparisons of detail that differ by more than these runs do by chance: for each metric the part
// with the surest difference. Such a row is no verdict; it says where to look. They are in the order of Parts.
// Communication by dimension of parallelism has a table of its own.
//
// Among some dozens a few leave out zero by chance: the share of false ones is limited as among kernels (Benjamini and
// Hochberg 1995), and each is as large as what matters. The critical path is shown as a whole elsewhere.
func (r *Report) Details() []*verdict.Comparison {
	if r.SameFiles || !r.Judged {
		return nil
	}
	var tested []*verdict.Comparison
	var values []float64
	for i := range r.Parts {
		if c := &r.Parts[i]; !math.IsNaN(c.P) && !c.OtherCause && c.Metric.Section != run.SectionPath {
			tested, values = append(tested, c), append(values, c.P)
		}
	}
	surest := map[string]*verdict.Comparison{}
	for i, q := range stat.FalseDiscoveries(values) {
		c := tested[i]
		if q > verdict.FalseShare || c.TooSlight || !(math.Abs(c.Estimate) >= c.Threshold) || !(c.Delta*c.Estimate > 0) {
			continue
		}
		if ByDimension(c) {
			continue
		}
		if best := surest[c.Key.Metric]; best == nil || surer(c, best) {
			surest[c.Key.Metric] = c
		}
	}
	return slices.DeleteFunc(tested, func(c *verdict.Comparison) bool { return surest[c.Key.Metric] != c })
}

// ByDimension reports whether c is of communication for one dimension of parallelism.
func ByDimension(c *verdict.Comparison) bool { return c.Key.Part != "" && c.Metric.Part == "dimension" }

// surer reports whether a differs for surer than b, or for as sure and by more.
func surer(a, b *verdict.Comparison) bool {
	return a.P < b.P || a.P == b.P && math.Abs(a.Estimate) > math.Abs(b.Estimate)
}
