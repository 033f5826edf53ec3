package verdict_test

import (
	"math"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/difftest"
	"perfdiff/diff/policy"
	"perfdiff/diff/stat"
	"perfdiff/diff/verdict"
)

// TestLeans: what is not decided leans to a side where the estimate matters and a change by
// the threshold the other way is excluded, and the other way round where the sides change
// places.
func TestLeans(t *testing.T) {
	step := run.Metric{Name: "step_time", Unit: "s", Better: run.Lower}
	overlap := run.Metric{Name: "overlap", Unit: "ratio", Better: run.Higher}
	for _, tt := range []struct {
		name             string
		metric           run.Metric
		estimate, lo, hi float64
		reason           string
		want, mirrored   verdict.Leaning
	}{
		{"slower", step, 0.05, -0.01, 0.11, verdict.ReasonNeedsRuns, verdict.LeansWorse, verdict.LeansBetter},
		{"just excluded", step, 0.05, -0.0195, 0.11, verdict.ReasonNeedsRuns, verdict.LeansWorse, verdict.LeansBetter},
		{"just not excluded", step, 0.05, -0.0198, 0.11, verdict.ReasonNeedsRuns, verdict.LeansNowhere, verdict.LeansNowhere},
		{"either way", step, 0.03, -0.04, 0.10, verdict.ReasonNeedsRuns, verdict.LeansNowhere, verdict.LeansNowhere},
		{"Holm", step, 0.05, -0.03, 0.13, verdict.ReasonManyMetrics, verdict.LeansWorse, verdict.LeansBetter},
		{"below the threshold", step, 0.01, -0.01, 0.03, verdict.ReasonNoise, verdict.LeansNowhere, verdict.LeansNowhere},
		{"few steps", step, 0.10, -0.01, 0.25, verdict.ReasonTooFewSteps, verdict.LeansNowhere, verdict.LeansNowhere},
		{"on a trend", step, 0.10, 0.01, 0.25, verdict.ReasonNoCommonSteps, verdict.LeansNowhere, verdict.LeansNowhere},
		{"a share", overlap, 0.05, -0.01, 0.11, verdict.ReasonNeedsRuns, verdict.LeansBetter, verdict.LeansWorse},
	} {
		c := verdict.Comparison{Key: run.Key{Metric: tt.metric.Name}, Metric: tt.metric, Relative: tt.metric.Unit == "s", LogScale: tt.metric.Unit == "s",
			Estimate: tt.estimate, Lo: tt.lo, Hi: tt.hi, Threshold: 0.02, Reason: tt.reason}
		if got := c.Leans(); got != tt.want {
			t.Errorf("%s: got %d, want %d", tt.name, got, tt.want)
		}
		turned := func(v float64) float64 {
			if c.LogScale {
				return 1/(1+v) - 1
			}
			return -v
		}
		c.Estimate, c.Lo, c.Hi = turned(tt.estimate), turned(tt.hi), turned(tt.lo)
		if got := c.Leans(); got != tt.mirrored {
			t.Errorf("%s, sides the other way round: got %d, want %d", tt.name, got, tt.mirrored)
		}
		c.Verdict = verdict.Improved
		if got := c.Leans(); got != verdict.LeansNowhere {
			t.Errorf("%s: what is decided leans to %d", tt.name, got)
		}
	}
}

// TestOrdinary: an unchanged pair passes with the size that it would have shown, by the
// level that the step time is held to; what the policy fails on does not change its words.
func TestOrdinary(t *testing.T) {
	one := func(level, seed float64) *run.Set {
		return difftest.SetOf("x", difftest.Job{Ranks: difftest.UpTo(4), First: 11, Steps: 60, Step: difftest.Steady(level, seed)})
	}
	rules := policy.DefaultPolicy()
	r := diff.Compare(one(0.1, 0), one(0.1005, 1), rules, diff.Options{})
	c := verdict.MetricOf(r.Metrics, "step_time")
	if r.Outcome() != verdict.OutcomePassed || !r.NoSignOfChange || !r.NeedsNoLook() || r.Leans != verdict.LeansNowhere {
		t.Errorf("got %d, quiet %v, calm %v", r.Outcome(), r.NoSignOfChange, r.NeedsNoLook())
	}
	least := stat.Effect{SE: rules.Floor * math.Sqrt2, DF: 8, NA: 1, NB: 1}
	size := math.Expm1(stat.Shown(least, stat.Limits{Alpha: rules.Alpha, Threshold: rules.Threshold}))
	if !(c.Detectable80 > size*0.99) || c.Detectable80 > 1.1*size || c.Detectable80 <= c.Detectable {
		t.Errorf("got %.4f shown, want about %.4f and more than %.4f", c.Detectable80, size, c.Detectable)
	}
	rules.FailOn = []string{"regressed", "inconclusive"}
	if r = diff.Compare(one(0.1, 0), one(0.1005, 1), rules, diff.Options{}); r.Outcome() != verdict.OutcomeInconclusive || r.Gate.State != diff.GateFailed || r.NeedsNoLook() {
		t.Errorf("failing on no verdict: got %d and %s", r.Outcome(), r.Gate.State)
	}
	rules = policy.DefaultPolicy()
	for level, want := range map[float64]verdict.Leaning{0.104: verdict.LeansWorse, 0.096: verdict.LeansBetter} {
		r = diff.Compare(one(0.1, 0), one(level, 1), rules, diff.Options{})
		if r.Outcome() != verdict.OutcomeLeans || r.Leans != want || r.NeedsNoLook() != (level < 0.1) || r.Verdict != verdict.Inconclusive || r.Gate.State != diff.GatePassed {
			t.Errorf("%g: got %d to %d, calm %v, %s; want %d", level, r.Outcome(), r.Leans, r.NeedsNoLook(), r.Gate.State, want)
		}
	}
	rules.Escalate = true
	r = diff.Compare(one(0.1, 0), one(0.104, 1), rules, diff.Options{})
	want := "Steps took 4.0 ms longer (+4.0 %), but runs of this job may differ that much by themselves. " +
		"Gate: more runs. Step time looks worse by 4.0 %. Record runs until there are three per side: only they decide."
	if got := difftest.Plain(difftest.HeadlineOf(r) + " " + difftest.GateLineOf(r)); r.Gate.State != diff.GateMoreRuns || got != want {
		t.Errorf("escalation asks in two ways: %q", got)
	}
}
