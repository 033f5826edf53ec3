package verdict

import (
	"math"

	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
)

// Tested is an effect, on the scale of the test, with the limits that decided on it.
type Tested struct {
	stat.Effect
	stat.Limits
	back      func(float64) float64 // from the scale of the test to that shown
	deviation func(float64) float64 // the same of a deviation between runs
}

// test fills in the effect and what follows from it. kinds are those of paired steps
// that carry loads, nil of all others.
func (p *Judged) test(c *Comparison, base, cand [][]float64, kinds []int) {
	sc := p.scaleFor(c, base, cand)
	c.Relative, c.LogScale = sc.relative, sc.LogScale
	c.Floor, c.Threshold = sc.floor*sc.unit, sc.threshold*sc.unit
	if p.Identical || allZero(base) && allZero(cand) || sameCount(c, base, cand) {
		c.Estimate, c.Lo, c.Hi = 0, 0, 0
		c.Verdict, c.Reason = Unchanged, ReasonDecided
		if p.Identical { // nothing was measured twice, so that nothing is known to be equal
			c.Verdict, c.Reason = Inconclusive, ReasonSameFiles
		}
		return
	}
	pair := stat.Unpaired
	if p.Plan.Paired {
		pair = stat.Paired
	}
	base, cand = sc.Apply(base), sc.Apply(cand)
	past := p.Past.scalars(c.Key, sc)
	if own := p.unprofiled.scalars(sc); own != nil && len(past) < stat.MinHistory && c.Key == sides.StepTime {
		past, c.Unprofiled = own, true
	}
	s, ok := p.overlapSides(c.Key)
	if ok { // what is tested is what is shown, and what its noise is learned from
		past = p.Past.overlaps()
		c.Base, c.Cand = stat.Mean(s.Base), stat.Mean(s.Cand)
		c.Delta = c.Cand - c.Base
	} else if kinds != nil {
		s = stat.Stratified(base, cand, kinds)
	} else {
		s = pair(base, cand)
	}
	e := p.Effect(c, s, past, sc.floor, 0)
	c.Floor *= sc.unit
	if c.Estimate = sc.back(e.Estimate); sc.relative {
		c.Estimate = math.Max(c.Estimate, -1)
	}
	t := Tested{e, sc.limits, sc.back, func(sd float64) float64 { return sd * sc.unit }}
	c.setInterval(t, sc.limits.Alpha)
	c.setShown(t)
	c.setWithin(s, t, p.Policy.Alpha)
	p.setTipping(c, t, sc.limits.Alpha)
	c.Equivalence = sc.back(sc.limits.Equivalence)
	p.Decide(c, t)
	moving := !p.Plan.Paired && trending(base, cand, sc.limits.Threshold) || p.Loads.Moving(p.Policy.Threshold)
	p.movingSteps(c, moving)
	if moving && (c.Verdict != Inconclusive || p.Plan.Disjoint && c.Reason != ReasonTooFewSteps) {
		c.Verdict, c.Reason, c.RunsNeeded = Inconclusive, ReasonNoCommonSteps, 0
	}
}

// trending reports whether the runs of either side together change over time by what would
// be a change. Where steps are not paired the sides may stand at other places of one trend,
// which all runs of a side have; what one run alone does is noise between runs. Too few
// steps to tell count as a trend.
func trending(base, cand [][]float64, threshold float64) bool {
	for _, rows := range [][][]float64{base, cand} {
		sum := 0.0
		for _, x := range rows {
			if len(x) < stat.MinDrift {
				return true
			}
			sum += stat.Drift(x).Value
		}
		if !(math.Abs(sum/float64(len(rows))) < threshold) {
			return true
		}
	}
	return false
}
