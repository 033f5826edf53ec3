package words

import (
	"math"
	"strconv"

	"perfdiff/diff"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// What runs of a job differ by, and what hangs on it.

// noiseNote says what runs differ by, and from where that is known: "runs differ by 1.5 %
// (assumed)".
func noiseNote(p *policy.Policy, c *verdict.Comparison) string {
	floor, hosts := Amount(c, c.Floor), ""
	if c.Hosts > 0 {
		hosts = " and hosts by " + deviation(c, c.Hosts) + " (assumed: each side ran on its own)"
	}
	switch {
	case c.History > 0 && c.Unprofiled:
		return "runs differ by " + floor + ", as " + number.Counted(c.History, "run") + " without the profiler do" + hosts
	case c.History == 1:
		return "runs differ by " + floor + ", as is assumed beside one past run" + hosts
	case c.History > 0:
		return "runs differ by " + floor + ", as " + number.Counted(c.History, "past run") + " do" + hosts
	case !c.Assumed() && c.Floor == 0:
		return "runs differ by " + deviation(c, c.Spread) + hosts
	case !c.Assumed():
		return "runs differ by " + deviation(c, c.Spread) + " (and " + floor + " assumed beside it)" + hosts
	}
	if c.Metric.OfResult {
		return "runs differ by " + floor + " (assumed: nothing says by how much)"
	}
	why := assumedOf[c.Places]
	switch {
	case !c.OfSteps():
	case c.Floor == p.HostFloor:
		why = "assumed: no GPU work was recorded"
	case c.Floor == p.FewFloor && c.StepsUsed < sides.EnoughSteps:
		why = "assumed: few steps"
	}
	return "runs differ by " + floor + " (" + why + ")"
}

// assumedOf says how the noise between runs was assumed, by where they ran.
var assumedOf = map[verdict.Places]string{
	"": "assumed", verdict.PlacesSame: "assumed", verdict.PlacesUnknown: "assumed: no host is recorded",
	verdict.PlacesOther: "assumed: the sides ran on other devices",
}

// premise returns the assumption that a plan is made with, "runs differ by 1.5 %"; "" if runs show their noise.
func premise(c *verdict.Comparison) string {
	if !c.Assumed() || !(c.Floor > 0) {
		return ""
	}
	return "runs differ by " + Amount(c, c.Floor)
}

// ifRuns adds the premise to a plan, as a clause.
func ifRuns(c *verdict.Comparison) string {
	if text := premise(c); text != "" {
		return ", if " + text
	}
	return ""
}

// chance says on which deviation between runs it hangs that a change is beyond chance, with a semicolon in front; ""
// where none that matters is seen, where somebody measured what runs differ by, or where the answer is about a change
// within these runs.
func chance(h *diff.Headline, c *verdict.Comparison) string {
	switch {
	case !c.Seen() || !c.Assumed() || math.IsNaN(c.Tipping) || h.Jump != nil:
		return ""
	case verdict.LeavesOutZero(c) && c.Tipping > 0:
		return "; it could be chance only if they differ by " + deviation(c, c.Tipping) + " or more"
	case h.Growth != nil || h.Mean != nil:
		return ""
	case c.Tipping == 0 && c.Hosts > 0:
		return "; even if runs on one host were alike it could be chance, since hosts may differ by as much"
	case c.Tipping == 0:
		return "; even if all runs were alike it could be chance, since the steps within these differ too much"
	}
	return "; it would be beyond chance only if they differ by less than " + deviation(c, c.Tipping)
}

// deviation writes a standard deviation between runs; a share as roughly as it is known.
func deviation(c *verdict.Comparison, v float64) string {
	if !c.Relative && c.Metric.Unit != "ratio" {
		return number.ScaleOf(c.Metric.Unit, v).With(v)
	}
	digits := 2
	switch {
	case v >= 0.1:
		digits = 0
	case v >= 0.01:
		digits = 1
	}
	return strconv.FormatFloat(100*v, 'f', digits, 64) + percentUnit(c)
}
