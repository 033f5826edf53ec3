package verdict

import (
	"math"

	"perfdiff/analyze/run"
	"perfdiff/diff/sides"
)

// partFloor is what runs of a job are taken to differ by in a part of the step, a standard deviation, where no history
// tells: the larger of a share of the part and a share of the step. How much a part matters is a separate question,
// answered by its share of the step: one number for both made intervals of parts two to seven times too wide
// (simulated).
type partFloor struct{ Own, step float64 }

// The floors of parts where a whole step differs by standardFloor; where the policy or
// few steps say that it differs by more, so do its parts. The floor of the step was
// simulated: with 1 % an unchanged single pair whose runs differ by 2 % regressed in
// 9.7 %, with 1.5 % in 2.2 % (with four degrees of freedom; golden/rates.txt has
// today's). Those of parts were chosen, not measured: how unlike they are from job to job
// is not known, and golden/rates.txt has how often parts alone fail.
const StandardFloor = 0.015

var PartFloors = map[run.NoiseKind]partFloor{
	run.NoiseOfWork:   {0.015, 0},
	run.NoiseOfLinks:  {0.05, 0.003},
	run.NoiseOfTiming: {0.20, 0.003},
}

// memoryFloor is what runs of a job are taken to differ by in the memory that they hold, a standard deviation as a
// fraction, however few their steps are. Simulated, with an allocator that caches, splits and joins blocks
// (TestMemoryRates): runs that ask in one order do not differ, and runs that give back at other times differ by 0.1 to
// 0.5 % in allocated and by 0.2 to 1.2 % in reserved memory.
const memoryFloor = 0.01

// NoiseKindOf returns the kind of noise of a part of the step, which can be one that only the waterfall has.
func (p *Terms) NoiseKindOf(metric string) run.NoiseKind {
	if metric == BusyTime.Metric {
		return run.NoiseOfWork
	}
	for _, s := range []*sides.Side{p.Base, p.Cand} {
		for i := range s.Set.Metrics {
			if m := &s.Set.Metrics[i]; m.Name == metric {
				return m.Noise
			}
		}
	}
	return run.NoiseOfTiming
}

// sideNoise returns the standard deviation assumed for a part that takes part seconds of a step of step seconds on one
// side, with so many steps. No part is taken to differ by more than the whole step.
func (p *Terms) sideNoise(of run.NoiseKind, part, step float64, steps int) float64 {
	f := PartFloors[of]
	return p.FloorFor(steps) * math.Min(step, math.Max(f.Own*math.Abs(part), f.step*step)/StandardFloor)
}

// PartNoise returns the noise of a part for both sides: the root mean square of each side's.
func (p *Terms) PartNoise(of run.NoiseKind, base, cand, step float64, steps int) float64 {
	return math.Hypot(p.sideNoise(of, base, step, steps), p.sideNoise(of, cand, step, steps)) / math.Sqrt2
}

// logFloor returns the noise of a part for the logs of both sides, or whole for what is no part of the step: what is
// much for a small side is little for a large one.
func (p *Terms) logFloor(c *Comparison, whole float64) float64 {
	if !ofStep(c) || !(p.Step > 0) {
		return whole
	}
	of := func(part float64) float64 { return p.sideNoise(c.Metric.Noise, part, p.Step, c.StepsUsed) / part }
	return math.Hypot(of(c.Base), of(c.Cand)) / math.Sqrt2
}

// mostLog is from how much noise on, of logs, a ratio says nothing: a side is next to
// nothing, and what changed is tested as a difference. Chosen, not measured: from a
// quarter on, a log and a share are two numbers.
const mostLog = 0.25

// FloorFor returns the deviation between runs that is assumed for a time, a fraction, with so many steps.
func (p *Terms) FloorFor(steps int) float64 {
	if steps < sides.EnoughSteps {
		return p.Policy.FewFloor
	}
	return p.stepFloor()
}
