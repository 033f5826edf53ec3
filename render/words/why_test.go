package words

import (
	"reflect"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// eachReason are comparisons without a verdict, and one with, one for each reason.
func eachReason() []verdict.Comparison {
	var out []verdict.Comparison
	for _, reason := range []string{
		verdict.ReasonDecided, verdict.ReasonNoise, verdict.ReasonNeedsRuns, verdict.ReasonTooFewSteps, verdict.ReasonNoSteadyState,
		verdict.ReasonRankCount, verdict.ReasonNotRecorded, verdict.ReasonNotJudged, verdict.ReasonSameFiles, verdict.ReasonUnclear,
		verdict.ReasonKinds, verdict.ReasonEnvironment, verdict.ReasonUnprofiled, verdict.ReasonManyMetrics, verdict.ReasonNeedsHistory,
		verdict.ReasonNoCommonSteps, verdict.ReasonNoSteps, verdict.ReasonOtherSteps, verdict.ReasonLoad, verdict.ReasonWithin,
		verdict.ReasonMainMoved, verdict.ReasonOneRun,
	} {
		c := verdict.Comparison{
			Key: run.Key{Metric: run.IdleTime}, Sources: [2][]string{{"ranges"}}, Reason: reason, Relative: true, Context: &verdict.ReasonContext{Doubt: &sides.Doubt{Kind: sides.DoubtOtherRanks}, Unequal: []verdict.Unequal{{Difference: verdict.Difference{Name: "gpu", Why: policy.OtherMachine}}}},
			Estimate: 0.1, Lo: -0.1, Hi: 0.3, Threshold: 0.02, StepsUsed: 5, Floor: 0.02, RunsNeeded: 4, TestedTogether: 3,
		}
		c.Metric.Better, c.Metric.DependsOnOrder, c.Metric.Unit = run.Lower, true, "s"
		if reason == verdict.ReasonDecided {
			c.Verdict, c.Lo = verdict.Regressed, 0.05
		}
		if reason == verdict.ReasonMainMoved {
			c.Main = &verdict.Ruling{Starts: []verdict.MainStart{{Runs: 2, Share: .3, Size: .04}}}
		}
		out = append(out, c)
	}
	host := out[0]
	host.Key.Metric, host.Reason, host.Context = run.HostStepTime, verdict.ReasonNotJudged, &verdict.ReasonContext{}
	host.Metric.Joint = true // which alone keeps it from being judged, where the host does not run ahead
	return append(out, host)
}

// TestWhySaysAll: each reason has a sentence of its own, and each fact that holds for both
// sides as a whole is in one of them.
func TestWhySaysAll(t *testing.T) {
	seen := map[string]string{}
	for _, c := range eachReason() {
		why := Why(&c)
		if other := seen[why]; why == "" || other != "" && why != "Shown as context: without steps nothing is judged." {
			t.Errorf("%s: got %q, which is that of %q, too", c.Reason, why, other)
		}
		seen[why] = c.Reason
	}
	of := reflect.TypeFor[verdict.ReasonContext]()
	for i := range of.NumField() {
		told := false
		for _, c := range eachReason() {
			before := Why(&c)
			switch f := reflect.ValueOf(c.Context).Elem().Field(i).Addr().Interface().(type) {
			case **sides.Doubt:
				*f = &sides.Doubt{Kind: sides.DoubtSameRun}
			case *sides.Sizes:
				*f = sides.Sizes{Kind: sides.SizesSaid}
			case *verdict.NotCompared:
				f.NoCommunication = "baseline"
			case *verdict.Unpaired:
				f.Unnumbered = true
			case *[]verdict.Unequal:
				*f = nil
			default:
				set(reflect.ValueOf(f).Elem())
			}
			told = told || Why(&c) != before
		}
		if !told {
			t.Errorf("%s: no reason says it", of.Field(i).Name)
		}
	}
}

// TestNotesOfHeld: what holds a comparison back is a note where its row does not say it.
func TestNotesOfHeld(t *testing.T) {
	want := map[string]string{
		verdict.ReasonManyMetrics:   "Worse, not yet beyond chance: for itself its interval would leave out zero; those of the 3 gating metrics hold for all of them together (Holm's rule); 4 runs per side should decide.",
		verdict.ReasonNeedsRuns:     "Large enough to matter, but it may be a change either way; 4 runs per side should decide.",
		verdict.ReasonNoSteadyState: "The steps do not settle.",
		verdict.ReasonNoCommonSteps: "Steps could not be compared one by one.",
	}
	for _, c := range eachReason() {
		got := ""
		if notes := Notes(&c); len(notes) > 0 {
			got = notes[0]
		}
		if got != want[c.Reason] {
			t.Errorf("%s: got %q, want %q", c.Reason, got, want[c.Reason])
		}
	}
}

// TestBasisInFront: what was forced and what is left stand in front, what is missing behind, and the reason of a metric
// that is not judged stands alone.
func TestBasisInFront(t *testing.T) {
	r := &diff.Report{Forced: []sides.Forced{{NoLikeLoad: true}}, Reason: verdict.ReasonTooLittle}
	r.ForcedUnequal = []verdict.Unequal{{Difference: verdict.Difference{Name: "world size", Base: "2", Cand: "4", Why: policy.MoreRanks}}}
	r.Headline = diff.Headline{Of: medianStep(verdict.ReasonDecided), Lost: []diff.Lack{{Side: "candidate", Lost: 3, Of: 8}}}
	want := "Judged only because of --force: no engine step of one side is like one of the other; world size: 2 and 4, more ranks make a step longer without any change in the code. Of what is left: steps take as long as before: 100 and 110 ms. The median step takes 100 and 110 ms. Based on 1 run of 2 ranks × 9 steps per side."
	if got := plain(textOf(r)); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	r = &diff.Report{Reason: verdict.ReasonNotRecorded, SameFiles: true}
	r.Headline.Of = verdict.Comparison{Reason: r.Reason, NotRecorded: [2]verdict.Need{1: {Kind: verdict.NeedRecord, What: "kernels"}}}
	if got, want := textOf(r), "Not recorded in the candidate. Needs kernels. Both sides are the same files."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	r = &diff.Report{Reason: verdict.ReasonNoise, SameFiles: true}
	r.Headline.Of = medianStep(r.Reason)
	r.Base.Missing, r.Cand.Files = []int{3, 4}, []run.File{{Err: "cut short"}}
	r.Base.WithoutSteps, r.Cand.WithoutSteps = []int{0, 1, 5}, []int{2}
	want = "The median step takes 100 and 110 ms. Based on 1 run of 2 ranks × 9 steps per side. 2 ranks of the baseline are missing: 3-4. 3 ranks of the baseline hold none of the steps compared: 0-1, 5. Rank 2 of the candidate holds none of the steps compared. 1 file of the candidate was left out. Both sides are the same files."
	if got := plain(textOf(r)); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	r.Reason, r.Headline.Of.Reason = verdict.ReasonNoSteps, verdict.ReasonNoSteps
	want = "Nothing is judged and no totals are compared: captures without steps may hold different amounts of work. Both sides are the same files."
	if got := textOf(r); got != want {
		t.Errorf("without steps: got %q", got)
	}
}

// medianStep is a step time that was compared, without an interval.
func medianStep(reason string) verdict.Comparison {
	c := verdict.Comparison{Key: run.Key{Metric: run.StepTime}, Reason: reason, Verdict: verdict.Unchanged, Base: 0.1, Cand: 0.11, Delta: 0.01,
		Estimate: none, Lo: none, Hi: none, Runs: [2]int{1, 1}, Ranks: [2]int{2, 2}, StepsUsed: 9}
	c.Metric.Unit, c.Metric.Subject = "s", "Step time"
	return c
}

// plain is a text with ordinary spaces.
func plain(text string) string { return strings.ReplaceAll(text, number.Space, " ") }

func textOf(r *diff.Report) string {
	a := AnswerOf(r)
	return a.Text()
}
