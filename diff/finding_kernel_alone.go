package diff

import (
	"fmt"
	"math"

	"perfdiff/diff/number"
)

// kernelFindings are kernels that changed beyond what the other kernels of the same runs
// differ by, each by as much of the step as matters, where compute as a whole cannot be
// told apart from noise: runs of one job differ in all kernels alike, as by a clock, so
// that the others say what chance does. They are for the eye; by policy they fail
// (slower-kernel).
func (p *pair) kernelFindings(r *Report) (out []Finding) {
	c := metricOf(r.Metrics, "compute_time")
	if c == nil || c.changed() || p.cancelling(r, c) != "" {
		return nil
	}
	for _, x := range p.computeParts(r) {
		if !x.sure || math.Abs(x.delta) < p.least() || len(out) == mostParts {
			break
		}
		sc := number.ScaleOf("s", x.delta)
		out = append(out, Finding{
			Metric: "compute_time", Number: sc.Signed(x.delta), Unit: sc.Name, Class: "look", Section: "kernels", Effect: x.delta,
			Text:     "A kernel changed beyond what the others differ by: " + x.words + ".",
			Evidence: p.ground1(c) + p.besideKernel(r), Advice: x.advice,
		})
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
