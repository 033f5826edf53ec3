package words

import (
	"fmt"
	"math"
	"strconv"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/sides"
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

// comparison returns the comparison of a metric or a part; an empty one where the report has none.
func comparison(r *diff.Report, key run.Key) *verdict.Comparison {
	if c := r.Comparison(key); c != nil {
		return c
	}
	return &verdict.Comparison{}
}

// scaleOf returns a scale for both values of a comparison.
func scaleOf(c *verdict.Comparison) number.Scale {
	return number.ScaleOf(c.Metric.Unit, math.Max(math.Abs(c.Base), math.Abs(c.Cand)))
}

// fromTo writes both values: "from 52.9 to 18.4 ms".
func fromTo(f *cause.Finding) string {
	row := valuesIn(f)
	return "from " + row.Digits(f.Base) + " to " + row.With(f.Cand)
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

// allTake returns a change that the calls of all kernels share, a fraction.
func allTake(shift float64) string {
	return fmt.Sprintf("all kernels take about %s %s", number.Share(math.Abs(shift)), longerOrLess(shift))
}

// stepScale returns a scale for the step times of both sides.
func stepScale(r *diff.Report) number.Scale {
	return scaleOf(comparison(r, run.Key{Metric: run.StepTime}))
}

// sample says what was compared, for paired and unpaired steps: "1 run of 16 ranks × 18 steps per side".
func sample(r *diff.Report, c *verdict.Comparison) string {
	runs := number.Counted(c.Runs[0], "run")
	if c.Runs[0] != c.Runs[1] {
		runs = number.Count(c.Runs[0]) + " and " + number.Counted(c.Runs[1], "run")
	}
	if c.Metric.OfResult {
		return runs + " per side"
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
	if r.Unpaired {
		steps = number.Count(c.StepsUsed) + " or more steps"
	}
	if text := partly(r.Base.Held, r.Cand.Held); text != "" && of == "rank" {
		return runs + " of " + ranks + " per side, " + text
	}
	return runs + " of " + ranks + " \u00d7 " + steps + " per side"
}

// partly says how many of the compared steps the ranks hold, if some lack a part of them: "116 and 31 of 116 ranks ×
// steps"; "" if none does.
func partly(base, cand sides.Held) string {
	if base.Have == base.Of && cand.Have == cand.Of {
		return ""
	}
	of := number.Count(base.Have) + " of " + number.Count(base.Of)
	if base.Of == cand.Of {
		of = number.Count(base.Have)
	}
	return of + " and " + number.Count(cand.Have) + " of " + number.Count(cand.Of) + " ranks \u00d7 steps"
}

// Percent writes a share with so many decimals: "4.1 %".
func Percent(v float64, decimals int) string {
	return strconv.FormatFloat(100*v, 'f', decimals, 64) + number.Space + "%"
}

// Setting writes a share that somebody chose, as it was given: "2 %".
func Setting(v float64) string { return number.Setting(v) }
