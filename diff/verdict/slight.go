package verdict

import (
	"math"

	"perfdiff/analyze/run"
	"perfdiff/diff/stat"
)

// leastFinding is how much of the step, or of a share, a change must be for a sentence.
// Chosen, not measured: it is half the threshold of the step time; TestListRates holds
// how often a report of two unchanged sides names anything (simulated).
const leastFinding = 0.01

// FalseShare is the share of false ones among all that a report names as changed besides the gating metrics: kernels,
// parts, details. It explains and never gates; its rates were simulated.
const FalseShare = 0.05

// markSlight marks the comparisons that no sentence may call changed. Among so many, some intervals leave out zero by
// chance (Benjamini and Hochberg 1995, at 5 %; the gating metrics that decided are held to Holm's rule already), and
// some changes are smaller than people look for. Without this, a fifth to a third of unchanged pairs with a history
// listed something (simulated).
func markSlight(p *Terms, lists ...[]Comparison) {
	var all []*Comparison
	var values []float64
	for _, list := range lists {
		for i := range list {
			if c := &list[i]; c.Metric.Better != run.Neither && !math.IsNaN(c.P) && (c.Metric.Main && c.Key.Part == "" || c.Metric.InFindings) {
				all, values = append(all, c), append(values, c.P)
			}
		}
	}
	for i, q := range stat.FalseDiscoveries(values) {
		c := all[i]
		sure := (c.Gating || c.Secondary) && (c.Verdict == Improved || c.Verdict == Regressed)
		c.TooSlight = !sure && q > FalseShare || small(p, c)
	}
}

// small reports whether a change of a time or a share is less than people look for.
func small(p *Terms, c *Comparison) bool {
	switch {
	case c.Metric.Unit == "ratio":
		return math.Abs(c.Delta) < leastFinding
	case ofStep(c) && p.Step > 0:
		return math.Abs(c.Delta) < leastFinding*p.Step
	}
	return false
}
