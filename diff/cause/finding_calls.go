package cause

import (
	"math"

	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
	"perfdiff/diff/verdict"
)

// How much the calls of a collective differ from each other is told by two numbers: the width of their middle half, on
// which single calls have no influence, and how many are long. Both are tested over runs, as jitter and tail of steps
// are. Calls of one step share much and count once, so there are as many samples as steps.
//
// callFloor is what runs of one job differ by in the width, as a fraction, and callOften by how often a call is long,
// besides chance; a call is long from longCall medians on, and leastLong is the change in long calls in a hundred
// steps that matters. Chosen, not measured: unchanged pairs were simulated with them (TestCallRates), whose runs
// differ by as much and by twice as much; a call holds the wait for the last rank, so that twice its median is near
// what a late rank makes of it.
const (
	callFloor = 0.10
	longCall  = 2.0
	leastLong = 5.0
	callOften = 0.30
)

// CallLengths describes the calls of one collective on one side: medians over ranks, means over runs.
type CallLengths struct {
	Median    float64 `report:"median"` // s
	P95       float64 `report:"p95"`
	Deviation float64 `report:"standard_deviation"`
	Long      float64 `report:"long"` // calls that are long, in 100 steps
}

// callSample is a collective in the runs of one side.
type callSample struct {
	widths  []float64 // by run: log of the middle half's width, in ns
	long    []float64 // by run: long calls in 100 steps
	lengths CallLengths
	steps   float64 // the fewest of a run
	perStep float64
}

// callLengthFindings returns the collectives whose calls differ more or less from each other than before, or have
// another number of long ones. Calls between single ranks are left out if the stages of a pipeline have another
// schedule: they differ as their messages do.
func callLengthFindings(p *Causes, otherSchedule bool) (out []Finding) {
	if !p.NotCompared.Known() {
		return nil
	}
	names := collectivesOf(p.Base, p.Cand)
	for _, name := range names {
		if otherSchedule && name == "SendRecv" {
			continue
		}
		base, ok := callSampleOf(p.Base, name)
		cand, too := callSampleOf(p.Cand, name)
		if !ok || !too || min(base.steps, cand.steps) < verdict.TailSteps/2 {
			continue
		}
		sure := sureJitter / float64(len(names))
		switch {
		case otherSpread(p, &base, &cand, sure):
			out = append(out, lengthFinding(policy.KindCollectiveSpread, name, base.lengths, cand.lengths))
		case min(base.steps, cand.steps) >= verdict.TailSteps && otherTail(&base, &cand, sure):
			out = append(out, lengthFinding(policy.KindCollectiveTail, name, base.lengths, cand.lengths))
		}
	}
	return out[:min(len(out), mostParts)]
}

func lengthFinding(kind policy.Kind, collective string, base, cand CallLengths) Finding {
	f := NewFinding(kind)
	f.Metric, f.Part, f.Class, f.Section = run.CollectiveDuration, collective, verdict.ClassLook, "distribution"
	f.Base, f.Cand, f.Unit = base.Deviation, cand.Deviation, "s"
	if kind == policy.KindCollectiveTail {
		f.Base, f.Cand, f.Unit = base.Long, cand.Long, "1"
	}
	f.Delta, f.Calls, f.Evidence = f.Cand-f.Base, &[2]CallLengths{base, cand}, Evidence{Kind: EvidenceRuns}
	if f.Delta > 0 {
		f.Advice.Kind = AdviceCallLengths
	}
	return f
}

// collectivesOf returns the collectives for which any rank keeps calls, by name.
func collectivesOf(both ...*sides.Side) []string {
	all := map[string]bool{}
	for _, s := range both {
		for _, r := range s.Runs {
			for _, k := range r.Ranks {
				for i := range k.Calls {
					all[k.Calls[i].Name] = true
				}
			}
		}
	}
	return sides.SortedKeys(all)
}

