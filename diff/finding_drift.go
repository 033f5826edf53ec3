package diff

import (
	"fmt"
	"math"

	"perfdiff/analyze/run"
	"perfdiff/diff/number"
	"perfdiff/diff/stat"
)

// A run grows or shrinks from the least drift on that matters; what is less is level.
const (
	shrinks = -1
	level   = 0
	grows   = 1
)

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

// driftWords begin the sentence about a change of drift, by what the baseline and what
// the candidate does; of two that do the same it depends on which does more.
var driftWords = map[[2]int]string{
	{level, grows}: "Steps grow over the run in the candidate", {level, shrinks}: "Steps shrink over the run in the candidate",
	{grows, level}: "Steps no longer grow over the run", {shrinks, level}: "Steps no longer shrink over the run",
	{grows, shrinks}: "Steps shrink over the run instead of growing", {shrinks, grows}: "Steps grow over the run instead of shrinking",
}

// driftFinding says that steps grow over a run on one side and not, or less, on
// the other.
func (p *pair) driftFinding(r *Report) []Finding {
	c, step := metricOf(r.Metrics, run.Drift), metricOf(r.Metrics, stepTime.Metric)
	if c == nil || step == nil || !c.changed() || c.History == 0 && !(c.P <= sureDrift) || !(c.Delta >= c.Lo && c.Delta <= c.Hi) {
		return nil // the lines of the sides, of which the sentence speaks, differ by another amount than was tested
	}
	if levelOf(p.base, r.Base.Conduct).most() || levelOf(p.cand, r.Cand.Conduct).most() {
		return nil // a jump is no line: levelFinding speaks of it
	}
	from, to := trendOf(c.Base), trendOf(c.Cand)
	words := driftWords[[2]int{from, to}]
	switch {
	case from == level && to == level:
		return nil
	case from == to && (c.Delta > 0) == (to == grows):
		words = map[int]string{grows: "Steps grow more over the run", shrinks: "Steps shrink more over the run"}[to]
	case from == to:
		words = map[int]string{grows: "Steps grow less over the run", shrinks: "Steps shrink less over the run"}[to]
	}
	sc := step.scale()
	f := KindDrift.finding()
	f.of(c)
	f.tested(c)
	f.Metric, f.Class, f.Section, f.Evidence = run.Drift, "better", "steps", p.ground1(c)
	f.Text = fmt.Sprintf("%s: in the baseline %s, in the candidate %s.", words, p.base.course(step.Base, from, sc), p.cand.course(step.Cand, to, sc))
	switch {
	case from != grows && to != grows:
		f.Class, f.Advice = "look", "One side was still settling: leave out more of its first steps (--skip-first), or record longer."
	case c.Delta > 0:
		f.Class = "worse"
		f.Advice = "See which part grows with the steps (Ranks × steps): input as a page cache fills, compute as a clock falls, gaps as memory fragments."
	}
	return []Finding{f}
}

// course says where the robust line through the step times of a side begins and ends:
// it passes the median in the middle.
func (s *side) course(median float64, trend int, sc number.Scale) string {
	var rises []float64
	for _, r := range s.runs {
		curve, _ := r.curve(stepTime)
		if known := stat.Known(curve); len(known) >= stat.MinDrift {
			rises = append(rises, stat.Drift(known).Value)
		}
	}
	half := float64(stat.Mean(rises) / 2)
	if trend == level || math.IsNaN(half) {
		return "they show no trend (" + sc.With(median) + ")"
	}
	return fmt.Sprintf("from %s to %s", sc.Format(median-half), sc.With(median+half))
}
