package words

import (
	"fmt"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// Why returns the reason of a comparison's verdict as a sentence; "" where it has none.
func Why(c *verdict.Comparison) string {
	s := shared(c)
	switch c.Reason {
	case verdict.ReasonDecided:
		return whyDecided(c, s)
	case verdict.ReasonSameFiles:
		return "Not judged: both sides are " + sameWhat(s.SameRecording) + "."
	case verdict.ReasonNoSteps, verdict.ReasonOtherSteps, verdict.ReasonLoad:
		return "Shown as context: without steps nothing is judged."
	case verdict.ReasonNotRecorded:
		return whyNotRecorded(c)
	case verdict.ReasonTooFewSteps:
		return whyFewSteps(c, s)
	case verdict.ReasonRankCount:
		return "Not judged, because the jobs differ in size: " + sizes(s.Sizes) + "."
	case verdict.ReasonUnclear:
		return "Not judged: " + doubtful(s.Doubt) + "."
	case verdict.ReasonKinds:
		return "Not judged: " + untold(&s.NotCompared) + "."
	case verdict.ReasonUnprofiled:
		return "Not judged: runs without the profiler have another verdict."
	case verdict.ReasonEnvironment:
		return "Not judged: " + unequal(s.Unequal) + "."
	case verdict.ReasonNeedsHistory:
		return "Not judged: it gates only with a history of at least " + number.Counted(verdict.MinHistory, "past run") +
			", since without one its false alarms are too many."
	case verdict.ReasonNoSteadyState:
		return "Not judged: the step times keep falling, so that the warm-up has no end within the run."
	case verdict.ReasonNotJudged:
		if c.Metric.Better != run.Neither {
			return "Not judged: " + unjudged(c.Unjudged(), c.Sources) + "."
		}
		return number.Capital(unjudged(c.Unjudged(), c.Sources)) + "."
	}
	return whyOpen(c, s)
}

// sameWhat says what both sides are when they are the same; again: the same recording, but not the same files.
func sameWhat(again bool) string {
	if again {
		return "one recording, exported twice"
	}
	return "the same files"
}

// stepsHeld says how many steps there are, of steps that are compared one by one or not: "Only
// 8 steps in common".
func stepsHeld(n int, s *verdict.ReasonContext) string {
	where := "in common"
	if !s.Paired {
		where = "per side"
	}
	what := "step"
	if s.Passes {
		what = "capture"
	}
	return "Only " + number.Counted(n, what) + " " + where
}

// unequal says what differs between the sides and must not, as clauses; "" nothing does.
func unequal(list []verdict.Unequal) string {
	var out []string
	for i := range list {
		u := &list[i]
		name, base, cand := Differs(&u.Difference)
		base, cand = known(base), known(cand)
		if u.Required {
			out = append(out, fmt.Sprintf("the policy requires %s to be equal, and it is %s in the baseline and %s in the candidate", name, base, cand))
		} else {
			out = append(out, fmt.Sprintf("%s: %s and %s, %s", name, base, cand, Effect(&u.Difference)))
		}
	}
	return strings.Join(out, "; ")
}

// untold returns why kinds of work are not compared, as a sentence goes on.
func untold(u *verdict.NotCompared) string {
	switch {
	case u.NoCommunication != "" && u.IdleToBusy > 0:
		return fmt.Sprintf("no communication is recognised in the %s, and %s per step more are idle there in steps that are no longer: "+
			"it may not be recorded; only the step time compares", u.NoCommunication, seconds(u.IdleToBusy))
	case u.NoCommunication != "":
		return fmt.Sprintf("no communication is recognised in the %s, so that there it would count as compute", u.NoCommunication)
	}
	why := fmt.Sprintf("the %s replays graphs that were recorded as one row each, the %s shows kernel by kernel, ", u.ReplaysAsRows, u.ReplaysAsKernels)
	switch {
	case u.IdleToBusy > 0:
		return why + fmt.Sprintf("and %s per step that were idle without a row are busy in one: only the step time compares",
			seconds(u.IdleToBusy))
	case u.BetweenKernels > 0:
		return why + fmt.Sprintf("with %s per step between the kernels of its replays, which is idle there and busy in a row: only the step time compares",
			seconds(u.BetweenKernels))
	}
	return why + "so that only step, idle and busy time compare"
}

// unjudged returns why a metric is shown and not judged, as a clause.
func unjudged(why verdict.Unjudged, sources [2][]string) string {
	switch why {
	case verdict.NeitherBetter:
		return "shown as context: neither direction is better by itself"
	case verdict.RanksOfOne:
		return "it is measured over all ranks of each side, and the sides captured different ones"
	case verdict.OutOfOrder:
		return "engine steps are compared by load, and do not stand in the order of time on both sides"
	case verdict.HostRunsAhead:
		return "the host of a side runs ahead of its device: from step to step it takes the time of issuing work, and not that of a step"
	case verdict.AtLeast:
		return "without a range around the loader it is at least so much, and other idle time that may be input is as long as the change"
	case verdict.OtherSource:
		return "measured from " + Sources(sources)
	}
	return ""
}

// shared returns what the reasons of all comparisons may name.
func shared(c *verdict.Comparison) *verdict.ReasonContext {
	if c.Context == nil {
		return &verdict.ReasonContext{}
	}
	return c.Context
}

// whyOpen returns why the interval of a comparison decides nothing.
func whyOpen(c *verdict.Comparison, s *verdict.ReasonContext) string {
	interval := intervalOf(c)
	switch c.Reason {
	case verdict.ReasonNoCommonSteps:
		if s.ByLoad {
			return "Of some loads one side has more steps than are compared, and steps of like load change over a run: " +
				"the sides may stand at other places of one trend, and the interval, " + interval + ", does not decide."
		}
		return number.Capital(unpaired(&s.Unpaired)) + ", so that steps could not be compared one by one; the interval, " + interval +
			", is too wide, or the runs change over time and the sides may stand at other places of one trend."
	case verdict.ReasonMainMoved:
		return "It is beyond chance against main's level, " + interval + ", and not against where main may stand: " + mayStand(c.Main) + "."
	case verdict.ReasonOneRun:
		return "Together the runs are beyond chance, " + interval + ", and without the slowest of them they are not: one odd run decides nothing."
	case verdict.ReasonNeedsRuns:
		if c.Main != nil {
			return "One run fails no build; more runs of this commit decide. The interval of this one is " + interval + "."
		}
		and := ""
		if text := premise(c); text != "" {
			and = " and " + text
		}
		return fmt.Sprintf("The interval, %s, holds zero. If the difference is what it looks like%s, %s (%s).",
			interval, and, wouldDecide(c.RunsNeeded), number.Setting(verdict.Power))
	case verdict.ReasonManyMetrics:
		return fmt.Sprintf("For itself its interval would leave out zero. "+
			"Those of the %s hold together (Holm's rule): it is %s, and %s (%s).",
			testedTogether(c), interval, wouldDecide(c.RunsNeeded), number.Setting(verdict.Power))
	case verdict.ReasonWithin:
		return fmt.Sprintf("Steps change their level within a run, and fewer than %s per side do not tell whether they do so again: the interval is %s.",
			number.Counted(verdict.EnoughRuns, "run"), interval)
	case verdict.ReasonNoise:
		change := changeOf(c, c.Estimate)
		if verdict.LeavesOutZero(c) {
			return fmt.Sprintf("%s is less than what matters, %s: the interval is %s.", change, Amount(c, c.Threshold), interval)
		}
		return change + " is within what runs of the same job differ by: the interval is " + interval + "."
	}
	return ""
}

// mayStand says where main may stand besides its level: "with 12 % since its newest run, 4.1 % higher".
func mayStand(r *verdict.Ruling) string {
	var parts []string
	for _, s := range r.Starts {
		if s.Share >= leastShare {
			parts = append(parts, fmt.Sprintf("with %s since its newest %s, %s", number.Share(s.Share), newest(s.Runs), percent(s.Size)))
		}
	}
	return strings.Join(parts, "; ")
}

// leastShare is how likely a place must be for main to be said to stand there perhaps. Chosen, not measured: the words
// of eight places are too many.
const leastShare = 0.05

func newest(runs int) string {
	if runs == 1 {
		return "run"
	}
	return number.Counted(runs, "run")
}

func whyDecided(c *verdict.Comparison, s *verdict.ReasonContext) string {
	switch {
	case c.Verdict != verdict.Unchanged:
		return fmt.Sprintf("The %s interval, %s, excludes zero, and the change is at least the threshold, %s.",
			number.Setting(1-s.Alpha), intervalOf(c), Amount(c, c.Threshold))
	case c.Lo == 0 && c.Hi == 0:
		if c.Metric.OfResult {
			return "The same in all runs of both sides."
		}
		return "The same in every step on both sides."
	}
	return fmt.Sprintf("The interval that holds the change with %s certainty lies within \u00b1%s.", number.Setting(0.9), Amount(c, c.Equivalence))
}

func whyNotRecorded(c *verdict.Comparison) string {
	base, cand := Need(c.NotRecorded[0]), Need(c.NotRecorded[1])
	if text := unlikeSources(c); text != "" {
		return text
	}
	switch {
	case c.Metric.OfResult && base != "":
		return "No run of the baseline has it."
	case c.Metric.OfResult:
		return "No run of the candidate has it."
	case base != "" && cand != "":
		return "Not recorded on either side. Needs " + base + "."
	case base != "":
		return "Not recorded in the baseline. Needs " + base + "."
	}
	return "Not recorded in the candidate. Needs " + cand + "."
}

func whyFewSteps(c *verdict.Comparison, s *verdict.ReasonContext) string {
	held := stepsHeld(c.StepsUsed, s)
	switch {
	case c.StepsNeeded > 0:
		return fmt.Sprintf("%s: it is measured from %d on.", held, c.StepsNeeded)
	case c.StepsUsed < sides.MinSteps && s.Passes:
		return fmt.Sprintf("Each capture is one pass: a change is judged from %d per side on.", sides.MinSteps)
	case c.StepsUsed < sides.MinSteps:
		return fmt.Sprintf("%s: a change is judged from %d on.", held, sides.MinSteps)
	}
	if c.Spread > c.Floor {
		return fmt.Sprintf("%s, and the runs of a side differ by %s: the interval, %s, does not decide.", held, deviation(c, c.Spread), intervalOf(c))
	}
	return fmt.Sprintf("%s: with fewer than %d, runs are taken to differ by %s, and the interval, %s, does not decide.",
		held, sides.EnoughSteps, Amount(c, c.Floor), intervalOf(c))
}

// wouldDecide says how many runs a side are planned to decide.
func wouldDecide(runs int) string {
	if runs >= verdict.MaxRuns {
		return "not even " + number.Counted(verdict.MaxRuns, "run") + " per side should decide"
	}
	return number.Counted(runs, "run") + " per side should decide"
}
