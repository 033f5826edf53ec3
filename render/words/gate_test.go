package words

import (
	"reflect"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/history"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
)

// slowed is a job of two runs that became slower with its second one.
func slowed() *history.Job {
	job := &history.Job{Runs: []history.Run{{Name: "a", From: run.Origin{Commit: "44ab01c"}}, {Name: "b", From: run.Origin{Commit: "9e1f2cd"}}}}
	step := history.Metric{Metric: run.Metric{Name: run.StepTime, Unit: "s"}, Relative: true, Creep: &history.Creep{Ago: 100, Size: .041}}
	step.Changes = []history.Change{{At: 1, First: 1, Last: 1, Size: .031, Commits: 1, Moved: []history.Moved{{Name: "compute", Before: .080, After: .0824}}}}
	job.Metrics = []history.Metric{step}
	return job
}

// eachCause are causes of a gate, one of each kind, with their sentences.
func eachCause() ([]diff.GateCause, []string) {
	regressed := stepOf(verdict.ReasonDecided, verdict.Regressed, 0.078, 0.03, 0.13)
	lost := []diff.Lack{{Allow: policy.AllowRanks, Side: "candidate", Lost: 3, Of: 8}, {Allow: policy.AllowFiles, Side: "baseline", Lost: 1, Of: 1}, {Allow: policy.AllowRanks, Side: "baseline", Lost: 2, Of: 4}}
	job := slowed()
	step := &job.Metrics[0]
	return []diff.GateCause{
			{Kind: diff.CauseHeadline, Headline: &regressed},
			{Kind: diff.CauseRegressed, Of: &regressed.Of},
			{Kind: diff.CauseLooksWorse, Of: &regressed.Of, Next: diff.NextRuns},
			{Kind: diff.CauseSlowerKernel, Name: "gemm", Change: 0.25},
			{Kind: diff.CauseSlowerKernel, Name: "gemm", Change: 0.25, Call: true},
			{Kind: diff.CauseUndecided},
			{Kind: diff.CauseMissingRanks, Side: "baseline", Count: 2},
			{Kind: diff.CauseMissingFiles, Side: "candidate", Count: 1},
			{Kind: diff.CauseWarnings, Count: 1},
			{Kind: diff.CauseWarnings, Count: 3},
			{Kind: diff.CauseFindings, Name: "spike", Count: 1},
			{Kind: diff.CauseFindings, Name: "spike", Count: 4},
			{Kind: diff.CauseOfTheseRuns, Name: "straggler", Count: 2},
			{Kind: diff.CauseMainChanged, Shift: &diff.MainChange{Job: job, Metric: step, Change: &step.Changes[0]}},
			{Kind: diff.CauseMainCrept, Shift: &diff.MainChange{Job: job, Metric: step, Creep: step.Creep}},
			{Kind: diff.CauseMainOff, Main: &diff.MainFindings{Again: true, Off: 4.26}, Next: diff.NextSame},
			{Kind: diff.CauseMainUnsure, Of: &regressed.Of, Next: diff.NextMain},
			{Kind: diff.CausePart, Part: &cause.Alone{Key: run.Key{Metric: run.KernelTime, Part: "gemm"}, Delta: .002}},
			{Kind: diff.CauseTooLittle, Lacks: lost[:1]},
			{Kind: diff.CauseNotMeasured, Lacks: lost},
			{Kind: diff.CauseNotAlike, Headline: &diff.Headline{Unlike: []diff.Unlike{diff.UnlikeNodes, diff.UnlikeRecorded}}},
			{Kind: "made up", Next: diff.NextRuns},
		}, []string{
			"Steps take 10 ms longer (+10 %).",
			"Step time regressed by 7.8 %.",
			"Step time looks worse by 7.8 %. Record runs until there are three per side: only they decide.",
			"The kernel gemm takes 25.0 % longer per step.",
			"The kernel gemm takes 25.0 % longer per call.",
			"The verdict is inconclusive.",
			"2 ranks of the baseline are missing.",
			"1 file of the candidate is left out.",
			"There is 1 warning.",
			"There are 3 warnings.",
			"A finding of the kind spike fails by the policy.",
			"4 findings of the kind spike fail by the policy.",
			"2 findings of the kind straggler are about these runs alone and no reason to fail: three runs per side would tell whether that holds.",
			"If it is to stay: perfdiff gate --store STORE --accept 9e1f2cd --metric step_time --up-to 4% --reason ... --by ...",
			"If what has crept until now is to stay: perfdiff gate --store STORE --accept 9e1f2cd --metric step_time --up-to 5% --reason ... --by ...",
			"Run this commit again and save that run too (run 1 of at most 3): this one is below main's level by 4.3 times what runs differ by.",
			"Step time is above main's level by 7.8 %, and main's newest run may be so too. Run main's newest commit again, and save that run: then this can be judged.",
			"The kernel gemm takes longer beyond what the others differ by: +2.00 ms per step.",
			"Too little is left to judge: 3 of 8 ranks of the candidate are missing.",
			"What was not measured does not pass: record it, or allow it with --allow missing-rank,missing-file.",
			"Run both sides on the same nodes and record both sides with the same profiler and options, or judge all the same with --force.",
			"",
		}
}

