package diff

import (
	"math"

	"perfdiff/analyze/run"
	"perfdiff/diff/stat"
)

// A run grows or shrinks from the least drift on that matters; what is less is level.
const (
	TrendShrinks = -1
	TrendLevel   = 0
	TrendGrows   = 1
)

const shrinks, level, grows = TrendShrinks, TrendLevel, TrendGrows

// Line is how the steps of a side go over its runs: the robust line through their times
// passes the median in the middle.
type Line struct {
	Trend       int     // TrendGrows, TrendShrinks or TrendLevel
	Median      float64 // s
	First, Last float64 // s, where the line begins and ends; NaN of a level one, or not known
}

// sureDrift is the p-value up to which a change of drift is said without past runs: what
// slow noise looks like is not known then, and at 5 % six of 40 made-up pairs with uneven
// input had a drift that was none. Simulated.
const sureDrift = 0.01

func trendOf(drift float64) int {
	switch {
	case drift >= driftLeast:
		return grows
	case drift <= -driftLeast:
		return shrinks
	}
	return level
}

// driftFinding says that steps grow over a run on one side and not, or less, on
// the other.
func (p *Causes) driftFinding() []Finding {
	c, step := metricOf(p.Metrics, run.Drift), metricOf(p.Metrics, stepTime.Metric)
	if c == nil || step == nil || !c.changed() || c.History == 0 && !(c.P <= sureDrift) || !(c.Delta >= c.Lo && c.Delta <= c.Hi) {
		return nil // the lines of the sides, of which the sentence speaks, differ by another amount than was tested
	}
	if levelOf(p.base, p.Conducts[0]).most() || levelOf(p.cand, p.Conducts[1]).most() {
		return nil // a jump is no line: levelFinding speaks of it
	}
	from, to := trendOf(c.Base), trendOf(c.Cand)
	if from == level && to == level {
		return nil
	}
	f := KindDrift.finding()
	f.of(c)
	f.tested(c)
	f.Metric, f.Class, f.Section, f.Evidence = run.Drift, "better", "steps", sampleOf(c)
	f.Lines = &[2]Line{p.base.line(step.Base, from), p.cand.line(step.Cand, to)}
	switch {
	case from != grows && to != grows:
		f.Class, f.Advice.Kind = "look", AdviceSettle
	case c.Delta > 0:
		f.Class, f.Advice.Kind = "worse", AdviceGrowth
	}
	return []Finding{f}
}

// line is where the robust line through the step times of a side begins and ends.
func (s *side) line(median float64, trend int) Line {
	out := Line{Trend: trend, Median: median, First: math.NaN(), Last: math.NaN()}
	var rises []float64
	for _, r := range s.runs {
		curve, _ := r.curve(stepTime)
		if known := stat.Known(curve); len(known) >= stat.MinDrift {
			rises = append(rises, stat.Drift(known).Value)
		}
	}
	if half := float64(stat.Mean(rises) / 2); trend != level {
		out.First, out.Last = median-half, median+half
	}
	return out
}
