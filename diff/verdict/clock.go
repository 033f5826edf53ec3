package verdict

import (
	"fmt"
	"math"

	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
)

// sameClock is by what share two clocks may differ and count as one. Chosen, not measured:
// samplers give whole MHz, and a device that is not throttled stays within its steps of 15.
const sameClock = 0.01

// Clocks are those at which the devices ran in steps, in Hz: false where a side did not record
// them.
func (p *Judged) Clocks() (base, cand float64, ok bool) {
	c := p.Part(run.Key{Metric: run.GPUClock})
	if c == nil || !(c.Base > 0) || !(c.Cand > 0) {
		return 0, 0, false
	}
	return c.Base, c.Cand, true
}

// OtherClocks reports whether two clocks differ.
func OtherClocks(base, cand float64) bool {
	return math.Abs(math.Log(cand/base)) > math.Log1p(sameClock)
}

// clocks is the difference of the sides' clocks, if there is any.
func (p *Judged) clocks() []Difference {
	base, cand, ok := p.Clocks()
	if !ok || !OtherClocks(base, cand) {
		return nil
	}
	return []Difference{p.difference(policy.FactClock, megahertz(base), megahertz(cand))}
}

// megahertz is a clock as facts of devices are written.
func megahertz(hz float64) string { return fmt.Sprintf("%.0f MHz", hz/1e6) }
