package words

import (
	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// besideClock goes on after a change of all kernels with what the sampled clock says about it. nil: it was not
// sampled, and other work is as likely a cause.
func besideClock(c *verdict.ClockPair, devices string) string {
	switch {
	case c == nil:
		return ", as another GPU clock or another amount of work would cause"
	case !c.Differ():
		return ", at the same clock of " + devices + " (" + number.Megahertz.With(c.Cand) + ")"
	}
	return ", while " + clockMoved(c, devices)
}

func clockMoved(c *verdict.ClockPair, devices string) string {
	return "the clock of " + devices + " " + verb(c.Cand-c.Base) + " from " + number.Megahertz.Format(c.Base) + " to " + number.Megahertz.With(c.Cand)
}

const allDevices = "the devices"

// devicesOf names the devices of some ranks.
func devicesOf(ranks []int) string {
	if len(ranks) == 1 {
		return "its device"
	}
	return "their devices"
}

// sampled returns the clocks of the devices as the report has them, nil where it has none.
func sampled(r *diff.Report) *verdict.ClockPair {
	return clocksOf(comparison(r, run.Key{Metric: run.GPUClock}).Base, comparison(r, run.Key{Metric: run.GPUClock}).Cand)
}

// ofClause returns the clocks that a clause holds.
func ofClause(c *cause.Clause) *verdict.ClockPair { return clocksOf(c.Base, c.Cand) }

func clocksOf(base, cand float64) *verdict.ClockPair {
	if !(base > 0) || !(cand > 0) {
		return nil
	}
	return &verdict.ClockPair{Base: base, Cand: cand}
}
