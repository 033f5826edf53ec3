package verdict

import (
	"perfdiff/analyze/run"
	"perfdiff/diff/sides"
)

// ReasonContext holds what the reasons of all comparisons of two sides may name: facts about both sides as a whole,
// not about one metric.
type ReasonContext struct {
	Alpha         float64      // the error of an interval, as the policy has it
	SameRecording bool         // where both sides are the same: they are one recording, exported twice
	Paired        bool         // steps are compared one by one
	Passes        bool         // each capture is a step
	ByLoad        bool         // steps of an inference engine are compared by their loads
	Unpaired      Unpaired     // why steps are not compared one by one, where they are not
	Sizes         sides.Sizes  // how the jobs differ in size; zero: they do not
	Doubt         *sides.Doubt // what is not known first; nil: nothing
	Unequal       []Unequal    // what differs and must not
	NotCompared   NotCompared  // why kinds of work are not compared
	HostAhead     bool         // a side's host runs ahead of its device
}

// contextOf returns what the reasons of all comparisons may name.
func contextOf(p *Terms) *ReasonContext {
	out := &ReasonContext{
		Alpha: p.Policy.Alpha, SameRecording: p.SameRecording, Paired: p.Plan.Paired, Passes: sides.OfPasses(p.Base) && sides.OfPasses(p.Cand), ByLoad: p.Loads != nil,
		Unpaired: p.Unpaired(), Sizes: p.Sizes, NotCompared: p.NotCompared,
		HostAhead: hostAhead(p.Lined),
	}
	if len(p.Doubts) > 0 {
		out.Doubt = &p.Doubts[0]
	}
	return out
}

// hostAhead reports whether the host of a side runs ahead of its device.
func hostAhead(p *sides.Lined) bool { return p.Base.HostAhead() || p.Cand.HostAhead() }

// Unjudged is why a metric is shown and not judged.
type Unjudged string

// Why metrics are not judged.
const (
	NeitherBetter Unjudged = "neither-better" // neither direction is better by itself
	RanksOfOne    Unjudged = "ranks-of-one"   // it is measured over all ranks of a side, which captured different ones
	OutOfOrder    Unjudged = "out-of-order"   // engine steps are not in the order of time on both sides
	HostRunsAhead Unjudged = "host-ahead"     // it is the host's, which on a side runs ahead of the device
	AtLeast       Unjudged = "at-least"       // it is at least what it says, on a side by as much more as it changed: see MayBeInput
	OtherSource   Unjudged = "other-source"   // it was measured from other things, which the source names
)

// Unjudged returns why a metric is shown and not judged, where it is not.
func (c *Comparison) Unjudged() Unjudged {
	switch {
	case c.Metric.Better == run.Neither:
		return NeitherBetter
	case c.Context != nil && c.Context.HostAhead && c.Key.Metric == run.HostStepTime:
		return HostRunsAhead
	case c.Metric.Joint:
		return RanksOfOne
	case c.Context != nil && c.Context.ByLoad && c.Metric.DependsOnOrder:
		return OutOfOrder
	case c.MayBeInput != [2]float64{}:
		return AtLeast
	}
	return OtherSource
}
