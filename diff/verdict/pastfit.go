package verdict

import (
	"math"
	"slices"

	"perfdiff/analyze/trace"
	"perfdiff/diff/sides"
)

// fit returns the runs of the baseline and the runs of a history that fit its steps, in order.
func (l *CurrentLevel) fit(p *sides.Lined, h *Past) (members []LevelRun) {
	for _, r := range h.Side.Runs {
		if why := unfit(p, r); why.Is() {
			l.leave(r.Name, why)
			continue
		}
		members = append(members, LevelRun{Run: r, at: r.Name})
	}
	if l.given != nil {
		at := l.nameOfBaseline()
		for _, r := range p.Base.Runs {
			members = append(members, LevelRun{Run: r, given: true, at: at})
		}
	}
	slices.SortStableFunc(members, h.before)
	return members
}

// unfit returns why a past run cannot be used together with the baseline; none: it can.
func unfit(p *sides.Lined, r *sides.Run) LeftOut {
	first := p.Base.Runs[0]
	has := 0
	for _, n := range first.Used {
		if _, ok := slices.BinarySearch(r.Kept, n); ok && n >= settled(r) {
			has++
		}
	}
	if float64(has) < mostSteps*float64(len(first.Used)) {
		return LeftOut{Kind: FewOfSteps, Have: has, Need: len(first.Used)}
	}
	if own, here := factsOf(r, trace.FactDriver), factsOf(first, trace.FactDriver); own != "" && here != "" && own != here {
		return LeftOut{Kind: OtherDriver, Then: []string{own}, Now: []string{here}}
	}
	if share, known := kernelsOf(r, slices.Concat(p.Base.Runs, p.Cand.Runs)); known && share < leastKernels {
		return LeftOut{Kind: OtherKernels, Size: share}
	}
	return LeftOut{}
}

// Fits reports whether a past run may stand in a baseline beside others: it is no other job, and not cut short.
func Fits(p *sides.Lined, r *sides.Run) bool {
	if len(p.Base.Runs) == 0 {
		return true
	}
	why := unfit(p, r)
	return !why.Is() || why.Kind == OtherDriver
}

// mostSteps is the share of a pair's steps that a past run must have to be used together with the baseline: only steps
// that all runs have are compared. Chosen, not measured: a run that was cut short may lose a quarter.
const mostSteps = 0.75

// leastKernels is the share of a past run's kernel time that kernels of the pair must
// have: names change with compilers and libraries, and another model has others
// altogether. Chosen, not measured: half of a model is not another one.
const leastKernels = 0.5

// kernelsOf returns the share of a run's kernel time that kernels have which any of the others
// runs as well; not known where either side's were not recorded.
func kernelsOf(r *sides.Run, others []*sides.Run) (share float64, known bool) {
	here := map[string]bool{}
	for _, o := range others {
		for _, k := range o.Ranks {
			for _, w := range k.Work {
				here[w.Kernel] = true
			}
		}
	}
	all, common := int64(0), int64(0)
	for _, k := range r.Ranks {
		for _, w := range k.Work {
			if all += w.Time; here[w.Kernel] {
				common += w.Time
			}
		}
	}
	if all == 0 || len(here) == 0 {
		return 0, false
	}
	return float64(common) / float64(all), true
}

// settled returns the number of the first step after the run's own warm-up.
func settled(r *sides.Run) int64 {
	steps := slices.Concat(r.WarmUpSteps, r.Used)
	if r.OwnWarmUp >= len(steps) {
		return math.MaxInt64
	}
	return steps[r.OwnWarmUp]
}

// factsOf returns the values of a fact over the ranks of a run.
func factsOf(r *sides.Run, key string) string {
	var values []string
	for _, k := range r.Ranks {
		values = append(values, k.Fact(key))
	}
	return sides.List(values)
}
