package cause

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"sort"

	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
	"perfdiff/diff/verdict"
)

// maxFindings is how many sentences a reader takes in.
const maxFindings = 10

// findings returns the sentences that say what changed and why: first by their effect on the step, then what goes with
// it, then compute if it did not change, and the gap before a collective that is still there. There is no finding
// without evidence.
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
	changed := slices.Concat(levelFinding(p), cause, p.SpikeFindings(), kernelFindings(p), collectiveFindings(p), pageable, changedTimes(p, &partsTold{late: told, schedule: stages, pageable: pageable}))
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
	support := slices.Concat(skewFinding(p), otherStepsFinding(p), bubble, driftFinding(p), warmUpFinding(p), callLengthFindings(p, stages != nil),
		jitterFinding(p), unlikeFinding(p), libraryFinding(p))
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
	support = silence(support, changed)
	support = append(support, burstFinding(p, support)...)
	support = append(support, heldFinding(p)...)
	support = append(support, pathFinding(p, changed, support)...)
	support = append(support, oneSided(p)...)
	tail := slices.Concat(mixFinding(p), unchangedCompute(p, len(changed) > 0), gapFinding(p, len(changed)+len(support) > 0))
	room := maxFindings - len(tail)
	out := slices.Concat(changed, support)
	for i := range out {
		out[i].settle(p)
	}
	room = min(room, len(out))
	p.FindingsLeftOut = out[room:]
	out = append(out[:room:room], tail...)
	for i := range out {
		out[i].locate(p)
	}
	return out
}

// silent are kinds that say less than others, which is then left out.
var silent = []struct {
	kind policy.Kind
	by   []policy.Kind
}{
	{policy.KindComputeSkew, []policy.Kind{policy.KindStraggler, policy.KindLateRanks}},
	{policy.KindJitter, []policy.Kind{policy.KindDrift, policy.KindLevelChange}}, // steps on a slope differ from one to the next as well
}

// silence returns a list without the findings that others, of this list or the other, make needless.
func silence(list, others []Finding) []Finding {
	said := map[policy.Kind]bool{}
	for _, f := range slices.Concat(list, others) {
		said[f.Kind] = true
	}
	for _, x := range silent {
		if slices.ContainsFunc(x.by, func(k policy.Kind) bool { return said[k] }) {
			list = slices.DeleteFunc(list, func(f Finding) bool { return f.Kind == x.kind })
		}
	}
	return list
}

// skewFinding returns the finding about the rank that computes longest; it does not say whether others
// wait for it.
func skewFinding(p *Causes) []Finding {
	c := verdict.MetricOf(p.Metrics, computeSkew.metric)
	if c == nil || !c.Changed() || math.Abs(c.Delta) < p.Least() {
		return nil
	}
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
	longest.Side, longest.Ranks, longest.Cand, longest.Delta = s.Name, f.Ranks, most, most-stat.Median(slices.Collect(maps.Values(means)))
	f.add(longest)
	if f.addMean(c); f.Class == verdict.ClassWorse {
		f.Advice = Advice{Kind: AdviceLate, Of: computing}
	}
	return []Finding{f}
}
