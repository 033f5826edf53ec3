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

// OperatorWork says how the work of a step and its rate differ between the sides, if both recorded the sizes of
// operators' arguments.
type OperatorWork struct {
	Change    float64 `report:"change"`        // of the FLOPs of a step, a fraction
	Other     bool    `report:"other"`         // they are other ones, by as much as matters
	BaseRate  float64 `report:"rate.baseline"` // FLOP/s
	CandRate  float64 `report:"rate.candidate"`
	OtherRate bool    `report:"other_rate"` // which differ by more than what kernels differ by
	// ExplainsStep: at the rate of the baseline most of the change of the step is that of its work.
	ExplainsStep bool `report:"explains_step"`

	effect float64 // s a step, at the rate of the baseline
}

// operatorWork compares the computation of a step on both sides; nil where it is not known for a side.
func operatorWork(p *Causes) *OperatorWork {
	flops, rate := p.Part(run.Key{Metric: run.FLOPs}), p.Part(run.Key{Metric: run.FLOPsRate})
	if flops == nil || rate == nil || flops.NotRecorded != [2]verdict.Need{} || rate.NotRecorded != [2]verdict.Need{} || !(flops.Base > 0 && rate.Base > 0) {
		return nil
	}
	change, sure, ok := ratioOf(p, flops.Key)
	byRate, sureRate, known := ratioOf(p, rate.Key)
	if !ok || !known {
		return nil
	}
	w := &OperatorWork{Change: verdict.Settled(flops.Cand/flops.Base - 1), BaseRate: rate.Base, CandRate: rate.Cand}
	w.Other = sure && math.Abs(change) >= math.Log1p(p.Policy.Threshold) && change*w.Change > 0
	w.OtherRate = sureRate && math.Abs(byRate) >= math.Log1p(LeastChange) && byRate*(rate.Cand-rate.Base) > 0
	w.effect = flops.Delta / rate.Base
	if step := verdict.MetricOf(p.Metrics, sides.StepTime.Metric); w.Other && step != nil && step.Changed() {
		w.ExplainsStep = w.effect*step.Delta > 0 && math.Abs(w.effect) >= halfOf*math.Abs(step.Delta)
	}
	return w
}

// halfOf is the share of a change from which on one thing makes most of it. Chosen, not measured: it is what "mostly"
// means.
const halfOf = 0.5

// ratioOf returns the log of the candidate's value over the baseline's, and whether it is beyond what steps and the
// runs of a side differ by. Whole sizes repeat exactly, so no floor is assumed.
func ratioOf(p *Causes, key run.Key) (change float64, sure, ok bool) {
	base, vb, okB := kernelScalars(p, p.Base, key)
	cand, vc, okC := kernelScalars(p, p.Cand, key)
	if !okB || !okC {
		return 0, false, false
	}
	change = stat.Mean(cand) - stat.Mean(base)
	variance := (vb+between(base))/float64(len(base)) + (vc+between(cand))/float64(len(cand))
	return change, math.Abs(change) > workNoise*math.Sqrt(variance), true
}

// between returns the variance of values, 0 of a single one.
func between(values []float64) float64 {
	if len(values) < 2 {
		return 0
	}
	mean, sum := stat.Mean(values), 0.0
	for _, v := range values {
		sum += float64((v - mean) * (v - mean))
	}
	return sum / float64(len(values)-1)
}

// otherWorkFinding says that the steps of both sides do other work.
func otherWorkFinding(p *Causes) []Finding {
	w := p.Work
	if w == nil || !w.Other {
		return nil
	}
	c := p.Part(run.Key{Metric: run.FLOPs})
	kind := policy.KindWorkShrank
	if w.Change > 0 {
		kind = policy.KindWorkGrew
	}
	f := NewFinding(kind)
	f.of(c)
	f.Metric, f.Class, f.Section, f.Effect = run.FLOPs, verdict.ClassLook, run.SectionKernels, w.effect
	f.Work, f.Evidence, f.Advice.Kind = w, sampleOf(c), AdviceOtherWork
	return []Finding{f}
}

// OtherFLOPs returns how the computation of a step changed, if it does other work by its FLOPs alone; nil where that
// is not known, or the same.
func (p *Causes) OtherFLOPs() *sides.StepWork {
	if p.Work == nil || !p.Work.Other {
		return nil
	}
	c := p.Part(run.Key{Metric: run.FLOPs})
	return &sides.StepWork{Counts: []sides.WorkCount{{Kind: sides.WorkFLOPs, Base: c.Base, Cand: c.Cand}}, Factor: 1 + p.Work.Change, PerUnit: math.NaN()}
}

// withWork puts the finding about other work before the findings that it explains: before compute, or else before the
// first with less effect.
func withWork(changed, work []Finding) []Finding {
	if len(work) == 0 {
		return changed
	}
	at := slices.IndexFunc(changed, func(f Finding) bool {
		return f.Metric == run.ComputeTime || math.Abs(f.Effect) < math.Abs(work[0].Effect)
	})
	if at < 0 {
		at = len(changed)
	}
	return slices.Insert(changed, at, work...)
}

// takes reports whether other work at the same rate explains a change of all kernels by the fraction shift.
func (w *OperatorWork) takes(shift float64) bool {
	return w != nil && w.Other && !w.OtherRate && math.Abs(math.Log1p(shift)-math.Log1p(w.Change)) < math.Log1p(LeastChange)
}

// sameWork says about a change of compute that the work is the same, done at another rate.
func sameWork(p *Causes, c *verdict.Comparison) []Clause {
	w := p.Work
	if w == nil || w.Other || !w.OtherRate || (w.CandRate-w.BaseRate)*c.Delta > 0 {
		return nil
	}
	return []Clause{ClauseSameWork.fromTo(w.BaseRate, w.CandRate)}
}
