package cause

import (
	"math"

	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
	"perfdiff/diff/verdict"
)

// Stability describes how a run goes on, apart from its level: its warm-up, its drift and its spikes.
type Stability struct {
	Run        string       `report:"run"`
	WarmUp     int          `report:"warm_up"`      // steps of its own warm-up; all runs lose those of the longest
	WarmUpCost float64      `report:"warm_up_cost"` // s, what they take beyond as many usual steps, in all
	Drift      float64      `report:"drift"`        // rise of the step time from the first to the last step, or from level to level; a fraction, NaN too few
	Level      *LevelChange `report:"level"`        // from one step on the run stands on another level; nil: it does not
	Spikes     []int64      `report:"spikes"`       // numbers of the steps at which spikes begin
	Period     int          `report:"period"`       // steps from spike to spike; 0: they have none
	Excess     float64      `report:"excess"`       // s, what a spike adds to its step, mean
	Cost       float64      `report:"cost"`         // s a step, over all used steps
	Part       StepPart     `report:"part,said"`    // that grows most in spikes; zero: none does
	Range      string       `report:"range"`        // that occurs once for each spike and takes about as long; "" none
}

// conducts returns the stability of each run of a side.
func conducts(p *Causes, s *sides.Side) []Stability {
	var out []Stability
	for _, r := range s.Runs {
		c := Stability{Run: r.Name, WarmUp: r.OwnWarmUp, WarmUpCost: warmUpCost(r), Drift: math.NaN()}
		if x, _ := sides.LogStepTimes(r); len(x) >= stat.MinDrift && p.Loads == nil {
			c.Drift = verdict.Settled(math.Expm1(stat.Rise(x).Value))
		}
		if p.Loads == nil { // a prompt among answers is no other level
			c.Level = levelChange(p, r)
		}
		curve, _ := r.Curve(sides.StepTime)
		if len(curve) >= verdict.TailSteps && p.Loads == nil { // reading a prompt is no spike
			found := stat.Period(curve)
			for _, at := range found.Places {
				c.Spikes = append(c.Spikes, r.Used[at])
			}
			c.Period, c.Excess = found.Period, found.Excess
			c.Cost = found.Excess * float64(len(found.Places)) / float64(len(curve))
			c.Part, c.Range = spikePart(p, r, found.Places), spikeRange(r, len(found.Places), found.Excess)
		}
		out = append(out, c)
	}
	return out
}

// warmUpCost returns how much longer the steps of the warm-up take, in s, than as many median steps of the run.
func warmUpCost(r *sides.Run) float64 {
	curve, _ := r.Curve(sides.StepTime)
	usual, cost := stat.Median(curve), 0.0
	for _, number := range r.Kept[:min(r.OwnWarmUp, len(r.Kept))] {
		var all []float64
		for _, k := range r.Ranks {
			if i, ok := k.StepIndex[number]; ok && !k.OnOneSideOnly {
				if v := k.ValuesOf(sides.StepTime); i < len(v) {
					all = append(all, v[i])
				}
			}
		}
		if more := stat.Median(all) - usual; !math.IsNaN(more) {
			cost += more
		}
	}
	return verdict.Settled(cost)
}

// spikeRange returns the recorded range that occurs as often as there are spikes, on every
// rank that has it, and takes about as long as a spike adds.
func spikeRange(r *sides.Run, spikes int, excess float64) string {
	best, longest := "", 0.0
	times := map[string]float64{}
	for _, k := range r.Ranks {
		for _, x := range k.Stats {
			if x.Table != run.RangeTable || x.Count == 0 {
				continue
			}
			if have, seen := times[x.Name]; x.Count != int64(spikes) || seen && have < 0 {
				times[x.Name] = -1
				continue
			}
			times[x.Name] = math.Max(times[x.Name], float64(x.Total)/1e9/float64(x.Count))
		}
	}
	for _, name := range sides.SortedKeys(times) {
		if mean := times[name]; mean > longest && mean >= excess/2 && mean <= 1.5*excess {
			best, longest = name, mean
		}
	}
	return best
}

// spikePart returns the part of the step that grows most at the places of spikes.
func spikePart(p *Causes, r *sides.Run, places []int) (part StepPart) {
	most := 0.0
	at := map[int]bool{}
	for _, j := range places {
		at[j] = true
	}
	for _, c := range p.stepParts {
		var in, out []float64
		for j, v := range partCurve(r, c.Key) {
			if at[j] {
				in = append(in, v)
			} else {
				out = append(out, v)
			}
		}
		if more := stat.Mean(in) - stat.Median(out); more > most {
			part, most = c.StepPart, more
		}
	}
	return part
}

