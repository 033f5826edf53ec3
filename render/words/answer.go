package words

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// Answer is what every output says first, in this order. Nothing further down takes back what stands above.
type Answer struct {
	Tag      string      `report:"tag"`      // the answer in a word or two: "SLOWER"
	Headline string      `report:"headline"` // what became of the step, how much, and why
	Story    string      // what was measured
	Cause    string      // how the cause shows; "" it is not known, or Story says it
	Still    string      // what did not change; "" nothing is said of it
	Advice   string      `report:"next"` // what to do: "Do not merge yet: …"
	Facts    [][2]string // questions and answers: whether these runs were slower, whether the change is why, what that is based on
	OfSteps  bool        // it is about steps that were judged
	Sum      *Sum        // what the change is made of; nil: there is none, or it was not taken apart
	Also     []Finding   // what changed beside it, the largest first
	Beside   []int       // their places in the list of findings
	Next     string      // the one thing to do; "" nothing
	Notes    string      // what to know before quoting it; "" nothing
}

// AnswerOf returns the answer of a report.
func AnswerOf(r *diff.Report) Answer {
	h := &r.Headline
	c := spoken(h)
	a := Answer{Tag: Tag(r), Headline: Headline(h), Advice: Advice(r), Sum: SumOf(r), Notes: notes(r)}
	a.OfSteps = tested(r, c) && c.OfSteps() && h.Main == nil && len(h.Lost) == 0
	if a.OfSteps {
		a.Story, a.Cause, a.Still = story(r, c), causeShown(r), still(r, a.Sum)
	} else {
		a.Story = valuesSaid(r)
	}
	if len(h.Lost) > 0 {
		left := *h
		left.Lost = nil
		a.Story = "Of what is left: " + number.Lower(Headline(&left)) + " " + a.Story
	}
	if why := forcedAll(r); why != "" {
		a.Story = "Judged only because of --force: " + why + ". " + a.Story
	}
	if compared(r) {
		a.Facts = [][2]string{{slowerQuestion(r, c), howSure(r, c)}, {"The change?", Blame(r)}, {"Based on", basedOn(r, c)}, {toSee(r, c), toSeeRuns(r, c)}}
	}
	a.Next = firstNext(r)
	told, follows := map[int]bool{}, false // calls differ where ranks wait for each other
	if a.Sum != nil {
		for i := range h.Sum.Rows {
			told[h.Sum.Rows[i].Finding], follows = true, follows || h.Sum.Rows[i].Follows
		}
	}
	for i, f := range Findings(r) {
		same := a.Cause != "" && h.Because == &r.Findings[i] // which the story tells
		if told[i] || same || follows && (f.Kind == policy.KindCollectiveSpread || f.Kind == policy.KindCollectiveTail) || f.Kind == policy.KindNotComparable || a.OfSteps && f.Kind == policy.KindComputeUnchanged {
			if a.Next == "" {
				a.Next = f.Advice
			}
			continue
		}
		a.Also, a.Beside = append(a.Also, f), append(a.Beside, i)
	}
	for i := range a.Also {
		if a.Next == "" {
			a.Next = a.Also[i].Advice
		}
	}
	a.Next = strings.TrimSpace(retest(r) + " " + a.Next)
	return a
}

// firstNext says what to do whatever the findings say; "" where these say it.
func firstNext(r *diff.Report) string {
	h := &r.Headline
	switch {
	case h.Cut != nil:
		return "Copy these files again, or let the profiler finish before the job ends."
	case h.Of.Reason == verdict.ReasonNoSteps:
		do := slices.DeleteFunc(slices.Clone(r.Hints), func(hint string) bool { return hint == run.CallsHint })
		if len(do) > 0 {
			return number.Capital(strings.Join(do, ". ")) + "."
		}
	case r.Verdict == verdict.Improved && r.Judged && r.Gate.State == diff.GatePassed && len(r.Looks()) > 0:
		return strings.TrimSpace(couldGain(r))
	case r.Verdict == verdict.Improved && r.Judged && r.Gate.State == diff.GatePassed:
		return "Nothing for the merge." + couldGain(r)
	}
	return ""
}

// Told returns what was measured, how the cause shows and what did not change, as one paragraph.
func (a *Answer) Told() string {
	return strings.TrimSpace(strings.TrimSpace(a.Story+" "+a.Cause) + " " + a.Still)
}

// Basis returns the questions with their answers, and what to know, as one paragraph.
func (a *Answer) Basis() (text string) {
	for _, x := range a.Facts {
		if said := x[1]; said != "" {
			if strings.HasSuffix(x[0], "?") {
				said = number.Capital(said)
			}
			text += " " + x[0] + " " + said + "."
		}
	}
	return strings.TrimSpace(text + " " + a.Notes)
}

