package verdict_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"perfdiff/analyze/metric"
	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/difftest"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
)

// TestWaiverSize: what is surely larger than a waiver lets through fails and says by how
// much, what is not passes and says what it is.
func TestWaiverSize(t *testing.T) {
	wait := run.Key{Metric: "input_wait_time"}
	share := run.Key{Metric: "overlap"}
	sides := func(step, input, overlap float64) *run.Set {
		var jobs []difftest.Job
		for i := range 3 {
			jobs = append(jobs, difftest.Job{Ranks: difftest.UpTo(2), Steps: 40, Step: difftest.Steady(step, float64(i)),
				Series: map[run.Key]func(int, int) float64{wait: difftest.Steady(input, float64(i)), share: difftest.Steady(overlap, float64(i))}})
		}
		return difftest.SetOf("a", jobs...)
	}
	for _, tt := range []struct {
		name   string
		base   *run.Set
		cand   *run.Set
		metric string
		upTo   float64
		state  diff.GateState
		says   string
	}{
		{"within", sides(.1, .02, .5), sides(.106, .02, .5), "step_time", .07, diff.GatePassed, "Let through: why (me, up to 7\u202f%, until 2099-01-01)."},
		{"a little above", sides(.1, .02, .5), sides(.108, .02, .5), "step_time", .07, diff.GatePassed, "by its estimate it is 1.0\u202fpoints above the 7\u202f% that its waiver lets through"},
		{"far above", sides(.1, .02, .5), sides(.145, .02, .5), "step_time", .07, diff.GateFailed, "Steps take 45\u202fms longer (+45\u202f%), 38\u202fpoints above the 7\u202f% that its waiver lets through."},
		{"a waiver of something else", sides(.1, .02, .5), sides(.145, .02, .5), "imbalance", .07, diff.GateFailed, "Steps take 45\u202fms longer (+45\u202f%)."},
		{"faster", sides(.1, .02, .5), sides(.08, .02, .5), "step_time", .07, diff.GatePassed, "Steps take 20\u202fms less"},
		{"a share, within", sides(.1, .02, .5), sides(.1, .02, .45), "overlap", .07, diff.GatePassed, ""},
		{"a share, above", sides(.1, .02, .5), sides(.1, .02, .2), "overlap", .07, diff.GateFailed, "23\u202fpoints above the 7\u202fpoints that its waiver lets through"},
		{"a part, within", sides(.1, .02, .5), sides(.1, .03, .5), "input_wait_time", .6, diff.GatePassed, ""},
		{"a part, above", sides(.1, .02, .5), sides(.1, .06, .5), "input_wait_time", .5, diff.GateFailed, "above the"},
		{"a part that the baseline does not have", sides(.1, 0, .5), sides(.1, .05, .5), "input_wait_time", .1, diff.GateFailed, "40.0\u202fms above the 10.0\u202fms that its waiver lets through"},
		{"likewise, within a share of the step", sides(.1, 0, .5), sides(.1, .05, .5), "input_wait_time", .6, diff.GatePassed, ""},
	} {
		p := policy.DefaultPolicy()
		p.Waivers = []policy.Waiver{{Metric: tt.metric, Reason: "why", Owner: "me", Expires: "2099-01-01", UpTo: tt.upTo}}
		if err := p.Check(metric.Descriptions()); err != nil {
			t.Fatal(err)
		}
		r := diff.Compare(tt.base, tt.cand, p, diff.Options{})
		if r.Gate.State != tt.state || !strings.Contains(difftest.HeadlineOf(r)+" "+difftest.BasisOf(r), tt.says) {
			t.Errorf("%s: got %v: %s %s", tt.name, r.Gate, difftest.HeadlineOf(r), difftest.BasisOf(r))
		}
		// One that lets everything through that the other fails for passes.
		if tt.state == diff.GateFailed && tt.metric != "imbalance" {
			p.Waivers[0].UpTo = .99
			if r := diff.Compare(tt.base, tt.cand, p, diff.Options{}); tt.metric == "step_time" && r.Gate.State != diff.GatePassed {
				t.Errorf("%s, up to 99 %%: got %v", tt.name, r.Gate)
			}
		}
	}
}

