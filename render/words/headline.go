package words

import (
	"fmt"
	"math"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// Headline says in one sentence what became of the metric that speaks for a report: "Step
// time improved by 50 %."; "" of a reason that nobody knows.
func Headline(h *diff.Headline) string {
	if len(h.Lost) > 0 {
		return tooLittle(h.Lost)
	}
	if text := mainTold(h); text != "" {
		return text
	}
	if h.Cut != nil {
		return cutOff(h.Cut)
	}
	of := headlines[h.Of.Reason]
	if of == nil {
		return ""
	}
	text := first(h)
	if text == "" {
		text = ofResult(h)
	}
	if text == "" {
		text = of(h)
	}
	for i := range h.Secondary {
		c := &h.Secondary[i]
		text += " " + subject(c) + " " + verb(c.Estimate) + " by " + shownSize(c) + "."
	}
	return butNotAlike(h, text)
}

// cutOff says which files end early, of sides that have nothing to judge for it.
func cutOff(w *diff.Warning) string {
	if w.Count == 1 {
		return fmt.Sprintf("No verdict: a trace of the %s is cut off: %s ends early, at %s.", w.Side, w.File, w.Cut)
	}
	return fmt.Sprintf("No verdict: %d traces of the %s are cut off, the first of them %s, at %s.", w.Count, w.Side, w.File, w.Cut)
}

// headlines are the sentences, by the reason of what they are about.
var headlines = map[string]func(*diff.Headline) string{
	verdict.ReasonDecided:     withWork(decidedOf),
	verdict.ReasonNoise:       withWork(withinNoise),
	verdict.ReasonNeedsRuns:   withWork(open),
	verdict.ReasonManyMetrics: withWork(open),
	verdict.ReasonWithin:      withWork(open),
	verdict.ReasonMainMoved: withWork(func(h *diff.Headline) string {
		return "Cannot tell whose it is: " + inSentence(&h.Of) + " is above main's level by " + sizeOf(&h.Of, h.Of.Estimate) + ", and main's newest runs are slower too."
	}),
	verdict.ReasonOneRun: withWork(func(h *diff.Headline) string {
		return "One run is slower, and the others do not show it: " + inSentence(&h.Of) + " is above main's level by " + sizeOf(&h.Of, h.Of.Estimate) + " in the mean."
	}),
	verdict.ReasonTooFewSteps:   fewSteps,
	verdict.ReasonNoCommonSteps: noCommonSteps,
	verdict.ReasonNoSteps:       noSteps,
	verdict.ReasonSameFiles: func(h *diff.Headline) string {
		return "Nothing was measured: both sides are " + sameWhat(shared(&h.Of).SameRecording) + "."
	},
	verdict.ReasonUnclear:       func(h *diff.Headline) string { return "No verdict: " + doubtful(shared(&h.Of).Doubt) + "." },
	verdict.ReasonNotRecorded:   noVerdict("was not recorded"),
	verdict.ReasonNotJudged:     noVerdict("is not judged"),
	verdict.ReasonNeedsHistory:  noVerdict("is not judged"),
	verdict.ReasonKinds:         noVerdict("is not judged"),
	verdict.ReasonOtherSteps:    always("No verdict: a step is not the same unit of work on both sides."),
	verdict.ReasonLoad:          always("No verdict: no engine step of one side is like one of the other."),
	verdict.ReasonRankCount:     otherSize,
	verdict.ReasonUnprofiled:    always("No verdict: runs without the profiler say something else."),
	verdict.ReasonEnvironment:   notComparable,
	verdict.ReasonNoSteadyState: always("Cannot tell: the steps do not settle."),
}

func always(text string) func(*diff.Headline) string {
	return func(*diff.Headline) string { return text }
}

// otherSize is the headline of jobs of other sizes, which it states where both are known.
func otherSize(h *diff.Headline) string {
	text := "No verdict: the jobs differ in size"
	if s := shared(&h.Of).Sizes; s.Kind == sides.SizesSaid {
		text += fmt.Sprintf(", %d and %s", s.Base, number.Counted(s.Cand, "rank"))
	}
	return text + "."
}

// noVerdict is the headline of a metric that has none.
func noVerdict(why string) func(*diff.Headline) string {
	return func(h *diff.Headline) string { return "No verdict: " + inSentence(&h.Of) + " " + why + "." }
}

// noSteps says which sides have no steps, or that their captures cannot be compared as a whole.
func noSteps(h *diff.Headline) string {
	if h.CutAt > 0 {
		return fmt.Sprintf("No verdict: the clock ended both captures after %s, and they hold different amounts of work.",
			number.With(h.CutAt, "s"))
	}
	found := "no steps were found"
	if h.LeftOut {
		found = "every step was left out"
	}
	return "No verdict: " + found + " in the " + strings.Join(h.Silent, " and in the ") + "."
}

// fewSteps is the headline of too few steps for any verdict, or for this change.
func fewSteps(h *diff.Headline) string {
	held := number.Lower(stepsHeld(h.Of.StepsUsed, shared(&h.Of)))
	switch {
	case h.Of.StepsUsed >= sides.MinSteps:
	case shared(&h.Of).Passes:
		return fmt.Sprintf("Too few captures to judge: each is one pass. Record at least %d per side, each in a run of its own.", sides.MinSteps)
	default:
		return fmt.Sprintf("Too few steps to judge: %s. Record at least %d after the warm-up, better %d.", held, sides.MinSteps, sides.GoodSteps)
	}
	return "Cannot tell: " + held + ", and " + leftOpen(h) + "."
}

// noCommonSteps is the headline where the sides may stand at other places of one trend.
func noCommonSteps(h *diff.Headline) string {
	if shared(&h.Of).ByLoad {
		return "Cannot tell: steps of like load change over the run, and the sides hold other numbers of them."
	}
	return "Cannot tell yet. Record the same steps on both sides."
}

// open is the headline of a change that more runs would decide.
func open(h *diff.Headline) string {
	c := &h.Of
	if !c.DoesLean() {
		return "Cannot tell yet: " + possible(c) + ". " + more(h)
	}
	return probably(h)
}

// probably is the headline of a change that is not yet beyond chance.
func probably(h *diff.Headline) string {
	c := &h.Of
	if !c.OfSteps() {
		return subject(c) + " is probably " + leaning(c.Leans(), c) + ": " + changeOf(c, c.Estimate) + " (" + intervalOf(c) + "). Not certain."
	}
	text := "Steps took " + stepChange(h)
	if c.Main != nil && c.Main.Asks {
		return text + " in this run. One run fails no build: two more decide."
	}
	return text + ", but runs of this job may differ that much by themselves."
}

// more says which runs would decide.
func more(h *diff.Headline) string {
	if h.Main != nil {
		return "Main's next runs decide."
	}
	return record(&h.Of)
}

// withinNoise is the headline where nothing tells the sides apart.
func withinNoise(h *diff.Headline) string {
	c := &h.Of
	joint := ": "
	if h.Wide {
		joint = ", but "
	}
	steps := ""
	if c.OfSteps() {
		base, cand, _ := stepTimes(h)
		sc := number.ScaleOf("s", math.Max(base, cand))
		steps = sc.Format(base) + " and " + sc.With(cand) + " per step"
	}
	switch {
	case verdict.LeavesOutZero(c):
		return subject(c) + " changed by less than what matters: " + leftOpen(h) + "."
	case h.Within && steps != "":
		return "No " + lookedFor(c) + " seen: " + steps + "; what did change stands under Also."
	case h.Within:
		return "No change seen in the step as a whole" + joint + leftOpen(h) + "; something within it changed."
	case !h.Wide && steps != "":
		return "No " + lookedFor(c) + " seen: " + steps + "."
	case !h.Wide:
		return shows(c)
	}
	return "No change seen" + joint + leftOpen(h) + "."
}

// leftOpen says what is known of a change that an interval does not decide: what it leaves
// out where that is worth saying, else all that it holds.
func leftOpen(h *diff.Headline) string {
	if h.Wide {
		return possible(spoken(h))
	}
	return excluded(&h.Of)
}

// possible says all that an interval holds: "anything between −4 and +135 % is possible".
func possible(c *verdict.Comparison) string {
	return "anything between " + endsOf(c, " and ") + " is possible"
}

// excluded says what an interval that does not decide leaves out: "a rise above
// 5.8 % is excluded".
func excluded(c *verdict.Comparison) string {
	worse, bound, beyond := "a rise", c.Hi, " above "
	if c.Metric.Better == run.Higher {
		worse, bound, beyond = "a fall", -c.Lo, " by more than "
	}
	if bound <= 0 {
		return worse + " is excluded"
	}
	size := sizeOf(c, bound)
	if c.OfSteps() { // as below it
		size = unsigned(bound)
	}
	return worse + beyond + size + " is excluded"
}

// decided says what was decided of a metric: "Step time regressed by 7.8 %."
func decided(c *verdict.Comparison) string {
	by := shownSize(c)
	if c.MeanOpposes() { // who reads no further must not take the one for the other
		by += " in the median, but " + meanMoved(c)
	}
	if c.Metric.OfResult && c.Verdict != verdict.Unchanged {
		by += " (" + medians(c) + ")"
		if above := aboveWaiver(c); above != "" && c.Gating {
			by += ", " + above
		}
		return subject(c) + " " + verb(c.Estimate) + " by " + by + "."
	}
	switch c.Verdict {
	case verdict.Improved:
		return subject(c) + " improved by " + by + "."
	case verdict.Regressed:
		if above := aboveWaiver(c); above != "" && c.Gating {
			by += ", " + above
		}
		return subject(c) + " regressed by " + by + "."
	}
	if (c.Lo > 0 || c.Hi < 0) && c.Equivalence > 0 {
		return subject(c) + " changed by less than " + Amount(c, c.Equivalence) + "."
	}
	return subject(c) + " did not change."
}

// shownSize writes the size of a change as its row in the tables shows it, without its sign; of steps, and where the row
// shows none in its direction, as it was tested.
func shownSize(c *verdict.Comparison) string {
	if o := RowOf(c); o.Signed && o.Delta*c.Estimate > 0 && !c.OfSteps() && !c.Metric.OfResult {
		size, _, _ := strings.Cut(o.Change, " (")
		return strings.TrimLeft(size, "+"+number.Minus)
	}
	return sizeOf(c, c.Estimate)
}

// tooLittle says of what too little is left.
func tooLittle(lost []diff.Lack) string {
	var parts []string
	for i, l := range lost {
		switch {
		case l.Metrics != nil:
			parts = append(parts, "the "+l.Side+" was recorded without "+listed(l.Subjects))
		case l.Kind == "":
			parts = append(parts, lostPart(&l))
		case i > 0 && lost[i-1].Kind == l.Kind:
			parts[len(parts)-1] = "neither side recorded " + madeOf(&l)
		default:
			parts = append(parts, "the "+l.Side+" did not record "+madeOf(&l))
		}
	}
	return "Too little is left to judge: " + strings.Join(parts, "; ") + "."
}

// listed are subjects within a sentence.
func listed(subjects []string) string {
	out := make([]string, len(subjects))
	for i, s := range subjects {
		out[i] = number.Lower(s)
	}
	return strings.Join(out, ", ")
}

func lostPart(l *diff.Lack) string {
	what, became := "rank", isOrAre(l.Lost)+" missing"
	switch {
	case l.OfSteps:
		return fmt.Sprintf("%d of %d ranks \u00d7 steps of the %s are missing", l.Lost, l.Of, l.Side)
	case l.Allow == policy.AllowFiles:
		what, became = "file", "could not be read"
	}
	return fmt.Sprintf("%d of %s of the %s %s", l.Lost, number.Counted(l.Of, what), l.Side, became)
}

// madeOf is what per side lacks of a kind of findings that fails by the policy.
func madeOf(l *diff.Lack) string {
	return fmt.Sprintf("what findings of the kind %s are made of, which fail", l.Kind)
}