// Text returns all of it but the headline and what to do, as one paragraph.
func (a *Answer) Text() string { return strings.TrimSpace(a.Told() + " " + a.Basis()) }

// retest says which runs would tell the change from the machine, and what each outcome would mean; "" where it is known,
// or where nothing is to be told.
func retest(r *diff.Report) string {
	answer, why := r.Blame()
	if answer != diff.BlameOpen || !r.FewRuns() || r.Headline.Of.History > 0 || r.Unprofiled.Enough() || r.Verdict == verdict.Improved {
		return ""
	}
	times := "once"
	if r.Headline.Open != "" {
		times = "twice"
	}
	if r.StoreFindings != nil {
		return "Record this commit " + times + " more, beside its run or with --record: three of its runs decide."
	}
	if why == diff.WhyDevice {
		who, several := lateOf(r)
		devices := [2]string{"another device", "other devices"}[several]
		return "Run each side " + times + " more, with " + who + " on " + devices + ": if the slowness stays with the device it is the machine, and if it goes with " + who + " it is the change or its data."
	}
	return "Run each side " + times + " more: slow again on the candidate alone, it is the change; on both sides or on neither, it is the machine."
}

// lateOf names the ranks of the candidate that are slow, and says whether they are several, 1, or one, 0.
func lateOf(r *diff.Report) (name string, several int) {
	if late := r.Headline.Because.Late; late != nil && late.Cand != nil {
		return lateName(late.Cand)
	}
	return "some ranks", 1
}

// couldGain says what would make the step shorter still, with a space in front; "" where nothing much would.
func couldGain(r *diff.Report) string {
	if r.NextBottleneck <= 0 || r.NextBottleneck >= len(r.Bounds) {
		return ""
	}
	name, _ := Bound(&r.Bounds[r.NextBottleneck])
	return " A step could be " + seconds(r.Bounds[0].Cand-r.Bounds[r.NextBottleneck].Cand) + " shorter " + name + "."
}

// spoken returns the comparison whose numbers the first lines say: of the mean step, which is what a job pays and the
// only one whose parts add up, unless the verdict is on the median alone, as with runs without a profiler beside it, or
// leans or is held unchanged by its interval, or nothing is decided and the median says why.
func spoken(h *diff.Headline) *verdict.Comparison {
	open := h.Of.Verdict == verdict.Inconclusive && !h.Of.DoesLean() && (h.Wide || h.Of.Reason != verdict.ReasonNoise)
	if w := h.Whole; w != nil && h.Of.Key == sides.StepTime && w.Verdict == h.Of.Verdict && w.Verdict != verdict.Unchanged && w.DoesLean() == h.Of.DoesLean() && w.Delta*h.Of.Delta >= 0 &&
		h.Mean == nil && !open && !h.Of.Unprofiled {
		return w
	}
	return &h.Of
}

// stepTimes returns both values that the first lines say of the step, and the format of the two and their difference.
func stepTimes(h *diff.Headline) (base, cand float64, row number.Row) {
	c := spoken(h)
	base, cand = c.Base, c.Cand
	switch {
	case h.Jump != nil || c.Key.Metric != run.StepTimeMean:
	case h.Sum != nil:
		base, cand = h.Sum.Base, h.Sum.Cand
	default:
		base, cand = meanOfRow(h, c)
	}
	return base, cand, number.RowOf("s", base, cand, cand-base)
}

// stepNamed says which step is meant: "The mean step".
func stepNamed(c *verdict.Comparison, byLoad bool) string {
	switch {
	case byLoad:
		return "The usual step, over loads alike on both sides,"
	case c.Key.Metric == run.StepTimeMean:
		return "The mean step"
	}
	return "The median step"
}

// story says what was measured and why.
func story(r *diff.Report, c *verdict.Comparison) string {
	h := &r.Headline
	base, cand, row := stepTimes(h)
	text := ""
	switch j := h.Jump; {
	case j != nil && j.Alike && j.Alone && h.Sum != nil && h.Sum.From == j.Step:
		row := number.RowOf("s", h.Sum.Base, h.Sum.Cand, h.Sum.Delta)
		text = fmt.Sprintf("Up to step %d both sides take as long, from then on the baseline takes %s and the candidate %s.", j.Step-1, row.With(h.Sum.Base), row.With(h.Sum.Cand))
	case j != nil:
		text = strings.TrimSpace(twoLevels(j))
	case h.Mean != nil:
		text = strings.TrimSpace(stall(h.Stalls)) // what the median did stands in the headline
	case r.Unprofiled != nil && r.Unprofiled.Decides:
		x := &r.Unprofiled.Sides
		row := number.RowOf("s", x[0].Alone, x[1].Alone, x[1].Alone-x[0].Alone)
		text = fmt.Sprintf("Without the profiler the median step went from %s to %s.", row.Digits(x[0].Alone), row.With(x[1].Alone))
	case r.Outcome() != verdict.OutcomePassed && !h.Within && (c.Verdict != verdict.Unchanged || verdict.LeavesOutZero(c)):
		text = fmt.Sprintf("%s went from %s to %s.", stepNamed(c, r.Ground.ByLoad), row.Digits(base), row.With(cand))
	case r.Outcome() == verdict.OutcomePassed && len(r.Findings) == 0 && h.Sum != nil && len(r.Kernels) > 0:
		return "The two sides differ by less than runs of one job do. No part of the step, no rank and no kernel stands out."
	case r.Outcome() == verdict.OutcomePassed:
		text = "The two sides differ by less than runs of one job do."
	}
	return strings.TrimSpace(text + allAlike(r, r.Ground.Alike))
}