// TestWaivedIsNoClaim: a regression that fails lends its share of the error to the other
// metrics, whose intervals are narrower then. What its waiver lets through does not.
func TestWaivedIsNoClaim(t *testing.T) {
	share := run.Key{Metric: "overlap"}
	width := func(step, waived float64) float64 {
		side := func(step float64) *run.Set {
			var jobs []difftest.Job
			for i := range 3 {
				jobs = append(jobs, difftest.Job{Ranks: difftest.UpTo(2), Steps: 40, Step: difftest.Steady(step, float64(i)),
					Series: map[run.Key]func(int, int) float64{share: difftest.Steady(.5, float64(i))}})
			}
			return difftest.SetOf("a", jobs...)
		}
		p := policy.DefaultPolicy()
		p.Gating = []string{"step_time", "overlap"}
		if waived > 0 {
			p.Waivers = []policy.Waiver{{Metric: "step_time", Reason: "why", Owner: "me", Expires: "2099-01-01", UpTo: waived}}
		}
		c := verdict.MetricOf(diff.Compare(side(.1), side(step), p, diff.Options{}).Metrics, "overlap")
		return c.Hi - c.Lo
	}
	alone, fails := width(.1, 0), width(.2, 0)
	if !(fails < .9*alone) {
		t.Errorf("beside a step time that fails: got %g wide, want less than %g", fails, alone)
	}
	for _, c := range []struct{ step, waived, want float64 }{{.2, .999, alone}, {.2, .1, fails}, {.1, .07, alone}} {
		if got := width(c.step, c.waived); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("a step of %g s, up to %g let through: got %g wide, want %g", c.step, c.waived, got, c.want)
		}
	}
}

// TestWaiverAsks: with escalation an estimate above what is let through asks for more runs,
// and one within does not.
func TestWaiverAsks(t *testing.T) {
	for _, tt := range []struct {
		by   float64
		want diff.GateState
	}{{1.06, diff.GatePassed}, {1.09, diff.GateMoreRuns}} {
		p := policy.DefaultPolicy()
		p.Escalate, p.Waivers = true, []policy.Waiver{{Metric: "step_time", Reason: "why", Owner: "me", Expires: "2099-01-01", UpTo: .07, Kind: ""}}
		base, cand := difftest.One(40, 0, difftest.Steady(.1, 0)), difftest.One(40, 0, difftest.Steady(.1*tt.by, 1))
		if r := diff.Compare(base, cand, p, diff.Options{}); r.Gate.State != tt.want {
			t.Errorf("%g: got %v want %v", tt.by, r.Gate, tt.want)
		}
	}
}

func TestWaiverChecked(t *testing.T) {
	for _, tt := range []struct {
		waivers []policy.Waiver
		want    string
	}{
		{[]policy.Waiver{{Metric: "step_time", Reason: "why", Owner: "me", Expires: "2099-01-01", UpTo: 0, Kind: ""}}, "the waiver of step_time is up to 0"},
		{[]policy.Waiver{{Metric: "step_time", Reason: "why", Owner: "me", Expires: "2099-01-01", UpTo: 7, Kind: ""}}, "the waiver of step_time is up to 7"},
		{[]policy.Waiver{{Metric: "step_time", Reason: "why", Owner: "me", Expires: "2099-01-01", UpTo: .07, Kind: ""}, {Metric: "step_time", Reason: "why", Owner: "me", Expires: "2099-01-01", UpTo: .3, Kind: ""}}, "waived twice"},
		{[]policy.Waiver{{Metric: "tail", Reason: "why", Owner: "me", Expires: "2099-01-01", UpTo: 7, Kind: ""}}, ""},
	} {
		p := policy.DefaultPolicy()
		p.Waivers = tt.waivers
		if err := p.Check(metric.Descriptions()); fmt.Sprint(err) == "<nil>" != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v: got %v want %q", tt.waivers, err, tt.want)
		}
	}
}
