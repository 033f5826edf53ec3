package cause

import (
	"math"

	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
	"perfdiff/diff/verdict"
)

// A run grows or shrinks from the least drift on that matters; with less it is level.
const (
	TrendShrinks = -1
	TrendLevel   = 0
	TrendGrows   = 1
)

const shrinks, level, grows = TrendShrinks, TrendLevel, TrendGrows

// Line is how the steps of a side go over its runs: the robust line through their times
// passes the median in the middle.
type Line struct {
	Trend  int     `report:"trend"`  // TrendGrows, TrendShrinks or TrendLevel
	Median float64 `report:"median"` // s
	First  float64 `report:"first"`  // s, where the line begins and ends; NaN of a level one, or not known
	Last   float64 `report:"last"`
}

func trendOf(drift float64) int {
	switch {
	case drift >= verdict.DriftLeast:
		return grows
	case drift <= -verdict.DriftLeast:
		return shrinks
	}
	return level
}

// driftFinding says that steps grow over a run on one side and not, or less, on
// the other.
func driftFinding(p *Causes) []Finding {
	c, step := verdict.MetricOf(p.Metrics, run.Drift), verdict.MetricOf(p.Metrics, sides.StepTime.Metric)
	if c == nil || step == nil || !c.Changed() || c.History == 0 && !(c.P <= verdict.SureDrift) || !(c.Delta >= c.Lo && c.Delta <= c.Hi) {
		return nil // the lines of the sides, of which the sentence speaks, differ by another amount than was tested
	}
	if levelOf(p.Base, p.Stability[0]).most() || levelOf(p.Cand, p.Stability[1]).most() {
		return nil // a jump is no line: levelFinding speaks of it
	}
	from, to := trendOf(c.Base), trendOf(c.Cand)
	if from == level && to == level {
		return nil
	}
	f := NewFinding(policy.KindDrift)
	f.of(c)
	f.tested(c)
	f.Metric, f.Class, f.Section, f.Evidence = run.Drift, verdict.ClassBetter, "steps", sampleOf(c)
	f.Lines = &[2]Line{line(p.Base, sides.StepTime, step.Base, from), line(p.Cand, sides.StepTime, step.Cand, to)}
	for i := range f.Lines {
		f.add(trendPart(p, i, &f.Lines[i])...)
	}
	switch {
	case from != grows && to != grows:
		f.Class, f.Advice.Kind = verdict.ClassLook, AdviceSettle
	case c.Delta > 0:
		f.Class, f.Advice.Kind = verdict.ClassWorse, AdviceGrowth
	}
	return []Finding{f}
}

// mostOfTrend is which share of a trend a part of the step must have to be named for it. Chosen, not measured: no two
// parts have more than half.
const mostOfTrend = 0.6

// trendPart says which part of the step most of a side's trend is, as a line through the part's mean.
func trendPart(p *Causes, side int, whole *Line) []Clause {
	s := []*sides.Side{p.Base, p.Cand}[side]
	for i := range p.Waterfall.Parts {
		x := &p.Waterfall.Parts[i].PartChange
		of := line(s, x.Key, []float64{x.Base, x.Cand}[side], whole.Trend)
		if (of.Last-of.First)/(whole.Last-whole.First) >= mostOfTrend {
			c := ClauseTrendPart.fromTo(math.Max(0, of.First), of.Last)
			c.Part, c.Side = x.StepPart, []string{"baseline", "candidate"}[side]
			return []Clause{c}
		}
	}
	return nil
}

// line returns the first and last point of the robust line through a side's times, of steps or of a part of them.
func line(s *sides.Side, of run.Key, median float64, trend int) Line {
	out := Line{Trend: trend, Median: median, First: math.NaN(), Last: math.NaN()}
	var rises []float64
	for _, r := range s.Runs {
		curve, _ := r.Curve(of)
		if known := stat.Known(curve); len(known) >= stat.MinDrift {
			rises = append(rises, stat.Drift(known).Value)
		}
	}
	if half := float64(stat.Mean(rises) / 2); trend != level {
		out.First, out.Last = median-half, median+half
	}
	return out
}
