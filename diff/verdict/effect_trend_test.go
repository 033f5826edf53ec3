package verdict_test

import (
	"math"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff/difftest"
	"perfdiff/diff/verdict"
)

// TestEffectTrend: a change that grows over the run is told by both of its ends, where the
// slope is beyond chance; one that is a jump, or the same all along, is not.
func TestEffectTrend(t *testing.T) {
	side := func(seed uint64, at func(share float64) float64) *run.Set {
		w := difftest.NoisySteps(0.1, 0.005, seed)
		return difftest.One(60, 0, func(rank, s int) float64 { return w(rank, s) * at(float64(s)/59) })
	}
	flat := func(float64) float64 { return 1 }
	for _, tt := range []struct {
		name        string
		base, cand  func(float64) float64
		first, last float64
		want        string
	}{
		{"fades", func(x float64) float64 { return 1 + x }, flat, 0, -0.5, " at the first and 52 % at the last."},
		{"grows", flat, func(x float64) float64 { return math.Exp(0.1 + 0.4*x) }, math.Expm1(0.1), math.Expm1(0.5), ": by 16 % at the first and 64 % at the last."},
		{"one number", flat, func(float64) float64 { return 1.2 }, math.NaN(), math.NaN(), ""},
		{"a ramp on both sides", func(x float64) float64 { return 1 + x }, func(x float64) float64 { return 1.2 * (1 + x) }, math.NaN(), math.NaN(), ""},
		{"a jump", flat, func(x float64) float64 { return map[bool]float64{true: 1.4, false: 1}[x > 0.5] }, math.NaN(), math.NaN(), ""},
	} {
		r := difftest.Compare(side(1, tt.base), side(2, tt.cand))
		c := verdict.MetricOf(r.Metrics, "step_time")
		near := func(got, want float64) bool { return math.IsNaN(got) && math.IsNaN(want) || math.Abs(got-want) < 0.07 } // a warm-up may be cut
		if !near(c.FirstStep, tt.first) || !near(c.LastStep, tt.last) {
			t.Errorf("%s: got from %g to %g, want %g to %g", tt.name, c.FirstStep, c.LastStep, tt.first, tt.last)
		}
		if got := difftest.Plain(difftest.BasisOf(r)); !strings.Contains(got, tt.want) || tt.want == "" && strings.Contains(got, "at the first") {
			t.Errorf("%s: got %s", tt.name, got)
		}
	}
}
