package sides

import (
	"math"

	"perfdiff/analyze/run"
)

// The device does what the host launches, so over a stretch of steps it takes as long as the host, or
// longer where the host runs ahead. It cannot take less, but for what it was behind at the beginning:
// a clock of the device that runs slower than the host's says so, and every duration is wrong with it.
// The other way round nobody can tell a slow clock from a host that runs ahead.

// slowClocks returns the doubts that the clocks of the sides' devices are right. Nil if both are off by the same
// factor, which leaves the ratio of their times as it is.
func (p *Lined) slowClocks() (all []Doubt) {
	for _, s := range []*Side{p.Base, p.Cand} {
		if d, slow := s.slowClock(); slow && !s.ownEnds() {
			all = append(all, d)
		}
	}
	if len(all) == 2 && math.Abs(all[0].pace()/all[1].pace()-1) <= leastPace {
		return nil
	}
	return all
}

// pace returns the device's time over the host's, of a doubt of the clock.
func (d *Doubt) pace() float64 { return d.Each[0] / d.Each[1] }

// slowClock returns the doubt that times of a side's device are right: on most ranks its steps take less
// time than the same steps of the host, by more than leastPace and what the ends of stretches may be.
func (s *Side) slowClock() (Doubt, bool) {
	for _, r := range s.Runs {
		var of, slow int
		d := Doubt{Kind: DoubtDeviceClock, Side: s.Name}
		for _, k := range r.Ranks {
			if k.OnOneSideOnly || len(k.Receipts) == 0 {
				continue
			}
			of++
			if device, host, less := r.deviceLess(k); less {
				if slow++; slow == 1 {
					d.Each = [2]float64{device, host}
				}
			}
		}
		if 2*slow <= of {
			continue
		}
		d.Count, d.Of = slow, of
		d.nameRun(s, r)
		return d, true
	}
	return Doubt{}, false
}

// HostAhead reports whether the host of a side runs ahead of its device: it takes less time from one step to the next
// than the device, so that its time is the time to issue work and not the time of a step.
func (s *Side) HostAhead() bool {
	return s.Measure(run.Key{Metric: run.HostStepTime}).Mean < (1-leastPace)*s.Measure(StepTime).Mean
}

// deviceLess returns the means, in s, of a rank's steps that have a time on the device and one on the host, and
// whether the device's is less by more than may be, over enough steps.
func (r *Run) deviceLess(k *Rank) (device, host float64, less bool) {
	onHost, onDevice := k.ValuesOf(run.Key{Metric: run.HostStepTime}), k.ValuesOf(StepTime)
	longest := 0.0
	var seen stretches
	for j, number := range r.Used {
		h, d := k.ValueOf(onHost, j), k.ValueOf(onDevice, j)
		if math.IsNaN(h) || math.IsNaN(d) {
			continue
		}
		host, device, longest = host+h, device+d, max(longest, h)
		seen.add(number)
	}
	less = seen.steps >= EnoughSteps && device+seen.mayDiffer(longest, host) < host
	n := float64(seen.steps)
	return device / n, host / n, less
}
