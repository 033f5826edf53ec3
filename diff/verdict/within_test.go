package verdict_test

import (
	"math"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/difftest"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
)

// TestTippingFlips: taken to differ by a little less than the tipping point, runs show the
// change beyond chance; by a little more, they do not. So it is with few steps, and where
// all gating metrics share the error.
func TestTippingFlips(t *testing.T) {
	side := func(level, seed float64, steps int) *run.Set {
		return difftest.SetOf("x", difftest.Job{Ranks: difftest.UpTo(4), First: 11, Steps: steps, Step: difftest.Steady(level, seed), Series: map[run.Key]func(int, int) float64{
			{Metric: "compute_time"}: difftest.Steady(0.07, seed+2), {Metric: "idle_time"}: difftest.Steady(0.01, seed+3), {Metric: "exposed_comm_time"}: difftest.Steady(0.01, seed+4)}})
	}
	for _, tt := range []struct {
		name  string
		level float64
		steps int
		floor func(*policy.Policy) *float64
	}{
		{"slower", 0.109, 60, func(p *policy.Policy) *float64 { return &p.Floor }},
		{"not yet beyond chance", 0.104, 60, func(p *policy.Policy) *float64 { return &p.Floor }},
		{"half", 0.05, 60, func(p *policy.Policy) *float64 { return &p.Floor }},
		{"few steps", 0.08, 8, func(p *policy.Policy) *float64 { return &p.FewFloor }},
	} {
		base, cand := side(0.1, 0, tt.steps), side(tt.level, 1, tt.steps)
		at := verdict.MetricOf(diff.Compare(base, cand, policy.DefaultPolicy(), diff.Options{}).Metrics, "step_time").Tipping
		decided := func(floor float64) bool {
			policy := policy.DefaultPolicy()
			*tt.floor(&policy) = floor
			v := diff.Compare(base, cand, policy, diff.Options{}).Verdict
			return v == verdict.Regressed || v == verdict.Improved
		}
		if !(at > 0) || !decided(at*0.99) || decided(at*1.01) {
			t.Errorf("%s: tipping at %g: decided below it %v, above it %v", tt.name, at, decided(at*0.99), decided(at*1.01))
		}
	}
}

// TestWithinRuns: what is certain of these very runs is said apart from what runs differ
// by, where a change that matters is seen, and the interval between runs holds that within.
func TestWithinRuns(t *testing.T) {
	one := func(level, seed float64) *run.Set {
		return difftest.SetOf("x", difftest.Job{Ranks: difftest.UpTo(4), First: 11, Steps: 60, Step: difftest.Steady(level, seed)})
	}
	for _, tt := range []struct {
		level      float64
		want, tips string
	}{
		{0.109, "Slower? Yes, by 2.5 to 16 % (95 % interval between runs; limit 2 %).", "; it could be chance only if they differ by 2.1 % or more."},
		{0.092, "Faster? Yes, by 2.2 to 13 % (95 % interval between runs; limit 2 %).", "; it could be chance only if they differ by 2.1 % or more."},
		{0.104, "Slower? In these two runs yes, by 3.9 to 4.2 %; between runs anything from -1.2 % to +9.6 % (95 % interval between runs; limit 2 %).", "; it would be beyond chance only if they differ by less than 1.1 %."},
		{0.1003, "", "or --history with earlier runs."},
	} {
		r := diff.Compare(one(0.1, 0), one(tt.level, 1), policy.DefaultPolicy(), diff.Options{})
		c, got := verdict.MetricOf(r.Metrics, "step_time"), difftest.Plain(difftest.BasisOf(r))
		if !strings.Contains(got, tt.want) || !strings.HasSuffix(got, tt.tips) || tt.want == "" && strings.Contains(got, "in these two runs") {
			t.Errorf("%g: got %s", tt.level, got)
		}
		if !(c.Lo <= c.WithinLo && c.WithinLo <= c.Estimate && c.Estimate <= c.WithinHi && c.WithinHi <= c.Hi) {
			t.Errorf("%g: [%g, [%g, %g, %g], %g]", tt.level, c.Lo, c.WithinLo, c.Estimate, c.WithinHi, c.Hi)
		}
	}
	ragged := func(by int) *run.Set {
		return difftest.SetOf("x", difftest.Job{Ranks: difftest.UpTo(4), First: 11, Steps: 12, Step: func(_, s int) float64 { return 0.1 * (1 + 0.3*math.Sin(float64(s*s*by))) }})
	}
	if c := verdict.MetricOf(diff.Compare(ragged(3), ragged(7), policy.DefaultPolicy(), diff.Options{}).Metrics, "step_time"); c.Tipping != 0 && !(c.Tipping < c.Floor) {
		t.Errorf("steps that differ far more than the sides: got %g", c.Tipping)
	}
}
