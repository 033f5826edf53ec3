package cause

import (
	"cmp"
	"math"
	"slices"
	"sort"

	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// maxFindings is how many sentences a reader takes in.
const maxFindings = 10

// findings are the sentences that say what changed and why: by size of their
// effect on the step; then what goes with it; then compute if it did not change,
// and the gap before a collective that is still there. A finding exists only
// where its evidence does.
func findings(p *Causes) []Finding {
	if p.Identical {
		return nil
	}
	if !p.Decided() {
		return unjudgedFindings(p)
	}
	cause, told := stragglers(p) // says why others wait, and what compute skew would say
	pageable := pageableFindings(p)
	bubble, stages := bubbleFinding(p, cause)
	if stages != nil { // it says why ranks come late
		cause = slices.DeleteFunc(cause, func(f Finding) bool { return f.Kind == policy.KindLateRanks })
	}
	changed := slices.Concat(levelFinding(p), cause, p.SpikeFindings(), kernelFindings(p), collectiveFindings(p), pageable, changedTimes(p, told, stages, pageable))
	if stages != nil {
		changed, bubble = append(changed, bubble...), nil
	}
	for i := range changed {
		besideStep(p, &changed[i])
	}
	sort.SliceStable(changed, func(i, j int) bool {
		a, b := &changed[i], &changed[j]
		return cmp.Compare(math.Abs(b.Effect), math.Abs(a.Effect)) < 0
	})
	causeFirst(changed)
	changed = withWork(changed, otherWorkFinding(p))
	var support []Finding
	if c := verdict.MetricOf(p.Metrics, computeSkew.metric); len(cause) == 0 && c != nil && c.Changed() && math.Abs(c.Delta) >= p.Least() {
		support = append(support, skewFinding(p, c))
	}
	drift := driftFinding(p)
	support = slices.Concat(support, bubble, drift, warmUpFinding(p), callLengthFindings(p, stages != nil))
	if len(drift) == 0 && len(levelFinding(p)) == 0 { // steps on a slope differ from one to the next as well
		support = append(support, jitterFinding(p)...)
	}
	support = slices.Concat(support, unlikeFinding(p), libraryFinding(p))
	for _, s := range besideParts {
		c := verdict.MetricOf(p.Metrics, s.metric)
		if c == nil || !c.Changed() || s.metric == run.Overlap && told != nil && c.Delta*told.wait < 0 { // who waits hides less of it
			continue
		}
		f := changeFinding(p, s, c)
		if s.kind == policy.KindReadThroughput {
			f.Reads = readDetails(p)
		}
		support = append(support, f)
	}
	support = append(support, burstFinding(p, support)...)
	support = append(support, heldFinding(p)...)
	support = append(support, pathFinding(p, changed, support)...)
	support = append(support, oneSided(p)...)
	tail := slices.Concat(mixFinding(p), unchangedCompute(p, len(changed) > 0), gapFinding(p, len(changed)+len(support) > 0))
	room := maxFindings - len(tail)
	out := slices.Concat(changed, support)
	room = min(room, len(out))
	p.FindingsLeftOut = out[room:]
	return append(out[:room:room], tail...)
}

// skewFinding is the finding about the rank that computes longest, where it is not known
// whether others wait for it.
func skewFinding(p *Causes, c *verdict.Comparison) Finding {
	f, s := changeFinding(p, computeSkew, c), p.Cand
	if c.Delta < 0 {
		s = p.Base
	}
	means := means(s, computing)
	top, most := 0, math.Inf(-1)
	for _, n := range sides.SortedKeys(means) {
		if means[n] > most {
			top, most = n, means[n]
		}
	}
	f.Ranks = []int{top}
	longest := ClauseLongest.clause()
	longest.Side, longest.Ranks, longest.Cand, longest.Delta = s.Name, f.Ranks, most, most-median(means)
	f.add(longest)
	if f.addMean(c); f.Class == verdict.ClassWorse {
		f.Advice = Advice{Kind: AdviceLate, Of: computing}
	}
	return f
}

// changedTimes are the findings about parts of the step, the largest first.
// What contains another part that moved as far stands behind it, or has none: it would
// say the same less exactly. So has what the finding about stragglers explains, that about pageable
// copies, and what the bubble of another schedule is made of.
func changedTimes(p *Causes, told *explainedByLate, schedule *verdict.Comparison, pageable []Finding) []Finding {
	against, whole := movedAgainst(p, told)
	against = slices.DeleteFunc(against, func(f Finding) bool {
		c := verdict.MetricOf(p.Parts, f.Metric)
		return c != nil && withinBubble(schedule, c)
	})
	out := slices.Clone(against)
	said := map[string]float64{}
	for _, s := range partsOfStep {
		c := verdict.MetricOf(p.Metrics, s.metric)
		if c == nil || !c.Changed() {
			continue
		}
		if exposed := verdict.MetricOf(p.Metrics, run.ExposedCommTime); s.metric == run.CommTime && exposed != nil && !math.IsNaN(exposed.Delta) {
			continue // what is hidden costs nothing
		}
		if s.metric == run.ExposedMemoryTime && explainCopies(pageable, c) {
			continue
		}
		if s.metric == run.ExposedCommTime && whole || told.explains(c) || s.metric != run.InputWaitTime && s.metric != run.ComputeTime && withinBubble(schedule, c) {
			continue
		}
		if within := said[run.InputWaitTime]; s.metric == run.IdleTime && within*c.Delta > 0 && math.Abs(within) >= math.Abs(c.Delta)/2 {
			continue
		}
		said[s.metric] = c.Delta
		f := changeFinding(p, s, c)
		because := func(why []Clause, advice Advice) {
			if len(why) > 0 {
				f.add(why...)
				f.Advice = advice
			}
		}
		switch s.metric {
		case run.ExposedCommTime:
			why, advice := Arrivals(p, told)
			if len(why) == 0 {
				why, advice = Inseparable(p)
			}
			because(why, advice)
			f.pushed = pushedOut(p, told)
		case run.IdleTime:
			why, advice, reasons := p.IdleWhy(c)
			because(why, advice)
			f.Reasons = reasons
		case run.ComputeTime:
			because(p.ComputeWhy(c))
			f.add(sameWork(p, c)...)
		case run.ExposedMemoryTime:
			because(memoryWhy(p, c))
		case run.InputWaitTime:
			f.Advice = adviceOfIdle("input")
			if idle := idleInput(p, c); idle != nil {
				f.leftIdle(idle)
				said[s.metric] = idle.Delta
				break
			}
			f.add(idleOfInput(p, c)...)
		}
		if s.metric != run.InputWaitTime || f.Effect == c.Delta {
			f.addMean(c)
		}
		if f.Class == verdict.ClassBetter {
			f.Advice = Advice{}
		}
		out = append(out, f)
	}
	return append(out, idleCauses(p, said[run.IdleTime], told)...)
}
