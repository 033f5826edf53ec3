package diff

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"perfdiff/analyze/run"
)

// whole is a cell's runs with all metrics of a real capture.
func (c cell) whole(g *rand.Rand, label string, runs int) *run.Set {
	out := &run.Set{Label: label, Metrics: wholeMetrics}
	for i := range runs {
		r, _ := c.noise.simulate(g, fmt.Sprintf("%s%d", label, i), c.steps, c.ranks, g.NormFloat64(), 0)
		c.noise.parts(g, &r)
		out.Runs = append(out.Runs, r)
	}
	return out
}

// wholePast is a history of k such runs, a day apart.
func (c cell) wholePast(g *rand.Rand, k int) (out []*run.Set) {
	for i := range k {
		s := c.whole(g, fmt.Sprintf("past%02d", i), 1)
		for j := range s.Runs[0].Ranks {
			s.Runs[0].Ranks[j].Began = 1_700_000_000e9 + int64(i)*86400e9
		}
		out = append(out, s)
	}
	return out
}

// fails are the gating metrics that regressed under a policy.
func fails(base, cand *run.Set, policy Policy, past *past) (out []string) {
	p := newPair(base, cand, policy)
	p.past = past
	var r Report
	p.judge(&r)
	for i := range r.Metrics {
		if c := &r.Metrics[i]; c.Gate && c.Verdict == Regressed {
			out = append(out, c.Key.Metric)
		}
	}
	return out
}

// TestGateRates holds the default policy, with all metrics of a real capture: how often
// any gating metric fails without a change, and with one; beside it the same pairs with
// the step time as the only gating metric.
func TestGateRates(t *testing.T) {
	pairs := draws(t, 40)
	tell("")
	tell("The default policy with every gating metric of a capture, %d pairs a cell, in %%: fails at 0, +2, +3, +5, +10 %%, and with --gate step_time", pairs)
	only := DefaultPolicy()
	only.Gating = []string{"step_time"}
	policies := map[string]Policy{"default": DefaultPolicy(), "only": only}
	shifts := append([]float64{0}, powers...)
	for _, tau := range []float64{.005, .01, .02} {
		for _, m := range []struct{ base, cand, past int }{{1, 1, 0}, {2, 2, 0}, {3, 3, 0}, {5, 5, 0}, {10, 1, 0}, {1, 1, 5}, {1, 1, 10}, {3, 3, 10}} {
			if pairs < 500 && (tau != .01 || m.base == 2 || m.past == 5) {
				continue
			}
			c := cell{"typical", typical(tau), 100, 8, m.base}
			name := fmt.Sprintf("tau %g%% %dv%d history %d", 100*tau, m.base, m.cand, m.past)
			r := eachPair("gate "+name, pairs, func(g *rand.Rand, add func(string)) {
				base, cand := c.whole(g, "base", m.base), c.whole(g, "cand", m.cand)
				learned, _ := newPair(base, cand, DefaultPolicy()).newPast(c.wholePast(g, m.past))
				for _, shift := range shifts {
					changed := faster(cand, 1+shift)
					for name, policy := range policies {
						if failed := fails(base, changed, policy, learned); len(failed) > 0 {
							add(fmt.Sprintf("%s %g", name, shift))
							if shift == 0 && name == "default" && !slices.Contains(failed, "step_time") {
								add("parts")
							}
						}
					}
				}
			})
			line := fmt.Sprintf("%-28s", name)
			for _, policy := range []string{"default", "only"} {
				for _, shift := range shifts {
					line += fmt.Sprintf(" %6.1f", 100*r[fmt.Sprintf("%s %g", policy, shift)])
				}
				line += "  "
			}
			tell("%s by parts alone %4.1f", line, 100*r["parts"])
			holdGate(t, name, tau, m.base, m.cand, m.past, func(shift float64) float64 { return r[fmt.Sprintf("default %g", shift)] }, pairs)
		}
	}
}

func holdGate(t *testing.T, name string, tau float64, base, cand, past int, rate func(shift float64) float64, pairs int) {
	t.Helper()
	atMost(t, name+", false", rate(0), .035, pairs)
	if tau != .01 {
		return
	}
	for _, goal := range []struct {
		base, cand, past int
		shift, rate      float64
	}{{1, 1, 0, .10, .99}, {1, 1, 0, .05, .38}, {10, 1, 0, .05, .75}, {3, 3, 0, .03, .62}, {3, 3, 0, .05, .98}, {5, 5, 0, .05, .999}} {
		if goal.base == base && goal.cand == cand && goal.past == past {
			atLeast(t, fmt.Sprintf("%s, +%g %%", name, 100*goal.shift), rate(goal.shift), goal.rate, pairs)
		}
	}
}
