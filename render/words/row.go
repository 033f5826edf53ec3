package words

import (
	"math"

	"perfdiff/diff"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// What stands for a change that is none.
const (
	NoSign = "~"    // by less than runs of one job differ
	Same   = "same" // shown to be equal

	// SameSteps is the head of what the same steps changed by.
	SameSteps = "same steps"

	medianNotMean = "median, not mean" // why the same steps changed by another number
)

// Row is a comparison as every table writes it: two values and their difference in one unit, with the decimals
// that give the difference two digits. The change of the same steps, which is what is tested, stands apart where
// it is another number.
type Row struct {
	Base, Cand string // with the unit; a dash where not recorded
	Change     string // "+5.0 ms (+17 %)", NoSign, Same; a dash where a side was not recorded
	Share      string // of that: " (+17 %)", as a share of the baseline; "": none
	Signed     bool   // it is a number
	Delta      float64
	Steps      string // what the same steps changed by, where it is not that: "+4.9 ms"
	Why        string // why, in three words
	Unit       string // of change and interval
	Interval   string // of the change of the same steps: "+3.4 to +6.9 ms", "within 0.5 ms"; a dash: none
}

// TableNote says what stands in the tables of metrics.
func TableNote(r *diff.Report) string {
	switch {
	case r.OfResults:
		return "values are means over runs"
	case r.Ground.ByLoad:
		return "values are medians over loads that both sides have; intervals are of their change"
	}
	return "values are means over ranks and steps; intervals are of the median rank's change"
}

// RowOf returns a comparison's texts.
func RowOf(c *verdict.Comparison) Row {
	base, cand := c.Shown()
	x := c.Change().Amount()
	out := Row{Delta: cand - base, Interval: number.None}
	known := !math.IsNaN(x.Lo) && !math.IsNaN(x.Hi)
	size, ends := out.Delta, math.Max(math.Abs(x.Lo), math.Abs(x.Hi))
	slack := number.RowOf(c.Metric.Unit, base, cand, ends).Slack() // what rounding hides
	within := !known || x.Lo-slack <= out.Delta && out.Delta <= x.Hi+slack
	switch {
	case math.IsNaN(out.Delta):
		out.Change = number.None
	case c.Outcome() == verdict.OutcomeUnchanged && within && !c.MeanApart.Is():
		out.Change = Same
	case c.Outcome() == verdict.OutcomeInconclusive && c.Reason == verdict.ReasonNoise && c.Obstacle() == verdict.NoObstacle && within && !c.MeanApart.Is():
		out.Change = NoSign
	default:
		out.Signed = true
	}
	if !out.Signed && known {
		size = ends
	}
	f := number.RowOf(c.Metric.Unit, base, cand, size)
	out.Base, out.Cand = withNone(f, base), withNone(f, cand)
	if out.Unit = f.Name; c.Metric.Unit == "ratio" {
		out.Unit = Points
	}
	if out.Signed {
		out.Change = withUnit(f.Signed(out.Delta), out.Unit)
		if share := number.PercentOf(out.Delta, base, (c.Hi-c.Lo)/2 > 0.01); c.Relative && share != "" {
			out.Share = " (" + share + ")"
			out.Change += out.Share
		}
		out.apart(c, f, x.Estimate)
	}
	switch {
	case known && size == 0: // nothing on either side
	case known && out.Change == Same:
		out.Interval = "within " + withUnit(f.Digits(size), out.Unit)
	case known:
		out.Interval = withUnit(f.Signed(x.Lo)+" to "+f.Signed(x.Hi), out.Unit)
	}
	return out
}

// RowVerdict returns the outcome of a comparison beside its row; "" where the change says it.
func RowVerdict(c *verdict.Comparison) string {
	switch o := RowOf(c); {
	case o.Change == Same || o.Change == NoSign:
		return ""
	case o.Why == medianNotMean && c.Outcome() == verdict.Outcome(verdict.Inconclusive):
		return "median " + MetricOutcome(c)
	case c.Outcome() != verdict.Outcome(c.Verdict) || c.Verdict == verdict.Inconclusive || o.Steps == "" || c.Verdict != verdict.Unchanged && o.Delta*c.Estimate > 0:
		return MetricOutcome(c)
	case o.Why == medianNotMean:
		return "median " + MetricOutcome(c)
	}
	return SameSteps + " " + MetricOutcome(c)
}

// apart says what the same steps changed by, and why, where that is not the difference of both values but for
// what rounding takes.
func (o *Row) apart(c *verdict.Comparison, f number.Row, estimate float64) {
	if math.IsNaN(c.Estimate) || math.Abs(estimate-o.Delta) <= f.Unit() {
		return
	}
	o.Steps, o.Why = withUnit(f.Signed(estimate), o.Unit), "pairs of steps"
	switch s := shared(c); {
	case math.Abs(c.Delta-estimate) <= math.Abs(c.Delta-o.Delta):
		o.Why = medianNotMean
	case c.Metric.OfResult && c.LogScale:
		o.Why = "mean of logarithms"
	case !s.Paired:
		o.Why = "stretches of steps"
	}
}

func withNone(f number.Row, v float64) string {
	if math.IsNaN(v) {
		return number.None
	}
	return f.With(v)
}
