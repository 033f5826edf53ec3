package words

import (
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
)

// slower is a report on steps that take 29.1 and 34.1 ms, in one run per side, with rank 3 late.
func slower() *diff.Report {
	rank3 := cause.Finding{Kind: policy.KindStraggler, Effect: .005, Delta: .005, Base: 0, Cand: .005, Unit: "s", Advice: cause.Advice{Kind: cause.AdviceLate, Of: run.Key{Metric: run.ComputeTime}},
		Late: &cause.LateChange{OnOtherSide: none, Cand: &cause.Late{Kind: cause.LateRank, Ranks: []int{3}, Share: 1, LongerIn: []run.Key{{Metric: run.ComputeTime}}, LongerBy: []float64{.005}}}}
	r := &diff.Report{Judged: true, Verdict: verdict.Regressed, Findings: []cause.Finding{rank3}}
	r.Base.Runs, r.Cand.Runs = []string{"a"}, []string{"b"}
	r.Policy.Alpha, r.Gate.State = 0.05, diff.GateFailed
	step := stepOf(verdict.ReasonDecided, verdict.Regressed, .172, .12, .24).Of
	step.Base, step.Cand, step.Delta, step.FirstStep, step.LastStep = .0291, .0341, .005, none, none
	step.Floor, step.Tipping, step.Runs = .015, .047, [2]int{1, 1}
	whole := step
	whole.Key.Metric = run.StepTimeMean
	part := func(kind string, base, cand, lo, hi float64, finding int, follows bool) cause.SumRow {
		return cause.SumRow{PartChange: cause.PartChange{Kind: kind, Base: base, Cand: cand, Delta: cand - base, Lo: lo, Hi: hi}, Finding: finding, Follows: follows}
	}
	sum := &cause.Sum{OfPath: true, Steps: 23, Longer: 23, Same: 23, Other: .00004, Base: .02912, Cand: .03414, Delta: .00502, Rows: []cause.SumRow{
		part("compute", .02508, .03006, .0034, .0065, 0, false), part("wait", .0001, .0044, .003, .005, -1, true), part(cause.Rest, .00404, .00408, none, none, -1, false)}}
	r.Sum = sum
	r.Headline = diff.Headline{Of: step, Whole: &whole, Sum: sum, Because: &r.Findings[0]}
	return r
}