// ofParts are the kinds of findings whose sentences begin with the change of a part of the step. Where the sum shows
// that, the answer says only what follows.
var ofParts = []policy.Kind{policy.KindCompute, policy.KindCommunication, policy.KindWait, policy.KindTransfer, policy.KindIdle, policy.KindInputWait, policy.KindMemory}

// causeShown says how the cause shows, without the numbers of the sum.
func causeShown(r *diff.Report) string {
	h := &r.Headline
	f := h.Because
	text := ""
	switch {
	case f == nil:
		return ""
	case h.Jump != nil && f.Level != nil: // where the levels are is said above
		text = levelCause(&f.Level.Larger, "")
	case h.Sum == nil:
		return sentence(r, f)
	default:
		why := *f
		why.Clauses = slices.DeleteFunc(slices.Clone(f.Clauses), func(c cause.Clause) bool {
			return c.Kind == cause.ClauseStepLess || c.Kind == cause.ClauseStepSame
		})
		if f.Kind == policy.KindSpike || f.Kind == policy.KindSharedSpike { // a step's share of them, beside their neighbours
			why.Base, why.Cand = math.NaN(), math.NaN()
		}
		if !slices.Contains(ofParts, f.Kind) {
			return sentence(r, &why)
		}
		why.Reasons = slices.Clone(f.Reasons)
		for i := range why.Reasons {
			why.Reasons[i].Base = math.NaN()
		}
		text = clauses(r, &why)
	}
	if text = strings.TrimLeft(text, ",:; "); text == "" {
		return ""
	}
	if f.Has(cause.ClauseKernels) {
		return "Compute: " + text + "." // names of kernels keep their letters
	}
	return number.Capital(text) + "."
}

// still says by how much any of the parts moved, at most, that are one row of the sum.
func still(r *diff.Report, s *Sum) string {
	if s == nil || len(s.Rows) < 2 {
		return ""
	}
	of := r.Headline.Sum
	row, part := number.RowOf("s", of.Base, of.Cand, of.Delta), "of the step"
	if of.OfPath {
		part = "of the critical path"
	}
	return "No other single part " + part + " moved by more than " + row.With(math.Max(1, math.Ceil(float64(of.Other/row.Unit())))*row.Unit()) + "."
}

func usualStep(h *diff.Headline) *verdict.Comparison {
	if h.Step != nil {
		return h.Step
	}
	return &h.Of
}

// slowerQuestion is the first question: about these runs, and not about what was changed.
func slowerQuestion(r *diff.Report, c *verdict.Comparison) string {
	of := [2]string{"Worse?", "Better?"}
	if c.OfSteps() {
		of = [2]string{"Slower?", "Faster?"}
	}
	return either([2]string{of[1], of[0]}, c.Verdict == verdict.Improved || r.Leans == verdict.LeansBetter)
}

// tested reports whether the interval of a comparison means anything.
func tested(r *diff.Report, c *verdict.Comparison) bool {
	return r.Judged && c.Reason != verdict.ReasonSameFiles && !math.IsNaN(c.Lo)
}

