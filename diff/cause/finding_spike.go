package cause

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
	"perfdiff/diff/verdict"
)

// sharedSpikes are the spikes that most runs of both sides have at the same steps.
type sharedSpikes struct {
	places     []int       // of their first steps, among the used ones
	base, cand [][]float64 // s, what each adds, of each run that has them all
}

// What the size of a shared spike must change by, and what it differs by from run to run
// where nothing is known: writing a checkpoint depends on who else writes. Chosen, not
// measured: no history of jobs that write checkpoints was at hand.
const (
	spikeLeast = 0.25
	spikeFloor = 0.10
)

// findSharedSpikes returns the spikes that both sides have at the same steps; none where steps are not paired. A spike
// counts by the step at which it begins.
func findSharedSpikes(p *Causes) (out sharedSpikes) {
	if !p.Plan.Paired {
		return out
	}
	sizes := func(s *sides.Side) (all []map[int]float64) {
		for _, r := range s.Runs {
			curve, _ := r.Curve(sides.StepTime)
			all = append(all, stat.SpikeSizes(curve))
		}
		return all
	}
	base, cand := sizes(p.Base), sizes(p.Cand)
	most := func(all []map[int]float64, j int) bool {
		n := 0
		for _, m := range all {
			if m[j] > 0 {
				n++
			}
		}
		return 2*n > len(all)
	}
	for j := range p.Plan.Steps {
		if most(base, j) && most(cand, j) {
			out.places = append(out.places, j)
		}
	}
	rows := func(all []map[int]float64) (rows [][]float64) {
		for _, m := range all {
			if !slices.ContainsFunc(out.places, func(j int) bool { return !(m[j] > 0) }) {
				row := make([]float64, len(out.places))
				for i, j := range out.places {
					row[i] = m[j]
				}
				rows = append(rows, row)
			}
		}
		return rows
	}
	if len(out.places) > 0 {
		out.base, out.cand = rows(base), rows(cand)
	}
	return out
}

// effect returns by how much a shared spike adds more in the candidate, on logs: the mean over spikes is the scalar of
// a run, and each spike is paired with the other side's at the same step.
func (s *sharedSpikes) effect() stat.Effect {
	logs := func(rows [][]float64) [][]float64 {
		return verdict.Scale{LogScale: true}.Apply(rows)
	}
	base, cand := stat.WithoutShared(logs(s.base), logs(s.cand))
	n := float64(len(s.places))
	scalars := func(rows [][]float64) (out []stat.Scalar) {
		for _, x := range rows {
			mean, sum := stat.Mean(x), 0.0
			for _, v := range x {
				sum += float64((v - mean) * (v - mean))
			}
			out = append(out, stat.Scalar{Value: mean, Variance: sum / math.Max(1, n-1) / n})
		}
		return out
	}
	return stat.Moderated(stat.PooledPaired(scalars(base), scalars(cand), math.Max(1, n-1)), spikeFloor)
}

// spikeRates says what spikes cost a step on average over a side's runs, with the interval of the change, in s. It
// compares what a run has, never the sum over runs or the worst run, so that eight runs can be compared with one.
type spikeRates struct{ base, cand, lo, hi float64 }

func (r *spikeRates) delta() float64 { return r.cand - r.base }

// differ reports whether the runs of one side surely have more spikes, and pay more for them.
func (r *spikeRates) differ() bool { return r.lo > 0 || r.hi < 0 }

// spikeRatesOf counts the spikes of each run as if all were as long as the shortest, as the test of the tail does, and
// scales the interval of the change to their cost: NaN where more of them cost less. Spikes that both sides have at
// the same steps count as well, since both costs include them.
func spikeRatesOf(p *Causes) spikeRates {
	var counts [2][]float64
	var cost [2]float64
	for i, list := range p.Stability {
		side := [2]*sides.Side{p.Base, p.Cand}[i]
		for j, c := range list {
			steps := math.Max(1, float64(len(side.Runs[j].Used)))
			counts[i] = append(counts[i], stat.CountScalar(float64(len(c.Spikes))*float64(p.Plan.Steps)/steps))
			cost[i] += c.Cost / float64(len(list))
		}
	}
	out := spikeRates{base: cost[0], cand: cost[1], lo: math.NaN(), hi: math.NaN()}
	e := stat.Moderated(stat.Sides{Base: counts[0], Cand: counts[1], DF: 1}, math.Sqrt(stat.PoissonVariance))
	if e.Estimate*out.delta() > 0 {
		scale, half := out.delta()/e.Estimate, e.HalfWidth(p.Policy.Alpha)
		out.lo, out.hi = float64(scale*(e.Estimate-half)), float64(scale*(e.Estimate+half))
	}
	return out
}

