package words

import (
	"reflect"
	"slices"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// stepOf is the headline of a step time of which so much is known.
func stepOf(reason string, v verdict.Verdict, estimate, lo, hi float64) diff.Headline {
	c := medianStep(reason)
	c.Verdict, c.Estimate, c.Lo, c.Hi, c.Relative, c.Threshold = v, estimate, lo, hi, true, 0.02
	c.Metric.Better, c.RunsNeeded, c.Detectable80, c.Context = run.Lower, 3, 0.07, &verdict.ReasonContext{Paired: true}
	return diff.Headline{Of: c}
}

func TestHeadline(t *testing.T) {
	of := func(reason string, change func(*diff.Headline)) diff.Headline {
		h := stepOf(reason, verdict.Inconclusive, 0.04, -0.03, 0.11)
		if change != nil {
			change(&h)
		}
		return h
	}
	held := func(n int) func(*diff.Headline) { return func(h *diff.Headline) { h.Of.StepsUsed = n } }
	for _, tt := range []struct {
		h    diff.Headline
		want string
	}{
		{stepOf(verdict.ReasonDecided, verdict.Improved, -0.5, -0.52, -0.48), "Steps take 50 % less."},
		{stepOf(verdict.ReasonDecided, verdict.Regressed, 0.078, 0.03, 0.13), "Steps take 10 ms longer (+10 %)."},
		{stepOf(verdict.ReasonDecided, verdict.Unchanged, 0, -0.01, 0.01), "Steps take as long as before, within 1.0 %: 100 and 110 ms."},
		{of(verdict.ReasonNoise, nil), "No slowdown seen: 100 and 110 ms per step."},
		{of(verdict.ReasonNoise, func(h *diff.Headline) { h.Wide = true }),
			"No change seen, but anything between −3.0 and +11.0 % is possible."},
		{of(verdict.ReasonNoise, func(h *diff.Headline) { h.Within = true }),
			"No slowdown seen: 100 and 110 ms per step; what did change stands under Also."},
		{of(verdict.ReasonNoise, func(h *diff.Headline) { h.Of.Estimate, h.Of.Lo, h.Of.Hi = -0.01, -0.015, -0.005 }),
			"Step time changed by less than what matters: a rise is excluded."},
		{of(verdict.ReasonNeedsRuns, nil), "Cannot tell yet: anything between −3.0 and +11.0 % is possible. Two more runs per side should decide."},
		{of(verdict.ReasonManyMetrics, nil), "Steps took 10 ms longer (+10 %), but runs of this job may differ that much by themselves."},
		{of(verdict.ReasonManyMetrics, func(h *diff.Headline) { h.Of.Estimate = -0.04 }),
			"Steps took 4.0 % less, but runs of this job may differ that much by themselves."},
		{of(verdict.ReasonTooFewSteps, held(2)), "Too few steps to judge: only 2 steps in common. Record at least 3 after the warm-up, better 50."},
		{of(verdict.ReasonTooFewSteps, held(8)), "Cannot tell: only 8 steps in common, and a rise above 11 % is excluded."},
		{of(verdict.ReasonNoCommonSteps, nil), "Cannot tell yet. Record the same steps on both sides."},
		{of(verdict.ReasonNoCommonSteps, func(h *diff.Headline) { h.Of.Context.ByLoad = true }),
			"Cannot tell: steps of like load change over the run, and the sides hold other numbers of them."},
		{of(verdict.ReasonNoSteps, func(h *diff.Headline) { h.Silent = []string{"baseline", "candidate"} }),
			"No verdict: no steps were found in the baseline and in the candidate."},
		{of(verdict.ReasonNoSteps, func(h *diff.Headline) { h.Silent, h.LeftOut = []string{"candidate"}, true }),
			"No verdict: every step was left out in the candidate."},
		{of(verdict.ReasonNoSteps, func(h *diff.Headline) { h.CutAt = 30 }),
			"No verdict: the clock ended both captures after 30.0 s, and they hold different amounts of work."},
		{of(verdict.ReasonSameFiles, nil), "Nothing was measured: both sides are the same files."},
		{of(verdict.ReasonNotRecorded, nil), "No verdict: the step time was not recorded."},
		{of(verdict.ReasonKinds, nil), "No verdict: the step time is not judged."},
		{of(verdict.ReasonUnclear, func(h *diff.Headline) { h.Of.Context.Doubt = &sides.Doubt{Kind: sides.DoubtOtherRanks} }),
			"No verdict: no rank is on both sides."},
		{of(verdict.ReasonDecided, func(h *diff.Headline) {
			h.Lost = []diff.Lack{{Allow: policy.AllowFiles, Side: "baseline", Lost: 2, Of: 6}, {Allow: policy.AllowRanks, Side: "candidate", Lost: 1, Of: 3}}
		}), "Too little is left to judge: 2 of 6 files of the baseline could not be read; 1 of 3 ranks of the candidate is missing."},
		{of(verdict.ReasonDecided, func(h *diff.Headline) {
			h.Lost = []diff.Lack{{Allow: policy.AllowMetric, Side: "baseline", Kind: policy.KindOverlap},
				{Allow: policy.AllowMetric, Side: "baseline", Kind: policy.KindMemory}, {Allow: policy.AllowMetric, Side: "candidate", Kind: policy.KindMemory}}
		}), "Too little is left to judge: the baseline did not record what findings of the kind overlap are made of, which fail; " +
			"neither side recorded what findings of the kind memory are made of, which fail."},
		{of("made up", nil), ""},
	} {
		if got := plain(Headline(&tt.h)); got != tt.want {
			t.Errorf("%s:\n got %q\nwant %q", tt.h.Of.Reason, got, tt.want)
		}
	}
}

// TestHeadlineSaysAll: each reason has a headline, and each fact beside the comparison is in
// one of them.
func TestHeadlineSaysAll(t *testing.T) {
	reasons := map[string]bool{}
	for _, c := range eachReason() {
		reasons[c.Reason] = true
		if Headline(&diff.Headline{Of: c}) == "" {
			t.Errorf("%s: no headline", c.Reason)
		}
	}
	if len(reasons) != len(headlines) {
		t.Errorf("%d reasons are tried, and %d have a headline", len(reasons), len(headlines))
	}
	of := reflect.TypeFor[diff.Headline]()
	for i := range of.NumField() {
		if name := of.Field(i).Name; slices.Contains([]string{"Of", "Open", "Sum", "Because", "Whole", "AsksForRuns"}, name) { // see TestAnswer, the gate and the advice
			continue
		}
		told := false
		for _, c := range eachReason() {
			h := diff.Headline{Of: c, Step: &c, Mean: &c}
			if of.Field(i).Name == "Mean" {
				h.Mean = nil
			}
			if c.Reason == verdict.ReasonNeedsRuns { // of the mean, which is said without a reason
				h.Of.Key.Metric = run.StepTimeMean
			}
			if h.Mean == nil && h.Of.Key.Metric == run.StepTimeMean {
				continue
			}
			before := Headline(&h)
			switch f := reflect.ValueOf(&h).Elem().Field(i).Addr().Interface().(type) {
			case **cause.Jump:
				*f = &cause.Jump{SideLevel: &cause.SideLevel{LevelChange: &cause.LevelChange{Step: 3}}}
			case **verdict.Comparison:
				*f = &verdict.Comparison{Delta: -1, Base: 2, Cand: 1, Verdict: verdict.Improved, Reason: verdict.ReasonDecided}
			default:
				set(reflect.ValueOf(f).Elem())
			}
			told = told || Headline(&h) != before
		}
		if !told {
			t.Errorf("%s: no headline says it", of.Field(i).Name)
		}
	}
}

// TestGroundSaysAll: each text of what a headline stands on is in the basis of some reason.
func TestGroundSaysAll(t *testing.T) {
	of := reflect.TypeFor[diff.Ground]()
	for i := range of.NumField() {
		told := false
		for _, c := range eachReason() {
			c.Key.Metric = run.StepTime
			r := &diff.Report{Reason: c.Reason, Headline: diff.Headline{Of: c}, Ground: diff.Ground{Unit: &sides.OtherUnit{}},
				Loads: []sides.LoadGroup{{Base: sides.LoadSide{Compared: 3}}}}
			before := textOf(r)
			switch f := reflect.ValueOf(&r.Ground).Elem().Field(i).Addr().Interface().(type) {
			case **sides.OtherUnit:
				*f = &sides.OtherUnit{Kind: sides.UnitOff, Side: "baseline"}
			case **cause.Jump:
				*f = &cause.Jump{SideLevel: &cause.SideLevel{LevelChange: &cause.LevelChange{Step: 3}}}
			case *[]sides.Copies:
				*f = []sides.Copies{{Runs: []string{"a"}}}
			case *[][]float64:
				*f = [][]float64{{.1}, {.11}}
			case *[2]int:
				*f = [2]int{3, 0}
			default:
				set(reflect.ValueOf(f).Elem())
			}
			told = told || textOf(r) != before
		}
		if !told {
			t.Errorf("%s: no basis says it", of.Field(i).Name)
		}
	}
}

// set changes a field from its zero value.
func set(f reflect.Value) {
	switch f.Kind() {
	case reflect.Bool:
		f.SetBool(true)
	case reflect.Int:
		f.SetInt(2)
	case reflect.Float64:
		f.SetFloat(0.5)
	case reflect.String:
		f.SetString("this differs")
	case reflect.Pointer:
		f.Set(reflect.New(f.Type().Elem()))
	case reflect.Slice:
		f.Set(reflect.MakeSlice(f.Type(), 1, 1))
		if f.Index(0).Kind() == reflect.String {
			f.Index(0).SetString("this differs")
		}
	default:
		panic("a field is a " + f.Kind().String())
	}
}

// TestFirstLine: what a headline says of the step where one comparison does not say all of it.
func TestFirstLine(t *testing.T) {
	mean := func(v verdict.Verdict, base, cand float64) diff.Headline {
		h := stepOf(verdict.ReasonDecided, v, (cand-base)/base, 0.1, 0.4)
		step := stepOf(verdict.ReasonDecided, verdict.Unchanged, 0, -0.01, 0.01).Of
		h.Of.Key.Metric, h.Of.Base, h.Of.Cand, h.Of.Delta = run.StepTimeMean, base, cand, cand-base
		of := h.Of
		h.Step, h.Mean = &step, &of
		return h
	}
	with := func(h diff.Headline, change func(*diff.Headline)) diff.Headline { change(&h); return h }
	stalls := func(s cause.Stalls) func(*diff.Headline) { return func(h *diff.Headline) { h.Stalls = &s } }
	longest := cause.Longest{Run: "2", Step: 15, Time: 0.5, Usual: 0.1}
	jump := func(j cause.Jump) diff.Headline {
		h := stepOf(verdict.ReasonNoise, verdict.Inconclusive, 0.01, -0.03, 0.05)
		j.SideLevel = &cause.SideLevel{Side: "candidate", LevelChange: &cause.LevelChange{Step: 20, Before: .029, After: .0337, Change: .16, Lo: .15, Hi: .17}}
		h.Jump = &j
		return h
	}
	idle := verdict.Comparison{Key: run.Key{Metric: run.IdleTime}, Metric: run.Metric{Unit: "s", Traits: run.Traits{Subject: "Idle time"}},
		Verdict: verdict.Regressed, Reason: verdict.ReasonDecided, Estimate: .0044, Cand: .0044, Base: .0001, Lo: .003, Hi: .005}
	for _, tt := range []struct {
		h    diff.Headline
		want string
	}{
		{mean(verdict.Regressed, .1, .268), "The mean step rose from 100 to 268 ms; the median did not change."},
		{with(mean(verdict.Regressed, .1, .268), stalls(cause.Stalls{Side: "candidate", Steps: 1, Runs: 1, OfRuns: 3, Longest: longest})),
			"The mean step rose from 100 to 268 ms, because one step of run 2 of the candidate took 500 ms; the median did not change."},
		{with(mean(verdict.Regressed, .1, .268), stalls(cause.Stalls{Side: "candidate", Steps: 3, Runs: 3, OfRuns: 3, Longest: longest})),
			"The mean step rose from 100 to 268 ms, because of one stalled step in each run; the median did not change."},
		{with(mean(verdict.Improved, .268, .1), stalls(cause.Stalls{Side: "baseline", Steps: 4, Runs: 1, OfRuns: 1, Longest: longest})),
			"The mean step fell from 268 to 100 ms, because four steps of the baseline took up to 500 ms; the median did not change."},
		{with(mean(verdict.Regressed, .1, .268), stalls(cause.Stalls{Side: "candidate", Steps: 9, Runs: 2, OfRuns: 3, Longest: longest})),
			"The mean step rose from 100 to 268 ms, because of nine stalled steps in 2 of 3 runs of the candidate; the median did not change."},
		{with(mean(verdict.Regressed, .1, .12), stalls(cause.Stalls{Side: "candidate", Steps: 9, Runs: 1, OfRuns: 1, Period: 8, Longest: longest})),
			"The mean step rose from 100 to 120 ms, because every 8th step of the candidate takes far longer; the median did not change."},
		{jump(cause.Jump{}), "From step 20 on, steps take 4.7 ms longer (+16 %)."},
		{jump(cause.Jump{Match: cause.MatchesBefore}), "The baseline itself got slower at step 20; the candidate matches the time before."},
		{jump(cause.Jump{Match: cause.MatchesNeither}), "The baseline itself got slower at step 20; the candidate matches neither level."},
		{with(stepOf(verdict.ReasonDecided, verdict.Improved, -0.17, -0.2, -0.14), func(h *diff.Headline) { h.Secondary = []verdict.Comparison{idle} }),
			"Steps take 17.0 % less. Idle time rose by 4.40 ms."},
		{with(stepOf(verdict.ReasonNoise, verdict.Inconclusive, 0.01, -0.03, 0.05), func(h *diff.Headline) { s := h.Of; h.Step, h.Of = &s, idle }),
			"No change seen in the step as a whole; idle time regressed by 4.40 ms."},
		{with(stepOf(verdict.ReasonDecided, verdict.Unchanged, 0, -0.01, 0.01), func(h *diff.Headline) { s := h.Of; h.Step, h.Of = &s, idle }),
			"Steps take as long as before; idle time regressed by 4.40 ms."},
		{with(stepOf(verdict.ReasonNoise, verdict.Inconclusive, 0.01, -0.03, 0.05), func(h *diff.Headline) {
			h.Growth = &[2]cause.Line{{}, {First: .1, Last: .15}}
			h.Of.StepsUsed = 60
		}), "Steps get slower as the run goes on: from 100 to 150 ms over 60 steps."},
	} {
		if got := plain(Headline(&tt.h)); got != tt.want {
			t.Errorf("got  %q\nwant %q", got, tt.want)
		}
	}
}
