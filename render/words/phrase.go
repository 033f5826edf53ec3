package words

import (
	"fmt"
	"math"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// The sides as sentences name them.
const (
	baseline  = "baseline"
	candidate = "candidate"
)

func otherSide(side string) string {
	if side == baseline {
		return candidate
	}
	return baseline
}

// comparison is that of a metric or a part; an empty one where the report has none.
func comparison(r *diff.Report, key run.Key) *verdict.Comparison {
	if c := r.Comparison(key); c != nil {
		return c
	}
	return &verdict.Comparison{}
}

// scaleOf is what both values of a comparison are written in.
func scaleOf(c *verdict.Comparison) number.Scale {
	return number.ScaleOf(c.Metric.Unit, math.Max(math.Abs(c.Base), math.Abs(c.Cand)))
}

// fromTo writes both values: "from 52.9 to 18.4 ms".
func fromTo(f *cause.Finding, sc number.Scale) string {
	return "from " + sc.Format(f.Base) + " to " + sc.With(f.Cand)
}

func verb(delta float64) string {
	if delta < 0 {
		return "fell"
	}
	return "rose"
}

func moreOrLess(delta float64) string {
	if delta < 0 {
		return "less"
	}
	return "more"
}

// allTake is a change that the calls of all kernels share, a fraction.
func allTake(shift float64) string {
	return fmt.Sprintf("all kernels take about %s %s", number.Share(math.Abs(shift)), longerOrLess(shift))
}

// stepScale is what the step times of both sides are written in.
func stepScale(r *diff.Report) number.Scale {
	return scaleOf(comparison(r, run.Key{Metric: run.StepTime}))
}

// sample is what was compared, of steps that are paired or not: "1 run of 16 ranks × 18 steps
// per side".
func sample(c *verdict.Comparison, paired bool) string {
	runs := number.Counted(c.Runs[0], "run")
	if c.Runs[0] != c.Runs[1] {
		runs = number.Count(c.Runs[0]) + " and " + number.Counted(c.Runs[1], "run")
	}
	of := "rank"
	if c.OfNodes() {
		of = "node"
	}
	ranks := number.Counted(c.Ranks[0], of)
	if c.Ranks[0] != c.Ranks[1] {
		ranks = number.Count(c.Ranks[0]) + " and " + number.Counted(c.Ranks[1], of)
	}
	steps := number.Counted(c.StepsUsed, "step")
	if !paired {
		steps = number.Count(c.StepsUsed) + " or more steps"
	}
	return runs + " of " + ranks + " \u00d7 " + steps + " per side"
}
