package verdict

import (
	"cmp"
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
)

// advisory reports whether a gating metric takes no part for want of history: without, the
// false alarms of the drift were simulated to be too many. A change of level inside a run is
// a drift, of the size of the change, and one that most runs of the candidate have and none of
// the baseline is no false alarm where there are enough of both.
func (c *Comparison) advisory() bool {
	return c.Key.Metric == run.Drift && c.History == 0 && !c.levelOfMost()
}

// levelOfMost reports whether most of enough runs of the candidate change their level, and no run
// of the baseline does.
func (c *Comparison) levelOfMost() bool {
	levels := c.Note.Levels
	return min(c.Runs[0], c.Runs[1]) >= EnoughRuns && 2*len(levels) > c.Runs[1] &&
		!slices.ContainsFunc(levels, func(l LevelStart) bool { return l.Side != "candidate" })
}

// SetGate says which of the comparisons gate, and corrects them for being several. It returns the one whose verdict is
// the report's: the first of the gating list that regressed and fails, or else the first that was compared. The mean
// step, which is in parts, may take its place.
func (p *Trial) SetGate(all, parts []Comparison) Comparison {
	var gating []*Comparison
	var mean *Comparison
	for _, name := range p.Policy.Gates() {
		for i := range all {
			c := &all[i]
			if c.Key.Metric == name && c.Key.Part == "" && !c.advisory() {
				c.Gating = p.Policy.LevelOf(name) == policy.LevelFail
				if w := p.Policy.WaiverOf(name); w != nil {
					c.waive(w, p.Step)
				}
				if mean = cmp.Or(mean, p.meanBeside(c, parts)); c.Gating && p.counts(c) {
					gating = append(gating, c)
				}
			}
		}
	}
	p.correct(gating, all, mean)
	p.standBack(gating, mean)
	for i := range all {
		all[i].passWaived()
	}
	if mean != nil {
		mean.passWaived()
	}
	c := p.speaker(all, mean)
	if c.advisory() && !math.IsNaN(c.Estimate) {
		p.proofs[c.Key].needsHistory = true
		p.proofs[c.Key].decide(&c)
	}
	return c
}

// StepShare is the share of alpha that the step time has among gating metrics; the others share the rest equally.
// People ask for the step time; a change of a part that matters changes it too, and equal shares left single pairs no
// power to find +5 % (simulated).
const StepShare = 0.8

// Weights returns the shares of alpha of gating metrics.
func Weights(metrics []string) []float64 {
	out := make([]float64, len(metrics))
	step := slices.Index(metrics, sides.StepTime.Metric)
	for i := range out {
		switch {
		case step < 0 || len(out) == 1:
			out[i] = 1 / float64(len(out))
		case i == step:
			out[i] = StepShare
		default:
			out[i] = (1 - StepShare) / float64(len(out)-1)
		}
	}
	return out
}

// ShareOf returns the share of alpha of one of the gating metrics; 1 of what is none.
func ShareOf(metrics []string, metric string) float64 {
	if at := slices.Index(metrics, metric); at >= 0 {
		return Weights(metrics)[at]
	}
	return 1
}

// correct holds the gating metrics to Holm's rule with their weights: their intervals hold for all of them together,
// and for those of the report's other candidates. What they could have shown, and the runs that would decide, use the
// strictest of its levels, which applies to one metric if nothing else changed.
func (p *Trial) correct(gating []*Comparison, all []Comparison, mean *Comparison) {
	values, metrics := make([]float64, len(gating)), make([]string, len(gating))
	for i, c := range gating {
		values[i], metrics[i] = c.P, c.Key.Metric
		if c.Waiver != nil { // what it lets through is no claim
			values[i] = c.beyondWaiver(p.proofs[c.Key].test)
		}
	}
	shares := Weights(metrics)
	p.family = Family{values, shares}
	together := families(p.family, p.beside)
	held := holmLevels(together, p.Policy.Alpha)
	for i, c := range gating {
		strictest := p.Policy.Alpha * shares[i] / float64(len(together))
		p.holdTo(c, held[i], strictest, together)
		if c.Key == sides.StepTime {
			if host := p.hostStep(all, metrics); host != nil {
				p.holdTo(host, held[i], strictest, together)
			}
			if mean != nil {
				p.holdTo(mean, MeanShare*held[i], MeanShare*strictest, together)
			}
		}
	}
}

// holdTo tests a comparison at the level that it has among others; strictest is the level at which it says how many
// runs would decide.
func (p *Trial) holdTo(c *Comparison, level, strictest float64, together []Family) {
	x := p.proofs[c.Key]
	t := *x.test
	c.setInterval(t, level)
	t.Limits.Alpha = strictest
	c.setShown(t)
	c.setTipping(x, level)
	x.together, x.strictest = together, strictest
	x.decide(c)
}

// setInterval sets the interval of what was tested, with an error of level. No time and no count can fall by more than
// all of it.
func (c *Comparison) setInterval(t Tested, level float64) {
	half := t.HalfWidth(level)
	c.Error = level
	c.Lo, c.Hi = t.back(t.Effect.Estimate-half), t.back(t.Effect.Estimate+half)
	if c.Relative {
		c.Lo, c.Hi = math.Max(c.Lo, -1), math.Max(c.Hi, -1)
	}
	if c.Metric.Unit == "1" {
		c.Lo = math.Max(c.Lo, -c.Base)
	}
	c.Lo, c.Hi = Settled(c.Lo), Settled(c.Hi)
}

// least returns the largest possible fall: no amount falls by more than all of it. What can be negative has no limit.
func (c *Comparison) least() float64 {
	switch {
	case c.Relative:
		return -1
	case c.Metric.Unit == "s" && c.Base > 0 && c.Cand >= 0:
		return -c.Base
	}
	return math.Inf(-1)
}

// Decided reports whether the gate says anything: one that measured nothing never passes.
func (p *Judged) Decided() bool { return WasJudged(&p.Gate) }

// WasJudged reports whether a comparison that speaks for a report says anything.
func WasJudged(c *Comparison) bool {
	switch c.Reason {
	case ReasonSameFiles, ReasonRankCount, ReasonUnclear, ReasonEnvironment, ReasonUnprofiled, ReasonKinds, ReasonNotJudged, ReasonNeedsHistory:
		return false
	}
	return !math.IsNaN(c.Estimate)
}

// counts reports whether a comparison has a p-value that counts.
func (p *Trial) counts(c *Comparison) bool {
	switch c.Reason {
	case ReasonDecided, ReasonNoise, ReasonNeedsRuns, ReasonTooFewSteps, ReasonNoCommonSteps:
		return p.proofs[c.Key].test != nil
	}
	return false
}

// first returns the comparison that speaks for the report.
func first(all []Comparison, gating []string) Comparison {
	var out *Comparison
	// A regression that fails speaks before all else, then what was compared, then
	// what comes first in the list.
	class := func(c *Comparison) int {
		switch {
		case c.Gating && c.Verdict == Regressed:
			return 0
		case WasJudged(c) && !c.advisory():
			return 1
		case c.NotRecorded == [2]Need{}:
			return 2
		}
		return 3
	}
	rank := func(c *Comparison) int { return slices.Index(gating, c.Key.Metric) }
	for i := range all {
		c := &all[i]
		if rank(c) < 0 || c.Key.Part != "" {
			continue
		}
		if out == nil || class(c) < class(out) || class(c) == class(out) && rank(c) < rank(out) {
			out = c
		}
	}
	if out == nil {
		return all[0]
	}
	return *out
}
