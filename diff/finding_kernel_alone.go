package diff

import (
	"fmt"
	"math"

	"perfdiff/analyze/run"
	"perfdiff/diff/number"
)

// kernelFindings are kernels that changed beyond what the other kernels of the same runs
// differ by, each by as much of the step as matters, where compute as a whole cannot be
// told apart from noise: runs of one job differ in all kernels alike, as by a clock, so
// that the others say what chance does. They are for the eye; by policy they fail
// (slower-kernel).
func (p *pair) kernelFindings(r *Report) (out []Finding) {
	c := metricOf(r.Metrics, run.ComputeTime)
	if c == nil || c.changed() || p.untold.why != "" || p.cancelling(r, c) != "" {
		return nil
	}
	for i := range r.Kernels { // the largest change first
		k := &r.Kernels[i]
		if math.Abs(k.Delta) < p.least() || len(out) == mostParts {
			break
		}
		if !k.Beyond || k.Class != classCompute || k.Others > 0 {
			continue
		}
		f := KindKernelAlone.finding()
		f.Metric, f.Part, f.Class, f.Section, f.Effect = run.ComputeTime, k.Name, "look", "kernels", k.Delta
		f.Base, f.Cand, f.Delta, f.Unit = k.BaseTime, k.CandTime, k.Delta, "s"
		f.Text = "A kernel changed beyond what the others differ by: " + kernelWords(k) + "."
		f.Evidence, f.Advice = p.ground1(c)+p.besideKernel(r), kernelAdvice
		out = append(out, f)
	}
	return out
}

// besideKernel says what most kernels did.
func (p *pair) besideKernel(r *Report) string {
	if math.IsNaN(r.KernelShift) {
		return ""
	}
	return fmt.Sprintf("; most kernels changed by %s", number.PercentFor(r.KernelShift, 0, 0).Signed(r.KernelShift)+number.Space+"%")
}