// howSure says whether these runs are slower, with the interval of what the headline says; "" where nothing was tested.
func howSure(r *diff.Report, c *verdict.Comparison) string {
	h := &r.Headline
	level := number.Setting(1 - r.Policy.Alpha)
	if j := h.Jump; j != nil && j.Match == "" && r.Verdict == verdict.Inconclusive {
		return fmt.Sprintf("in these runs yes, from step %d on: by %s (%s interval within one run)", j.Step, span(j.Lo, j.Hi), level)
	}
	between := " (" + level + " interval between runs; limit " + Amount(c, c.Threshold) + ")"
	switch {
	case !tested(r, c):
		return ""
	case c.Verdict == verdict.Regressed || c.Verdict == verdict.Improved:
		by := "yes, by "
		if base, cand, _ := stepTimes(h); c.OfSteps() && asPercent((cand-base)/base) != asPercent(c.Estimate) && (r.Unprofiled == nil || !r.Unprofiled.Decides) {
			by = "yes; step by step it is " // which the interval is of
			if !shared(c).Paired {
				by = "yes; by stretches of steps it is "
			}
		}
		return by + ends(c) + between + shownInSteps(h)
	case c.Verdict == verdict.Unchanged && verdict.LeavesOutZero(c):
		return "by less than the limit: " + signedEnds(c) + between
	case c.Verdict == verdict.Unchanged:
		return "no: " + signedEnds(c) + between
	case c.Seen() && (c.WithinLo > 0 || c.WithinHi < 0):
		inside := *c
		inside.Lo, inside.Hi = c.WithinLo, c.WithinHi
		return "in these " + number.Word(c.Runs[0]+c.Runs[1]) + " runs yes, by " + ends(&inside) + "; between runs anything from " + ends(c) + between
	case h.Of.DoesLean() || h.Wide:
		return "not certain: anything from " + ends(c) + between
	}
	return "no sign of it: " + slowdownExcluded(c) + between
}

// slowdownExcluded says what a passing report leaves out: "more than 5.6 % is excluded".
func slowdownExcluded(c *verdict.Comparison) string {
	switch {
	case !c.OfSteps():
		return excluded(c)
	case c.Hi <= 0:
		return "anything slower is excluded"
	}
	return "more than " + unsigned(c.Hi) + " is excluded"
}

// signedEnds writes an interval of changes.
func signedEnds(c *verdict.Comparison) string {
	if c.Relative {
		return asPercent(c.Lo) + " to " + asPercent(c.Hi)
	}
	return intervalOf(c)
}

// ends does the same without the signs where both ends have the same.
func ends(c *verdict.Comparison) string {
	switch {
	case c.Relative:
		return span(c.Lo, c.Hi)
	case verdict.LeavesOutZero(c):
		return strings.NewReplacer("+", "", number.Minus, "").Replace(intervalOf(c))
	}
	return intervalOf(c)
}

// span writes an interval of shares in the same way: "12 to 24 %".
func span(lo, hi float64) string {
	if lo > 0 && hi > 0 || lo < 0 && hi < 0 {
		a, b := unsigned(math.Min(math.Abs(lo), math.Abs(hi))), unsigned(math.Max(math.Abs(lo), math.Abs(hi)))
		if a == b {
			return a
		}
		return strings.TrimSuffix(a, number.Space+"%") + " to " + b
	}
	return asPercent(lo) + " to " + asPercent(hi)
}

// asPercent writes a share of a baseline with its sign: "+17 %", "+5.6 %", "3.1 times".
func asPercent(change float64) string { return number.PercentOf(change, 1, false) }

// unsigned writes a change without its sign.
func unsigned(v float64) string { return strings.TrimPrefix(asPercent(v), "+") }

// shownInSteps says in how many of the steps it shows, or how it goes over the run.
func shownInSteps(h *diff.Headline) string {
	c, s := &h.Of, h.Sum
	text := ""
	if s != nil && s.Same > 0 && h.Mean == nil {
		n := s.Longer
		if s.Delta < 0 {
			n = s.Same - s.Longer
		}
		if text = fmt.Sprintf(", in %d of %s", n, number.Counted(s.Same, "step")); n == s.Same {
			text = ", in all " + number.Counted(s.Same, "step")
		}
	}
	if !math.IsNaN(c.FirstStep) {
		text += ": by " + unsigned(math.Abs(c.FirstStep)) + " at the first and " + unsigned(math.Abs(c.LastStep)) + " at the last"
	}
	return text
}

// basedOn says what was compared, and what runs are known or taken to differ by.
func basedOn(r *diff.Report, c *verdict.Comparison) string {
	if !tested(r, c) {
		return sample(r, c)
	}
	return sample(r, c) + "; " + noiseNote(&r.Policy, c) + chance(&r.Headline, c)
}

// toSee and toSeeRuns say what it takes to see a change at the limit, of a report that saw none.
func toSee(r *diff.Report, c *verdict.Comparison) string {
	if r.Outcome() != verdict.OutcomePassed {
		return ""
	}
	return "To see " + Amount(c, c.Threshold)
}

func toSeeRuns(r *diff.Report, c *verdict.Comparison) string {
	switch n := c.RunsNeeded; {
	case toSee(r, c) == "", n <= max(c.Runs[0], c.Runs[1]):
		return ""
	case n >= verdict.MaxRuns:
		return "more than " + number.Counted(verdict.MaxRuns, "run") + " per side, or --history with earlier runs"
	default:
		return "about " + number.Counted(n, "run") + " per side, or --history with earlier runs"
	}
}