// spikeFinding makes the finding about spikes that come back on one side and not, or at another
// cost, on the other.
func spikeFinding(p *Causes) []Finding {
	// What all spikes of a side cost counts, whether they come back or not.
	worst := func(list []Stability) (out Stability) {
		for _, c := range list {
			if c.Cost > out.Cost {
				out = c
			}
		}
		return out
	}
	b, c, rates := worst(p.Stability[0]), worst(p.Stability[1]), spikeRatesOf(p)
	delta := rates.delta()
	more := moreSpikes(p, &rates)
	periodic, steps := c, p.Base.UsedSteps()
	if delta < 0 {
		periodic, steps = b, p.Cand.UsedSteps()
	}
	switch {
	case !(math.Abs(delta) >= p.Least()):
		return nil
	case math.Abs(delta) < periodic.Cost/2 && (b.Period == 0 || c.Period == 0 || b.Period == c.Period) && !meanDiffers(p): // the other side has as many
		return nil
	case periodic.Period == 0 && !more && !p.stalled():
		return nil
	case steps < 3*periodic.Period: // and is long enough to show any
		return nil
	}
	f := NewFinding(policy.KindSpike)
	f.Metric, f.Class, f.Section, f.Effect = run.Tail, verdict.ClassWorse, "steps", delta
	f.Base, f.Cand, f.Delta, f.Lo, f.Hi, f.Unit = rates.base, rates.cand, delta, rates.lo, rates.hi, "s"
	x, side, other := c, "candidate", b
	if delta < 0 {
		x, side, other, f.Class = b, "baseline", c, verdict.ClassBetter
	}
	if mean := verdict.MetricOf(p.Parts, run.StepTimeMean); periodic.Period == 0 && !more && !mean.Changed() {
		f.Class = verdict.ClassLook // a stall or two, which may not come back
	}
	f.Steps, f.EachSpike, f.Evidence.Kind = x.Spikes, x.Excess, EvidenceSpikes
	f.Spikes = &SpikeDetails{Side: side, Worst: x, Other: &other}
	if !(other.Cost > 0) {
		f.Spikes.Other = nil
	}
	if x.spikeCause(&f); f.Class == verdict.ClassBetter {
		f.Advice = Advice{}
	}
	f.settle(p)
	return []Finding{f}
}

// meanDiffers reports whether the mean step time moved otherwise than the median one, which then
// has to be explained.
func meanDiffers(r *Causes) bool {
	step := verdict.MetricOf(r.Metrics, sides.StepTime.Metric)
	return step != nil && step.MeanApart.Is()
}

// stalled reports whether steps that stand out make the mean step change otherwise than the median
// one. One stall does from the threshold on, which is a fifth of the time of a step in a run of ten, and
// long before that step is a fifth of its run.
func (p *Causes) stalled() bool {
	mean, step := verdict.MetricOf(p.Parts, run.StepTimeMean), verdict.MetricOf(p.Metrics, sides.StepTime.Metric)
	return mean != nil && step != nil && mean.PartsFrom(step) && p.StallsOf(mean, step) != nil
}

// moreSpikes reports whether spikes that do not come back regularly are more than chance, by the
// test of the tail or by their rates.
func moreSpikes(p *Causes, rates *spikeRates) bool {
	c := verdict.MetricOf(p.Metrics, run.Tail)
	return c != nil && c.Changed() && c.Delta*rates.delta() > 0 || rates.differ()
}

// warmUpFinding makes the finding about a warm-up that became longer or shorter.
func warmUpFinding(p *Causes) []Finding {
	of := func(list []Stability) (steps, cost []float64) {
		for _, c := range list {
			steps, cost = append(steps, float64(c.WarmUp)), append(cost, c.WarmUpCost)
		}
		return steps, cost
	}
	bs, bc := of(p.Stability[0])
	cs, cc := of(p.Stability[1])
	half := stat.Moderated(stat.Sides{Base: bs, Cand: cs, DF: 1}, warmUpFloor).HalfWidth(p.Policy.Alpha)
	b, c, costB, costC := stat.Median(bs), stat.Median(cs), stat.Median(bc), stat.Median(cc)
	if !(math.Abs(c-b) >= leastWarmUp) || !(math.Max(b, c) >= 2*math.Min(b, c)) || !(math.Abs(costC-costB) >= p.Step) {
		return nil
	}
	f := NewFinding(policy.KindWarmUp)
	f.Metric, f.Class, f.Section = run.StepTime, verdict.ClassWorse, "steps"
	f.Base, f.Cand, f.Delta, f.Lo, f.Hi, f.Unit = b, c, c-b, c-b-half, c-b+half, "1"
	f.WarmUp, f.Advice.Kind = &WarmUpCosts{costB, costC}, AdviceWarmUp
	f.Evidence = Evidence{Kind: EvidenceFirst, Counts: [2]int{len(bs), len(cs)}}
	if c < b {
		f.Class, f.Advice = verdict.ClassBetter, Advice{}
	}
	return []Finding{f}
}

// WarmUpCosts says how much longer the warm-ups of either side take than as many usual steps, in s.
type WarmUpCosts struct {
	Base float64 `report:"baseline"`
	Cand float64 `report:"candidate"`
}

// leastWarmUp is by how many steps two warm-ups must differ to be worth a sentence; warmUpFloor is by how many steps
// runs are taken to differ besides what they show. Chosen, not measured: where a warm-up ends is not known to the
// step.
const (
	leastWarmUp = 4
	warmUpFloor = 2
)
