package diff

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"perfdiff/analyze/metric"
	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
)

// TestWaiverSize: what is surely larger than a waiver lets through fails and says by how
// much, what is not passes and says what it is.
func TestWaiverSize(t *testing.T) {
	wait := run.Key{Metric: "input_wait_time"}
	share := run.Key{Metric: "overlap"}
	sides := func(step, input, overlap float64) *run.Set {
		var jobs []job
		for i := range 3 {
			jobs = append(jobs, job{ranks: upTo(2), steps: 40, step: steady(step, float64(i)),
				series: map[run.Key]func(int, int) float64{wait: steady(input, float64(i)), share: steady(overlap, float64(i))}})
		}
		return setOf("a", jobs...)
	}
	for _, tt := range []struct {
		name   string
		base   *run.Set
		cand   *run.Set
		metric string
		upTo   float64
		state  GateState
		says   string
	}{
		{"within", sides(.1, .02, .5), sides(.106, .02, .5), "step_time", .07, GatePassed, "Let through: why (me, up to 7\u202f%, until 2099-01-01)."},
		{"a little above", sides(.1, .02, .5), sides(.108, .02, .5), "step_time", .07, GatePassed, "by its estimate it is 1.0\u202fpts above the 7\u202f% that its waiver lets through"},
		{"far above", sides(.1, .02, .5), sides(.145, .02, .5), "step_time", .07, GateFailed, "Step time regressed by 45\u202f%, 38\u202fpts above the 7\u202f% that its waiver lets through."},
		{"a waiver of something else", sides(.1, .02, .5), sides(.145, .02, .5), "imbalance", .07, GateFailed, "Step time regressed by 45\u202f%."},
		{"faster", sides(.1, .02, .5), sides(.08, .02, .5), "step_time", .07, GatePassed, "Step time improved"},
		{"a share, within", sides(.1, .02, .5), sides(.1, .02, .45), "overlap", .07, GatePassed, ""},
		{"a share, above", sides(.1, .02, .5), sides(.1, .02, .2), "overlap", .07, GateFailed, "23\u202fpts above the 7\u202fpts that its waiver lets through"},
		{"a part, within", sides(.1, .02, .5), sides(.1, .03, .5), "input_wait_time", .6, GatePassed, ""},
		{"a part, above", sides(.1, .02, .5), sides(.1, .06, .5), "input_wait_time", .5, GateFailed, "above the"},
		{"a part that the baseline does not have", sides(.1, 0, .5), sides(.1, .05, .5), "input_wait_time", .1, GateFailed, "40.0\u202fms above the 10.0\u202fms that its waiver lets through"},
		{"likewise, within a share of the step", sides(.1, 0, .5), sides(.1, .05, .5), "input_wait_time", .6, GatePassed, ""},
	} {
		p := policy.DefaultPolicy()
		p.Waivers = []policy.Waiver{{Metric: tt.metric, Reason: "why", Owner: "me", Expires: "2099-01-01", UpTo: tt.upTo}}
		if err := p.Check(metric.Descriptions()); err != nil {
			t.Fatal(err)
		}
		r := Compare(tt.base, tt.cand, p, Options{})
		if r.Gate.State != tt.state || !strings.Contains(headlineOf(r)+" "+basisOf(r), tt.says) {
			t.Errorf("%s: got %v: %s %s", tt.name, r.Gate, headlineOf(r), basisOf(r))
		}
		// One that lets everything through that the other fails for passes.
		if tt.state == GateFailed && tt.metric != "imbalance" {
			p.Waivers[0].UpTo = .99
			if r := Compare(tt.base, tt.cand, p, Options{}); tt.metric == "step_time" && r.Gate.State != GatePassed {
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
			var jobs []job
			for i := range 3 {
				jobs = append(jobs, job{ranks: upTo(2), steps: 40, step: steady(step, float64(i)),
					series: map[run.Key]func(int, int) float64{share: steady(.5, float64(i))}})
			}
			return setOf("a", jobs...)
		}
		p := policy.DefaultPolicy()
		p.Gating = []string{"step_time", "overlap"}
		if waived > 0 {
			p.Waivers = []policy.Waiver{{Metric: "step_time", Reason: "why", Owner: "me", Expires: "2099-01-01", UpTo: waived}}
		}
		c := verdict.MetricOf(Compare(side(.1), side(step), p, Options{}).Metrics, "overlap")
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
		want GateState
	}{{1.06, GatePassed}, {1.09, GateMoreRuns}} {
		p := policy.DefaultPolicy()
		p.Escalate, p.Waivers = true, []policy.Waiver{{Metric: "step_time", Reason: "why", Owner: "me", Expires: "2099-01-01", UpTo: .07, Kind: ""}}
		base, cand := one(40, 0, steady(.1, 0)), one(40, 0, steady(.1*tt.by, 1))
		if r := Compare(base, cand, p, Options{}); r.Gate.State != tt.want {
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

// TestWaiverRates: under a waiver for 7 % a true rise by 6.9 % fails as seldom as an
// unchanged job does without one, and one by 45 % always. The other metrics find what they
// would without it.
func TestWaiverRates(t *testing.T) {
	pairs := draws(t, 40)
	tell("")
	tell("A waiver of the step time up to 7 %%, %d pairs a cell, in %%: fails at +6.9, +10, +15, +45 %%", pairs)
	rules := policy.DefaultPolicy()
	rules.Gating = []string{"step_time"}
	rules.Waivers = []policy.Waiver{{Metric: "step_time", Reason: "why", Owner: "me", Expires: "2099-01-01", UpTo: .07, Kind: ""}}
	for _, tau := range []float64{.01, .02} {
		for _, n := range []int{1, 3} {
			c := cell{"typical", typical(tau), 100, 8, n}
			r := eachPair(fmt.Sprint("waiver ", c), pairs, func(g *rand.Rand, add func(string)) {
				base, cand := c.pair(g)
				for _, shift := range []float64{.069, .10, .15, .45} {
					if len(fails(base, faster(cand, 1+shift), rules, nil)) > 0 {
						add(fmt.Sprint(shift))
					}
				}
			})
			tell("%-34s %6.1f %6.1f %6.1f %6.1f", c, 100*r["0.069"], 100*r["0.1"], 100*r["0.15"], 100*r["0.45"])
			atMost(t, fmt.Sprint("+6.9 %, ", c), r["0.069"], .035, pairs)
			atLeast(t, fmt.Sprint("+45 %, ", c), r["0.45"], .999, pairs)
		}
	}
}
