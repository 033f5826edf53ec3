package words

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"perfdiff/diff"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// unprofiled says what runs without the profiler show of the step time, with a space in front; "" where none were
// given.
func unprofiled(r *diff.Report) string {
	c := r.Unprofiled
	if c == nil {
		return ""
	}
	return unprofiledSays(c, r.Reason) + overhead(c)
}

// unprofiledSays says by how much the step time of these runs changed, and whether that agrees.
func unprofiledSays(c *verdict.Unprofiled, reason string) string {
	if c.Sides[0].Runs == 0 || c.Sides[1].Runs == 0 {
		return ""
	}
	runs := number.Counted(c.Sides[0].Runs, "run")
	if c.Sides[0].Runs != c.Sides[1].Runs {
		runs = number.Count(c.Sides[0].Runs) + " and " + number.Counted(c.Sides[1].Runs, "run")
	}
	runs += " per side"
	if math.IsNaN(c.Step.Lo) || !verdict.WasJudged(&c.Step) {
		return fmt.Sprintf(" Without the profiler (%s) the step time cannot be compared: %s", runs,
			cmp.Or(strings.TrimPrefix(Why(&c.Step), "Not judged: "), "no steps are common to them."))
	}
	of := ""
	if c.OtherSteps {
		of = " and other steps"
	}
	if c.Decides {
		return fmt.Sprintf(" The change and its interval are of runs without the profiler (%s), which decide what the profiles leave open.", runs)
	}
	text := fmt.Sprintf(" Without the profiler (%s%s) it changed by %s (%s)", runs, of, changeOf(&c.Step, c.Step.Estimate), intervalOf(&c.Step))
	switch {
	case reason == verdict.ReasonUnprofiled:
		return text + ", which is another verdict: these runs are what the job does, and what the profiles show is the profiler's doing. Compare them alone to judge them."
	case c.Against:
		return text + ", which is another verdict."
	case c.Differs:
		return text + ": the profiler changes by how much, and these runs are what the job does."
	}
	return text + "."
}

// overhead says how long a step takes under the profiler, for the sides where that is known.
func overhead(c *verdict.Unprofiled) string {
	said := ""
	for i, name := range []string{"baseline", "candidate"} {
		s := &c.Sides[i]
		o := s.Overhead()
		if s.Runs == 0 || math.IsNaN(o) {
			continue
		}
		sc := number.ScaleOf("s", math.Max(s.Profiled, s.Alone))
		how := ""
		switch {
		case o >= 0.5:
			how = strconv.FormatFloat(1+o, 'f', 1, 64) + " times as long"
		case o >= verdict.Costly:
			how = number.Share(o) + " longer"
		default:
			continue
		}
		said += fmt.Sprintf(" Under the profiler a step of the %s takes %s, %s instead of %s.", name, how, sc.With(s.Profiled), sc.With(s.Alone))
	}
	return said
}
