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

// test fills in the effect and what follows from it, and in x the evidence for the verdict. kinds holds the kinds of
// paired steps that carry loads, nil for all others.
func (p *Terms) test(c *Comparison, x *proof, base, cand [][]float64, kinds []int) {
	sc := p.scaleFor(c, base, cand)
	c.Relative, c.LogScale = sc.relative, sc.LogScale
	c.Floor, c.Threshold = sc.floor*sc.unit, sc.threshold*sc.unit
	if p.Identical || allZero(base) && allZero(cand) || sameCount(c, base, cand) {
		c.Estimate, c.Lo, c.Hi = 0, 0, 0
		x.equal, x.sameFiles = true, p.Identical
		return
	}
	pair := stat.Unpaired
	if p.Plan.Paired {
		pair = stat.Paired
	}
	base, cand = sc.Apply(base), sc.Apply(cand)
	noise := RunNoise{Past: p.Past.scalars(c.Key, sc), Floor: sc.floor, hosts: sc.hosts}
	if own, means := p.unprofiled.scalars(sc); own != nil && len(noise.Past) < stat.MinHistory && c.Key == sides.StepTime {
		noise.Past, noise.means, c.Unprofiled = own, means, true
	}
	s, ok := overlapSides(p.Lined, c.Key)
	if ok { // what is tested is what is shown, and what its noise is learned from
		noise.Past = p.Past.overlaps()
		c.Base, c.Cand = stat.Mean(s.Base), stat.Mean(s.Cand)
		c.Delta = c.Cand - c.Base
	} else if kinds != nil {
		s = stat.Stratified(base, cand, kinds)
	} else {
		s = pair(base, cand)
	}
	e, between := p.Effect(c, s, noise)
	c.Floor, c.Hosts, c.Spread = c.Floor*sc.unit, c.Hosts*sc.unit, s.Spread()*sc.unit
	c.Estimate = math.Max(sc.back(e.Estimate), c.least())
	if least := c.least(); allZero(cand) && !sc.LogScale && !math.IsInf(least, -1) {
		c.Estimate = least // all of it is gone: a mean of it, divided by its median, is not all
	}
	t := Tested{e, sc.limits, sc.back, func(sd float64) float64 { return sd * sc.unit }}
	c.setInterval(t, sc.limits.Alpha)
	c.setShown(t)
	if !p.Plan.OnePass { // one value a run tells nothing of what is within
		c.setWithin(s, t, p.Policy.Alpha)
	}
	x.test, x.between = &t, between
	c.setTipping(x, sc.limits.Alpha)
	c.Equivalence = sc.back(sc.limits.Equivalence)
	x.moving = !p.Plan.Paired && trending(base, cand, sc.limits.Threshold) || p.Loads.Moving(p.Policy.Threshold)
	x.disjoint = p.Plan.Disjoint
}

// trending reports whether the runs of either side together move over time by as much as a change. Unpaired steps of
// the two sides may come from other places of one trend, which all runs of a side share; if only one run moves, that
// is noise between runs. Too few steps to tell count as a trend.
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