// TestAnswer: the first lines say what happened and why, how sure that is, whether the change is to blame, what it is
// made of in numbers that add up as printed, and what each outcome of the next run would mean.
func TestAnswer(t *testing.T) {
	a := AnswerOf(slower())
	for want, got := range map[string]string{
		"SLOWER": a.Tag, "Steps take 5.0 ms longer (+17 %), because rank 3 computes longer than the others.": plain(a.Headline),
		"The mean step went from 29.1 to 34.1 ms.": plain(a.Story), "No other single part of the critical path moved by more than 0.1 ms.": plain(a.Still),
		"yes, by 12 to 24 % (95 % interval between runs; limit 2 %), in all 23 steps": plain(a.Facts[0][1]),
		"open: it looks like the machine, since only rank 3 is slow":                  plain(a.Facts[1][1]),
	} {
		if got != want {
			t.Errorf("got  %q\nwant %q", got, want)
		}
	}
	if !strings.HasPrefix(a.Next, "Run each side once more, with rank 3 on another device: ") || !strings.Contains(a.Next, "Compare the devices") {
		t.Errorf("next is %q", a.Next)
	}
	var got []string
	for _, x := range a.Sum.Rows {
		got = append(got, strings.Join([]string{x.Name, x.Base, x.Cand, x.Change}, " "))
	}
	want := []string{"Compute of the last rank 25.1 30.1 +5.0", "ranks wait for it, on average 0.1 4.4 +4.3", "Everything else 4.0 4.0 ~", "Step, mean of 23 29.1 34.1 +5.0"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// TestTag: the tag is about the runs, and says what qualifies it.
func TestTag(t *testing.T) {
	for want, change := range map[string]func(*diff.Report){
		"SLOWER":                           func(*diff.Report) {},
		"FASTER":                           func(r *diff.Report) { r.Verdict = verdict.Improved },
		"SLOWER, BUT RECORDED DIFFERENTLY": func(r *diff.Report) { r.Headline.Unlike = []diff.Unlike{diff.UnlikeRecorded} },
		"SLOWER, BUT ON OTHER MACHINES":    func(r *diff.Report) { r.Headline.Unlike = []diff.Unlike{diff.UnlikeNodes} },
		"WORSE": func(r *diff.Report) {
			r.Headline.Step = &verdict.Comparison{}
			r.Headline.Of.Key.Metric = run.Overlap
		},
		"UNCHANGED": func(r *diff.Report) { r.Verdict = verdict.Unchanged },
		"NOT SURE":  func(r *diff.Report) { r.Verdict = verdict.Inconclusive },
		"PASSED": func(r *diff.Report) {
			r.Verdict, r.NoSignOfChange, r.Gate.State = verdict.Inconclusive, true, diff.GatePassed
		},
		"LOOKS SLOWER": func(r *diff.Report) {
			r.Verdict, r.Leans = verdict.Inconclusive, verdict.LeansWorse
		},
		"SLOWER FROM STEP 15 ON": func(r *diff.Report) {
			r.Verdict = verdict.Inconclusive
			r.Headline.Jump = &cause.Jump{SideLevel: &cause.SideLevel{LevelChange: &cause.LevelChange{Step: 15, Change: .2}}}
		},
		"SLOWER AS IT RUNS": func(r *diff.Report) {
			r.Verdict, r.Headline.Growth = verdict.Inconclusive, &[2]cause.Line{}
		},
		"NOT JUDGED": func(r *diff.Report) { r.Judged = false },
	} {
		r := slower()
		change(r)
		if got := Tag(r); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestBlame: whether the change is to blame is another question than whether steps are slower, and its answer names what
// it stands on.
func TestBlame(t *testing.T) {
	compute := func(kind cause.ClauseKind) func(*diff.Report) {
		return func(r *diff.Report) {
			f := cause.NewFinding(policy.KindCompute)
			f.Effect, f.Clauses = .005, []cause.Clause{{Kind: kind}}
			r.Headline.Because = &f
		}
	}
	for want, change := range map[string]func(*diff.Report){
		"open: it looks like the machine":            func(*diff.Report) {},
		"unlikely: the clock of the GPUs moved":      compute(cause.ClauseClockMoved),
		"open: all kernels moved alike":              compute(cause.ClauseAllTake),
		"likely: it is something that code does":     compute(cause.ClauseFamily),
		"open: nothing that was recorded tells":      func(r *diff.Report) { r.Headline.Because = nil },
		"cannot be told: the sides ran on different": func(r *diff.Report) { r.Headline.Unlike = []diff.Unlike{diff.UnlikeNodes} },
		"open: seen in 1 run per side, which may": func(r *diff.Report) {
			compute(cause.ClauseFamily)(r)
			r.Headline.Of.Tipping = .02
		},
		"open: seen in 1 run per side": func(r *diff.Report) {
			r.Verdict, r.Headline.Mean = verdict.Inconclusive, r.Headline.Whole
		},
	} {
		r := slower()
		change(r)
		if got := Blame(r); !strings.HasPrefix(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	for _, change := range []func(*diff.Report){func(r *diff.Report) { r.Judged = false }, func(r *diff.Report) { r.Verdict = verdict.Unchanged }} {
		r := slower()
		if change(r); Blame(r) != "" {
			t.Errorf("nothing changed, and %q", Blame(r))
		}
	}
}

func TestSpan(t *testing.T) {
	for want, ends := range map[string][2]float64{"12 to 24 %": {.12, .24}, "1.5 to 15 %": {.0147, .147}, "50 to 56 %": {-.56, -.5}, "−2.1 % to +29 %": {-.021, .293}, "0.5 to 3.1 times": {.005, 2.1}} {
		if got := plain(span(ends[0], ends[1])); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}