// TestGateSaysAll: each kind of cause has a sentence, and each field is in one of them.
func TestGateSaysAll(t *testing.T) {
	causes, want := eachCause()
	tried := map[diff.GateCauseKind]bool{}
	for i, got := range GateCauses(&diff.Gate{Causes: causes}) {
		if tried[causes[i].Kind] = true; plain(got) != want[i] {
			t.Errorf("%s:\n got %q\nwant %q", causes[i].Kind, plain(got), want[i])
		}
	}
	kinds := constants(t, "gate_cause.go", "GateCauseKind")
	if len(kinds) != len(gateCauses) || len(tried) != len(kinds)+1 {
		t.Errorf("there are %d kinds, %d with a sentence and %d tried", len(kinds), len(gateCauses), len(tried)-1)
	}
	for i := range reflect.TypeFor[diff.GateCause]().NumField() {
		used := false
		for j := range causes {
			used = used || !reflect.ValueOf(causes[j]).Field(i).IsZero()
		}
		if !used {
			t.Errorf("%s: no cause has it", reflect.TypeFor[diff.GateCause]().Field(i).Name)
		}
	}
}

// TestGateLine: what the headline says is not said twice, and everything else is said.
func TestGateLine(t *testing.T) {
	h := stepOf(verdict.ReasonDecided, verdict.Regressed, 0.078, 0.03, 0.13)
	other := h.Of
	other.Key.Metric, other.Metric.Subject = "idle_time", "Idle time"
	own := diff.GateCause{Kind: diff.CauseHeadline, Headline: &h}
	same := diff.GateCause{Kind: diff.CauseRegressed, Of: &h.Of}
	more := diff.GateCause{Kind: diff.CauseRegressed, Of: &other}
	two := []diff.GateCause{same, more}
	const step, idle = "Step time regressed by 7.8 %.", "Idle time regressed by 7.8 %."
	for _, tt := range []struct {
		state  diff.GateState
		causes []diff.GateCause
		want   string
	}{
		{diff.GatePassed, nil, ""},
		{diff.GateFailed, two[:1], ""},
		{diff.GateFailed, two, "Also failing: " + idle},
		{diff.GateFailed, two[1:], "Gate: failed. " + idle},
		{diff.GateWarned, two[:1], "Gate: warned. " + step},
		{diff.GateMoreRuns, two[1:], "Gate: more runs. " + idle},
		{diff.GateNotJudged, []diff.GateCause{own}, ""},
		{diff.GateNotJudged, []diff.GateCause{own, more}, "Gate: not judged. " + idle},
	} {
		r := &diff.Report{Headline: h, Gate: diff.Gate{State: tt.state, Causes: tt.causes}}
		if got := plain(GateLine(r)); got != tt.want {
			t.Errorf("%s, %d causes: got %q want %q", tt.state, len(tt.causes), got, tt.want)
		}
	}
	r := &diff.Report{Headline: h, Gate: diff.Gate{State: diff.GateFailed, Causes: two[:1]}}
	r.Headline.Lost = []diff.Lack{{}}
	if got := plain(GateLine(r)); !strings.HasSuffix(got, step) {
		t.Errorf("a headline that says something else: got %q", got)
	}
}
