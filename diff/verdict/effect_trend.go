package verdict

import (
	"math"

	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
)

// setEffectTrend fills in how the change of the step time moves over the runs, if it is not constant: the sides drift
// apart by more than runs of a job do, by the test of the drift. The line fits the batches of steps by least squares
// (the noise within the runs is measured about it), and is given at the first and at the last step.
func (p *Trial) setEffectTrend(list []Comparison) {
	c, drift := MetricOf(list, sides.StepTime.Metric), MetricOf(list, policy.DriftMetric.Name)
	if c == nil || drift == nil || math.IsNaN(c.WithinLo) && !c.Wanders || !c.LogScale || !p.Plan.Paired {
		return
	}
	if !drift.Differs() || drift.History == 0 && !(drift.P <= SureDrift) {
		return
	}
	if changesLevel(p.Base.Runs) || changesLevel(p.Cand.Runs) { // which is no line
		return
	}
	base, cand, paired := curves(p.Lined)
	t := p.proofs[c.Key].test
	if !paired || t == nil {
		return
	}
	n := len(base[0])
	ratio := make([]float64, n)
	for s := range ratio {
		for _, x := range cand {
			ratio[s] += x[s] / float64(len(cand))
		}
		for _, x := range base {
			ratio[s] -= x[s] / float64(len(base))
		}
	}
	k := stat.Batches(n)
	length := n / k
	slope := stat.Slope(stat.BatchMedians(ratio, k)) / float64(length)
	middle := float64(n-k*length) + float64(float64(k*length-1)/2) // of the steps in batches, the surplus is before them
	c.FirstStep = Settled(t.back(t.Estimate - float64(slope*middle)))
	c.LastStep = Settled(t.back(t.Estimate + float64(slope*(float64(n-1)-middle))))
}
