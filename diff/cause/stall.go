package cause

import (
	"math"

	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
	"perfdiff/diff/verdict"
)

// Stalls are the steps that make the mean of a side another one than its median: each takes far
// longer than its neighbours.
type Stalls struct {
	Side    string `report:"side"`  // that has them, "baseline" or "candidate"
	Steps   int    `report:"steps"` // how many, in all runs
	Runs    int    `report:"runs"`  // runs that have any, of OfRuns
	OfRuns  int    `report:"of_runs"`
	Period  int    `report:"period"` // steps from one to the next in the run of the longest; 0: they come without one
	Longest `report:"longest"`
}

// Longest is the longest stall.
type Longest struct {
	Run   string  `report:"run"`
	Step  int64   `report:"step"`
	Time  float64 `report:"time"`  // s
	Usual float64 `report:"usual"` // s, the median step of its run
	// Gap is the longest in which nothing ran on a device in that step, where that makes most of
	// what the step takes beyond the usual; nil: none does, or it is not recorded.
	Gap *LongGap `report:"gap"`
}

// StallsOf returns the stalls if they explain most of what the mean step changed by, and of what it changed by beyond
// the median; nil if they do not.
func (p *Causes) StallsOf(mean, step *verdict.Comparison) *Stalls {
	more := mean.Delta - step.Delta
	s := p.Cand
	if more < 0 {
		s = p.Base
	}
	out, cost := stallsIn(s)
	if out.Steps == 0 || more*mean.Delta < 0 || cost < mostOf*max(math.Abs(more), math.Abs(mean.Delta)) {
		return nil
	}
	return out
}

// stallsIn returns the stalls of a side, and how much longer than the usual step they take, in s a step, as the mean
// over its runs.
func stallsIn(s *sides.Side) (*Stalls, float64) {
	out, cost := &Stalls{Side: s.Name, OfRuns: len(s.Runs)}, 0.0
	for _, r := range s.Runs {
		curve, _ := r.Curve(sides.StepTime)
		usual, had := stat.Median(stat.Known(curve)), out.Steps
		for j, is := range stat.Spikes(curve) {
			if !is {
				continue
			}
			cost += (curve[j] - usual) / float64(len(curve)*len(s.Runs))
			if out.Steps++; curve[j] > out.Time {
				out.Longest, out.Period = Longest{r.Name, r.Used[j], curve[j], usual, nil}, stat.Period(curve).Period
				out.Gap = gapOf(r, r.Used[j], curve[j]-usual)
			}
		}
		if out.Steps > had {
			out.Runs++
		}
	}
	return out, cost
}

// gapOf returns the longest gap of a step on any rank, if it makes up most of the time more, in s; nil if none does.
func gapOf(r *sides.Run, step int64, more float64) (out *LongGap) {
	for _, k := range capturingRanks(r) {
		for _, g := range k.Longest {
			if g.Step == step && float64(g.Length)*1e-9 >= mostOf*more && (out == nil || g.Length > out.Length) {
				gap := longGap(k, g)
				out = &gap
			}
		}
	}
	return out
}

// During names what the host did in most of the gap, as the parts of idle_time are called; "" where no one thing
// filled it.
func (g *LongGap) During() string {
	for _, c := range g.Causes {
		if float64(c.Time) >= mostOf*float64(g.Length) {
			return c.Name
		}
	}
	return ""
}
