package verdict

import (
	"math"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff/number"
	"perfdiff/diff/sides"
)

// Shared is what the reasons of all comparisons of two sides may name: what holds for both
// sides as a whole, and not for one metric.
type Shared struct {
	Alpha    float64      // the error of an interval, as the policy has it
	Again    bool         // where both sides are the same: they are one recording, exported twice
	Paired   bool         // steps are compared one by one
	ByLoad   bool         // steps of an inference engine are compared by their loads
	Unpaired Unpaired     // why steps are not compared one by one, where they are not
	Sizes    sides.Sizes  // how the jobs differ in size; zero: they do not
	Doubt    *sides.Doubt // what is not known first; nil: nothing
	Unequal  []Unequal    // what differs and must not
	Untold   Untold       // why kinds of work are not compared
}

// explain keeps what the reason of a comparison may name.
func (p *Judged) explain(c Comparison) Comparison {
	c.settle()
	if p.shared == nil {
		p.shared = &Shared{
			Alpha: p.Policy.Alpha, Again: p.Again, Paired: p.Plan.Paired, ByLoad: p.Like != nil,
			Unpaired: p.Unpaired(), Sizes: p.Sizes, Untold: p.Untold,
		}
		if len(p.Doubts) > 0 {
			p.shared.Doubt = &p.Doubts[0]
		}
	}
	c.Shared = p.shared
	return c
}

// Unjudged is why a metric is shown and not judged.
type Unjudged string

// Why metrics are not judged.
const (
	NeitherBetter Unjudged = "neither-better" // neither direction is better by itself
	RanksOfOne    Unjudged = "ranks-of-one"   // it is measured over all ranks of a side, which captured different ones
	OutOfOrder    Unjudged = "out-of-order"   // engine steps are not in the order of time on both sides
	OtherSource   Unjudged = "other-source"   // it was measured from other things, which the source names
)

// Unjudged is why a metric is shown and not judged, where it is not.
func (c *Comparison) Unjudged() Unjudged {
	switch {
	case c.Metric.Better == run.Neither:
		return NeitherBetter
	case c.Metric.Joint:
		return RanksOfOne
	case c.Shared != nil && c.Shared.ByLoad && c.Metric.DependsOnOrder:
		return OutOfOrder
	}
	return OtherSource
}

// Interval writes an interval with its signs: "−3.1 to +9.4 %".
func Interval(c *Comparison) string { return Ends(c, " to ") }

// Ends writes both ends of an interval, joined.
func Ends(c *Comparison, joint string) string {
	if math.IsNaN(c.Lo) {
		return number.None
	}
	if c.Relative || c.Metric.Unit == "ratio" {
		f := number.PercentFor(c.Estimate, c.Lo, c.Hi)
		return f.Signed(c.Lo) + joint + f.Signed(c.Hi) + percentUnit(c)
	}
	sc := number.ScaleOf(c.Metric.Unit, math.Max(math.Abs(c.Lo), math.Abs(c.Hi)))
	return sc.Signed(c.Lo) + joint + sc.SignedWith(c.Hi) + per(c)
}

// Change writes an effect with its sign and unit.
func Change(c *Comparison, v float64) string {
	if c.Relative || c.Metric.Unit == "ratio" {
		return number.PercentFor(c.Estimate, c.Lo, c.Hi).Signed(v) + percentUnit(c)
	}
	return number.ScaleOf(c.Metric.Unit, v).SignedWith(v) + per(c)
}

// SizeOf writes the size of an effect, without its sign.
func SizeOf(c *Comparison, v float64) string {
	v = math.Abs(v)
	if c.Relative || c.Metric.Unit == "ratio" {
		return number.PercentFor(c.Estimate, c.Lo, c.Hi).Digits(v) + percentUnit(c)
	}
	return number.ScaleOf(c.Metric.Unit, v).With(v) + per(c)
}

// per is what a count is of: "" for what has a unit.
func per(c *Comparison) string {
	if c.Metric.Unit == "1" && c.Key.Metric == run.Tail {
		return " in 100 steps"
	}
	return ""
}

// Amount writes a size of an effect that was set, such as a threshold.
func Amount(c *Comparison, v float64) string {
	switch {
	case c.Relative:
		return number.Setting(v)
	case c.Metric.Unit == "ratio":
		return strings.TrimSuffix(number.Setting(v), "%") + "points"
	}
	return number.ScaleOf(c.Metric.Unit, v).With(v)
}

func percentUnit(c *Comparison) string {
	if c.Relative {
		return number.Space + "%"
	}
	return number.Space + "points"
}
