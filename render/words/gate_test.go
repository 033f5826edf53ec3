package words

import (
	"reflect"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
)

// eachCause are causes of a gate, one of each kind, with their sentences.
func eachCause() ([]diff.GateCause, []string) {
	regressed := stepOf(verdict.ReasonDecided, verdict.Regressed, 0.078, 0.03, 0.13)
	lost := []diff.Lack{{Allow: policy.AllowRanks, Side: "candidate", Lost: 3, Of: 8}, {Allow: policy.AllowFiles, Side: "baseline", Lost: 1, Of: 1}, {Allow: policy.AllowRanks, Side: "baseline", Lost: 2, Of: 4}}
	return []diff.GateCause{
			{Kind: diff.CauseHeadline, Headline: &regressed},
			{Kind: diff.CauseRegressed, Of: &regressed.Of, Against: &diff.AnchorAt{Tag: "v1.2"}, Next: diff.NextTrend},
			{Kind: diff.CauseLooksWorse, Of: &regressed.Of, Next: diff.NextRuns},
			{Kind: diff.CauseSlowerKernel, Name: "gemm", Change: 0.25},
			{Kind: diff.CauseSlowerKernel, Name: "gemm", Change: 0.25, Call: true},
			{Kind: diff.CauseUndecided},
			{Kind: diff.CauseMissingRanks, Side: "baseline", Count: 2},
			{Kind: diff.CauseMissingFiles, Side: "candidate", Count: 1},
			{Kind: diff.CauseWarnings, Count: 1},
			{Kind: diff.CauseWarnings, Count: 3, Against: &diff.AnchorAt{First: 2}},
			{Kind: diff.CauseFindings, Name: "spike", Count: 1},
			{Kind: diff.CauseFindings, Name: "spike", Count: 4, Against: &diff.AnchorAt{Ago: 20}},
			{Kind: diff.CauseOfTheseRuns, Name: "straggler", Count: 2},
			{Kind: diff.CauseRegressed, Of: &regressed.Of, Against: &diff.AnchorAt{Tag: "v1.2"}, Next: diff.NextLevel, Step: &diff.StoreStep{From: "m30", By: .058}},
			{Kind: diff.CausePart, Part: &cause.Alone{Key: run.Key{Metric: run.KernelTime, Part: "gemm"}, Delta: .002}},
			{Kind: diff.CauseTooLittle, Lacks: lost[:1]},
			{Kind: diff.CauseNotMeasured, Lacks: lost},
			{Kind: diff.CauseNotAlike, Headline: &diff.Headline{Unlike: []diff.Unlike{diff.UnlikeNodes, diff.UnlikeRecorded}}},
			{Kind: "made up", Next: diff.NextRuns},
		}, []string{
			"Step time regressed by 7.8 %.",
			"Against v1.2: Step time regressed by 7.8 %. It came in small steps: perfdiff trend shows the runs.",
			"Step time looks worse by 7.8 %. Record runs until there are three per side: only they decide.",
			"The kernel gemm takes 25.0 % longer per step.",
			"The kernel gemm takes 25.0 % longer per call.",
			"The verdict is inconclusive.",
			"2 ranks of the baseline are missing.",
			"1 file of the candidate is left out.",
			"There is 1 warning.",
			"Against the first 2 runs of the store: There are 3 warnings.",
			"A finding of the kind spike fails by the policy.",
			"Against the level of 20 runs ago: 4 findings of the kind spike fail by the policy.",
			"2 findings of the kind straggler are about these runs alone and no reason to fail: three runs a side would tell whether that holds.",
			"Against v1.2: Step time regressed by 7.8 %. It came to main with m30 (+5.8 %): accept it with a waiver, or as the anchor.",
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
	older := same
	older.Against = &diff.AnchorAt{Ago: 20}
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
		{diff.GateFailed, []diff.GateCause{older}, "Gate: failed. Against the level of 20 runs ago: " + step},
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