// SpikeFindings reports whether spikes at the same steps on both sides take another time, or else which side has more
// spikes.
func (p *Causes) SpikeFindings() []Finding {
	s := findSharedSpikes(p)
	if len(s.base) == 0 || len(s.cand) == 0 {
		return spikeFinding(p)
	}
	e := s.effect()
	add := func(rows [][]float64) float64 {
		var all []float64
		for _, row := range rows {
			all = append(all, stat.Mean(row))
		}
		return stat.Mean(all)
	}
	b, c := add(s.base), add(s.cand)
	total := (c - b) * float64(len(s.places)) / float64(p.Plan.Steps)
	half := e.HalfWidth(p.Policy.Alpha)
	sure := math.Abs(e.Estimate) > math.Max(half, math.Log1p(spikeLeast)) && e.Estimate*total > 0
	switch {
	case sure && math.Abs(total) >= p.Least():
		return []Finding{sharedFinding(p, &s, e, b, c, total)}
	case s.allOf(p.Stability[0]) && s.allOf(p.Stability[1]): // and they take as long, for all that is known
		return nil
	}
	return spikeFinding(p)
}

// allOf reports whether runs have no other spikes than the shared ones.
func (s *sharedSpikes) allOf(runs []Stability) bool {
	return !slices.ContainsFunc(runs, func(c Stability) bool { return len(c.Spikes) > len(s.places) })
}

// sharedFinding returns the sentence about spikes that add so much on both sides, and in all so
// much to the mean step of the candidate.
func sharedFinding(p *Causes, s *sharedSpikes, e stat.Effect, base, cand, total float64) Finding {
	of := p.Stability[1][0]
	if total < 0 {
		of = p.Stability[0][0]
	}
	var numbers []int64
	for _, j := range s.places {
		numbers = append(numbers, p.Base.Runs[0].Used[j])
	}
	f := NewFinding(policy.KindSharedSpike)
	f.Metric, f.Class, f.Section, f.Effect, f.Steps = run.Tail, verdict.ClassWorse, "steps", total, numbers
	often := float64(len(s.places)) / float64(p.Plan.Steps)
	f.Base, f.Cand, f.Delta, f.Unit = base*often, cand*often, total, "s"
	f.Spikes = &SpikeDetails{Worst: of, Base: p.Base.Measure(sides.StepTime).Median() + base, Cand: p.Cand.Measure(sides.StepTime).Median() + cand}
	f.Evidence = Evidence{Kind: EvidenceShared, Counts: [2]int{len(s.base), len(s.cand)}}
	of.spikeCause(&f)
	switch {
	case len(s.places) == 1:
		f.Class = verdict.ClassLook // one pair of steps is not enough to be sure
	case total < 0:
		f.Class, f.Advice = verdict.ClassBetter, Advice{}
	}
	// What the test finds is a factor of what each spike adds.
	scale := total / math.Expm1(e.Estimate)
	half := e.HalfWidth(p.Policy.Alpha)
	f.Lo, f.Hi = float64(scale*math.Expm1(e.Estimate-half)), float64(scale*math.Expm1(e.Estimate+half))
	return f
}

// SpikeDetails says more about spikes than what they cost.
type SpikeDetails struct {
	Side  string     `report:"side"`          // the one that it is about; "" of shared spikes
	Worst Stability  `report:"worst"`         // of the run with the worst ones
	Other *Stability `report:"other"`         // of the other side's worst; nil of shared spikes
	Base  float64    `report:"step.baseline"` // s, of shared spikes: what such a step takes
	Cand  float64    `report:"step.candidate"`
}

// spikeCause adds what spikes consist of, and what to do about them.
func (c *Stability) spikeCause(f *Finding) {
	if c.Part != (StepPart{}) {
		part := ClauseSpikePart.clause()
		part.Part = c.Part
		f.add(part)
	}
	if f.Advice.Kind = AdviceSpikes; c.Range != "" {
		f.add(ClauseSpikeRange.clause(c.Range))
		f.Advice = Advice{Kind: AdviceSpikeRange, Name: c.Range}
	}
}
