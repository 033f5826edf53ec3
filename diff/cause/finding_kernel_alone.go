package cause

import (
	"math"

	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
)

// kernelFindings returns kernels that changed by more than the other kernels of the same runs differ, each by as much
// of the step as matters, where compute as a whole cannot be told apart from noise. Runs of one job differ in all
// kernels alike, as by a clock, so the others show what chance does. These findings are for the eye; they fail a gate
// only by policy (slower-kernel).
func kernelFindings(p *Causes) (out []Finding) {
	c := verdict.MetricOf(p.Metrics, run.ComputeTime)
	if c == nil || c.Changed() || !p.NotCompared.Known() || p.Cancelling(c) != nil {
		return nil
	}
	for i := range p.Kernels { // the largest change first
		k := &p.Kernels[i]
		if math.Abs(k.Delta) < p.Least() || len(out) == mostParts {
			break
		}
		if !k.BeyondNoise || k.Class != classCompute || k.Others > 0 {
			continue
		}
		f := NewFinding(policy.KindKernelAlone)
		f.Metric, f.Part, f.Class, f.Section, f.Effect = run.ComputeTime, k.Name, verdict.ClassLook, "kernels", k.Delta
		f.Base, f.Cand, f.Delta, f.Unit = k.BaseTime, k.CandTime, k.Delta, "s"
		f.Kernel, f.Advice = k, Advice{Kind: AdviceKernel}
		f.Evidence = Evidence{Kind: EvidenceKernels, Of: c.Key}
		out = append(out, f)
	}
	return out
}
