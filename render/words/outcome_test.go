package words

import (
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/verdict"
)

// TestOutcome: what is no verdict has words of its own, and only of steps people say slower.
func TestOutcome(t *testing.T) {
	step, share := run.Metric{Name: run.StepTime, Better: run.Lower}, run.Metric{Name: run.Overlap, Better: run.Higher}
	open := func(m run.Metric, estimate float64) diff.Report {
		c := verdict.Comparison{Key: run.Key{Metric: m.Name}, Metric: m, Estimate: estimate, Threshold: 0.02, Lo: estimate - 0.05, Hi: estimate + 0.05, Reason: verdict.ReasonManyMetrics}
		return diff.Report{Judged: true, Reason: c.Reason, Leans: c.Leans(), Headline: diff.Headline{Of: c}}
	}
	for _, tt := range []struct {
		want string
		r    diff.Report
	}{
		{"slower, not yet beyond chance", open(step, 0.04)},
		{"faster, not yet beyond chance", open(step, -0.04)},
		{"worse, not yet beyond chance", open(share, -0.04)},
		{"better, not yet beyond chance", open(share, 0.04)},
		{"regressed", diff.Report{Judged: true, Verdict: verdict.Regressed}},
		{"inconclusive", diff.Report{Judged: true}},
		{"passed", diff.Report{Judged: true, NoSignOfChange: true, Gate: diff.Gate{State: diff.GatePassed}}},
		{"not comparable", diff.Report{Judged: true, Reason: verdict.ReasonRankCount}},
		{"not judged", diff.Report{}},
	} {
		if got := Outcome(&tt.r); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
		if c := &tt.r.Headline.Of; tt.r.Leans != verdict.LeansNowhere && NotYet(c) != tt.want {
			t.Errorf("of the metric: got %q, want %q", NotYet(c), tt.want)
		}
	}
	for reason, want := range map[string]string{verdict.ReasonNotRecorded: "not recorded", verdict.ReasonNotJudged: "not judged", verdict.ReasonDecided: "improved"} {
		if got := MetricOutcome(&verdict.Comparison{Verdict: verdict.Improved, Reason: reason}); got != want {
			t.Errorf("%s: got %q, want %q", reason, got, want)
		}
	}
}
