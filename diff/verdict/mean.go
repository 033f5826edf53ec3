package verdict

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/sides"
)

// A job pays the mean step, and people read the median one: the verdict on the step time is that of
// both. The median keeps its level, and the mean, which is nearly always another measure of the same, has
// a part of it.

// MeanShare is the share of the median's level that the mean has. Simulated, three runs a side that differ by 4 %:
// with all of it 4.3 % of unchanged pairs failed, with half 3.6; it is nearly always wrong where the median is.
const MeanShare = 0.5

// meanBeside returns the comparison of the mean step if it shares the verdict on the step time, given the comparison
// of the median. nil if it does not, since engine steps are compared by load or nothing was tested.
func (p *Trial) meanBeside(step *Comparison, parts []Comparison) *Comparison {
	mean := MetricOf(parts, run.StepTimeMean)
	if step.Key != sides.StepTime || mean == nil || p.Loads != nil || !p.counts(mean) {
		return nil
	}
	of, own := p.proofs[step.Key], p.proofs[mean.Key]
	own.moving, own.disjoint = of.moving, of.disjoint
	own.within = min(mean.Runs[0], mean.Runs[1]) < EnoughRuns && (changesLevel(p.Base.Runs) || changesLevel(p.Cand.Runs))
	mean.Gating = step.Gating
	if step.Waiver != nil {
		mean.waive(step.Waiver, p.Step)
	}
	return mean
}

// PartsFrom reports whether the mean of the step changed by what matters and differently from its median: by more than
// the threshold, and than what runs are taken to differ by. It must hold for the numbers that are shown and for the
// estimates: one odd run of three moves the mean over runs and not their median.
func (c *Comparison) PartsFrom(step *Comparison) bool {
	apart := math.Min(math.Abs(c.Delta/c.Base-step.Delta/step.Base), math.Abs(c.Estimate-step.Estimate))
	if c.Main != nil && step.Main != nil {
		apart = math.Min(apart, math.Abs(c.Main.Own-step.Main.Own))
	}
	return math.Abs(c.Estimate) >= c.Threshold && c.Estimate*c.Delta > 0 && apart > math.Max(c.Threshold, c.Floor)
}

// speaker returns the comparison that speaks for a report: the median of the step if it regressed, else its mean if
// that regressed, else another gating metric that did. If none did, the mean speaks if it changed differently from the
// median (unless both fell and the median surely did), and otherwise the first in the list.
func (p *Trial) speaker(all []Comparison, mean *Comparison) Comparison {
	c := first(all, p.Policy.Gates())
	if p.OnlyResults() || c.Metric.OfResult {
		return p.firstResult(all)
	}
	step := MetricOf(all, sides.StepTime.Metric)
	switch {
	case mean == nil || step == nil || c.Key == sides.StepTime && c.Verdict == Regressed:
	case mean.Gating && mean.Verdict == Regressed, c.Key == sides.StepTime && mean.PartsFrom(step) && !(step.Verdict == Improved && mean.Estimate < 0):
		return *mean
	}
	return c
}

// ofStepItself lists the metrics that gate whatever the step time did: the step time, its mean, and its growth, which
// costs more the longer a job runs.
var ofStepItself = []string{run.StepTime, run.StepTimeMean, run.Drift}

// standBack takes the metrics that nobody named out of the gate if the step takes less time beyond chance: the job
// costs less, and they only say what is left to gain.
func (p *Trial) standBack(gating []*Comparison, mean *Comparison) {
	i := slices.IndexFunc(gating, func(c *Comparison) bool { return c.Key == sides.StepTime })
	if i < 0 {
		return
	}
	step := gating[i]
	worse := step.Verdict == Regressed || mean != nil && (mean.Verdict == Regressed || mean.Estimate > 0 && mean.PartsFrom(step))
	if worse || step.Verdict != Improved && (mean == nil || mean.Verdict != Improved) {
		return
	}
	for _, c := range gating {
		if c.Verdict == Regressed && !c.Metric.OfResult && !slices.Contains(ofStepItself, c.Key.Metric) && !p.Policy.Names(c.Key.Metric) {
			c.Gating, c.Secondary = false, true
		}
	}
}

// hostStep returns the comparison of the host's step time, which is held to the level of the step time: equal numbers
// have one verdict. nil if it has a level of its own, or none.
func (p *Trial) hostStep(all []Comparison, metrics []string) *Comparison {
	host := MetricOf(all, run.HostStepTime)
	if host == nil || slices.Contains(metrics, host.Key.Metric) || !p.counts(host) {
		return nil
	}
	return host
}