// callSampleOf measures a collective; not ok where a run has no rank with enough calls.
func callSampleOf(s *sides.Side, collective string) (out callSample, ok bool) {
	out.steps = math.Inf(1)
	for _, r := range s.Runs {
		var widths, long, perStep, steps, median, p95, deviation []float64
		for _, k := range r.Ranks {
			c := callsOn(k.Rank, collective)
			kept := float64(len(k.Kept()))
			if c == nil || k.OnOneSideOnly || kept == 0 || c.Count < leastCalls || c.Median <= 0 {
				continue
			}
			width := math.Max(float64(c.Quartiles[1]-c.Quartiles[0]), 1e-3*float64(c.Median))
			each := math.Max(1, float64(c.Count)/kept)
			widths, perStep, steps = append(widths, math.Log(width)), append(perStep, each), append(steps, math.Min(kept, float64(c.Count)))
			long = append(long, float64(longCalls(c))/each)
			median, p95 = append(median, float64(c.Median)*1e-9), append(p95, float64(c.Quantile(0.95))*1e-9)
			deviation = append(deviation, math.Sqrt(c.Squares/math.Max(1, float64(c.Count-1))))
		}
		if len(widths) == 0 {
			return out, false
		}
		n := float64(len(s.Runs))
		out.steps, out.perStep = math.Min(out.steps, stat.Median(steps)), out.perStep+float64(stat.Median(perStep)/n)
		out.widths, out.long = append(out.widths, stat.Median(widths)), append(out.long, 100*stat.Median(long)/stat.Median(steps))
		l := &out.lengths
		l.Median, l.P95 = l.Median+float64(stat.Median(median)/n), l.P95+float64(stat.Median(p95)/n)
		l.Deviation = l.Deviation + float64(stat.Median(deviation)/n)
	}
	out.lengths.Long = stat.Mean(out.long)
	return out, len(s.Runs) > 0
}

func callsOn(k *run.Rank, collective string) *run.Calls {
	for i := range k.Calls {
		if k.Calls[i].Name == collective {
			return &k.Calls[i]
		}
	}
	return nil
}

// longCalls returns how many calls take longCall medians or more.
func longCalls(c *run.Calls) (n int64) {
	for i, bin := range c.Bins {
		if run.CallLength(bin) >= float64(longCall*float64(c.Median)) {
			n += c.Counts[i]
		}
	}
	return n
}

// otherSpread reports whether calls surely differ more, or less: in the middle half and over
// all, by enough to look for, and by what matters of a step.
func otherSpread(p *Causes, base, cand *callSample, sure float64) bool {
	b, c := base.lengths.Deviation, cand.lengths.Deviation
	if !(math.Abs(c-b)*math.Max(base.perStep, cand.perStep) >= p.Least()) || !(math.Max(b, c) >= jitterRatio*math.Min(b, c)) {
		return false
	}
	steps := math.Min(base.steps, cand.steps)
	e := stat.Moderated(stat.Sides{Base: base.widths, Cand: cand.widths, Variance: stat.JitterVariance / steps, DF: steps}, callFloor)
	return e.P() <= sure && math.Abs(e.Estimate) >= math.Log(jitterRatio) && (e.Estimate > 0) == (c > b)
}

// otherTail reports whether surely more, or fewer, calls are long.
func otherTail(base, cand *callSample, sure float64) bool {
	if math.Abs(cand.lengths.Long-base.lengths.Long) < leastLong {
		return false
	}
	// As if all runs were as long as the shortest, see the tail of steps.
	steps := math.Min(base.steps, cand.steps)
	counts := func(long []float64) (out []float64) {
		for _, n := range long {
			out = append(out, stat.CountScalar(n*steps/100))
		}
		return out
	}
	// What is not chance grows with the number: by the root of it, that is callOften of a quarter. Chance itself is known.
	mean := (base.lengths.Long + cand.lengths.Long) / 2 * steps / 100
	floor := math.Sqrt(stat.PoissonVariance*mean) * callOften
	e := stat.Moderated(stat.Sides{Base: counts(base.long), Cand: counts(cand.long), Variance: stat.PoissonVariance, DF: math.Inf(1)}, floor)
	return e.P() <= sure
}
