package verdict

import (
	"math"

	"perfdiff/analyze/run"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
)

// overlapSides returns the share of communication that compute hides, over all steps of a run together: a step with
// little communication counts little.
func overlapSides(p *sides.Lined, key run.Key) (stat.Sides, bool) {
	if key != (run.Key{Metric: run.Overlap}) {
		return stat.Sides{}, false
	}
	base, steps := overlaps(p.Base.Runs)
	cand, n := overlaps(p.Cand.Runs)
	if steps = min(steps, n); steps < sides.MinSteps {
		return stat.Sides{}, false
	}
	return stat.Pooled(base, cand, stat.BatchDF(stat.Batches(steps))), true
}

// overlaps returns the hidden shares of runs; steps is the number of steps with
// communication, of the run with the fewest.
func overlaps(runs []*sides.Run) (scalars []stat.Scalar, steps int) {
	steps = math.MaxInt
	for _, r := range runs {
		share, _ := r.Curve(run.Key{Metric: run.Overlap})
		comm, _ := r.Curve(run.Key{Metric: run.CommTime})
		var hidden, all []float64
		for j := range share {
			if x := share[j] * comm[j]; !math.IsNaN(x) && comm[j] > 0 {
				hidden, all = append(hidden, x), append(all, comm[j])
			}
		}
		if steps = min(steps, len(all)); steps < sides.MinSteps {
			return nil, steps
		}
		scalars = append(scalars, stat.RatioOfSums(hidden, all, stat.Batches(len(all))))
	}
	return scalars, steps
}

// overlaps returns the hidden shares of past runs.
func (h *Past) overlaps() (out []float64) {
	scalars, _ := overlaps(h.Runs())
	for _, s := range scalars {
		out = append(out, s.Value)
	}
	return out
}

func (p *Terms) dispersion() (shapeTest, bool) {
	// Of the curves themselves: less what two runs share they would be each other's
	// mirror image.
	base, cand := LogCurves(p.Base), LogCurves(p.Cand)
	jitter := func(rows [][]float64) (out []float64) {
		for _, x := range rows {
			out = append(out, stat.Jitter(x))
		}
		return out
	}
	steps := float64(timed(p.Lined))
	s := shapeTest{
		sides: stat.Sides{Base: jitter(base), Cand: jitter(cand), Variance: stat.JitterVariance / steps, DF: steps}, floor: dispersionFloor,
		limits: p.limits(run.Dispersion, dispersionLeast).InLogs(), asShown: math.Expm1, relative: true,
	}
	s.base, s.cand = math.Exp(stat.Mean(s.sides.Base)), math.Exp(stat.Mean(s.sides.Cand))
	for _, r := range p.Past.Runs() {
		if x, _ := sides.LogStepTimes(r); len(x) >= dispersionSteps {
			s.past = append(s.past, stat.Jitter(x))
		}
	}
	return s, true
}

func (p *Terms) meanTime() (shapeTest, bool) {
	scalars := func(runs []*sides.Run) (out []stat.Scalar, shown float64) {
		var means []float64
		for _, r := range runs {
			curve, _ := r.Curve(sides.StepTime)
			curve = stat.Known(curve)
			out = append(out, stat.LogMean(curve, stat.Batches(len(curve))))
			means = append(means, stat.Mean(curve))
		}
		return out, stat.Mean(means)
	}
	base, b := scalars(p.Base.Runs)
	cand, c := scalars(p.Cand.Runs)
	past, _ := scalars(p.Past.Runs())
	s := shapeTest{
		sides: stat.Pooled(base, cand, stat.BatchDF(stat.Batches(p.Plan.Steps))), floor: p.FloorFor(p.Plan.Steps), hosts: hostFloor,
		limits: p.limits(run.StepTime, p.Policy.Threshold).InLogs(), asShown: math.Expm1, relative: true, base: b, cand: c,
	}
	for _, x := range past {
		s.past = append(s.past, x.Value)
	}
	return s, true
}
