package diff_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/difftest"
	"perfdiff/diff/policy"
	"perfdiff/diff/stat"
	"perfdiff/diff/verdict"
)

// shapeVerdict is the verdict on one of the metrics of how runs go on.
func shapeVerdict(p *cause.Causes, name string) verdict.Comparison {
	main, detail := verdict.NewTrial(p.Terms).Shape()
	for _, c := range append(main, detail...) {
		if c.Key.Metric == name {
			return c
		}
	}
	panic("no metric " + name)
}

// planted are pairs whose candidate differs as change says, with the verdicts
// on a metric.
func planted(c cell, metric string, pairs int, change func(*noise)) map[string]float64 {
	return eachPair(fmt.Sprint(metric, c, change != nil), pairs, func(g *rand.Rand, add func(string)) {
		var base, cand []run.Run
		slowest := -1
		other := c.noise
		if change != nil {
			change(&other)
		}
		for i := range c.runs {
			b, _ := c.noise.simulate(g, fmt.Sprint("b", i), c.steps, c.ranks, g.NormFloat64(), 0)
			d, slow := other.simulate(g, fmt.Sprint("c", i), c.steps, c.ranks, g.NormFloat64(), 0)
			base, cand, slowest = append(base, b), append(cand, d), slow
		}
		p := difftest.NewPair(set("base", base...), set("cand", cand...), policy.DefaultPolicy())
		p.Past, _ = verdict.NewPast(p.Lined, nil, c.noise.past(g, 10, c.steps, c.ranks))
		learned := shapeVerdict(p, metric)
		add("history " + learned.Verdict.String())
		p.Past = nil
		declared := shapeVerdict(p, metric)
		add("floor " + declared.Verdict.String())
		if who := declared.Note.Slowest; len(who) == 2 && who[1].Rank == slowest {
			add("named")
		}
	})
}

// TestImbalanceRates holds G11.
func TestImbalanceRates(t *testing.T) {
	pairs := draws(t, 100)
	tell("")
	tell("Imbalance, one rank slower by 5 %% of R, 1v1, floor, in %%: regressed with none, regressed, rank named")
	for _, ranks := range []int{8, 16, 64} {
		c := cell{"typical", typical(.01), 100, ranks, 1}
		if pairs < 500 && ranks > 16 {
			continue
		}
		same := planted(c, "imbalance", pairs, nil)
		slow := planted(c, "imbalance", pairs, func(n *noise) { n.slowRank = .05 })
		tell("R %-3d %5.1f %6.1f %6.1f", ranks, 100*same["floor regressed"], 100*slow["floor regressed"], 100*slow["named"])
		atMost(t, fmt.Sprint("G11, none, R ", ranks), same["floor regressed"], .01, pairs)
		atLeast(t, fmt.Sprint("G11, found, R ", ranks), slow["floor regressed"], .90, pairs)
		atLeast(t, fmt.Sprint("G11, named, R ", ranks), slow["named"], .99, pairs)
	}
}

// TestDriftRates holds G12.
func TestDriftRates(t *testing.T) {
	pairs := draws(t, 60)
	tell("")
	tell("Drift of 10 %% over 100 steps, history of 10 runs and floor, in %%: regressed with none, regressed")
	for _, c := range []cell{
		{"typical", typical(.01), 100, 8, 1}, {"typical", typical(.01), 100, 8, 3}, {"harsh", harsh(.01), 100, 8, 1},
		{"harsh", harsh(.01), 100, 8, 3}, {"ramp", ramping(.01), 100, 8, 1},
	} {
		same := planted(c, "drift", pairs, nil)
		more := planted(c, "drift", pairs, func(n *noise) { n.addDrift = .10 })
		tell("%-34s history %5.1f %6.1f   floor %5.1f %6.1f", c, 100*same["history regressed"], 100*more["history regressed"], 100*same["floor regressed"], 100*more["floor regressed"])
		atMost(t, fmt.Sprint("G12, none, ", c), same["history regressed"], .04, pairs)
		if c.name == "typical" {
			atLeast(t, fmt.Sprint("G12, ", c), more["history regressed"], map[int]float64{1: .90, 3: .99}[c.runs], pairs)
		}
	}
}

// TestLevelFindingRates: how often a change of level inside runs is a finding where none
// was planted, and where one was.
func TestLevelFindingRates(t *testing.T) {
	pairs := draws(t, 40)
	tell("")
	tell("Change of level from three fifths of the run on, without history, in %%: worse or better with none, look with none; worse with +30 %%, its step to one, worse with +10 %%")
	for _, c := range []cell{
		{"typical", typical(.01), 100, 8, 1}, {"typical", typical(.01), 50, 8, 1}, {"typical", typical(.01), 50, 8, 3},
		{"harsh", harsh(.01), 50, 8, 1},
	} {
		found := func(jump float64) map[string]float64 {
			return eachPair(fmt.Sprint("level", c, jump), pairs, func(g *rand.Rand, add func(string)) {
				var base, cand []run.Run
				other := c.noise
				other.jump = jump
				for i := range c.runs {
					b, _ := c.noise.simulate(g, fmt.Sprint("b", i), c.steps, c.ranks, g.NormFloat64(), 0)
					d, _ := other.simulate(g, fmt.Sprint("c", i), c.steps, c.ranks, g.NormFloat64(), 0)
					base, cand = append(base, b), append(cand, d)
				}
				r := diff.Compare(set("base", base...), set("cand", cand...), policy.DefaultPolicy(), diff.Options{})
				for _, f := range r.Findings {
					if f.Metric == "drift" && strings.HasPrefix(difftest.TextOf(r, &f), "From step") {
						add(f.Class.String())
					}
				}
				if l := r.Cand.Stability[0].Level; l != nil && math.Abs(float64(l.Step)-math.Ceil(.6*float64(c.steps))) <= 1 {
					add("step")
				}
			})
		}
		same, thirty, ten := found(0), found(.3), found(.1)
		tell("%-34s %5.1f %5.1f   %5.1f %5.1f %5.1f", c, 100*(same["worse"]+same["better"]), 100*same["look"], 100*thirty["worse"], 100*thirty["step"], 100*ten["worse"])
		atMost(t, fmt.Sprint("level, none, ", c), same["worse"]+same["better"], .02, pairs)
		atMost(t, fmt.Sprint("level, none, to look at, ", c), same["look"], .04, pairs)
		if c.name == "typical" {
			atLeast(t, fmt.Sprint("level +30 %, ", c), thirty["worse"], .90, pairs)
			atLeast(t, fmt.Sprint("level +30 %, its step, ", c), thirty["step"], .90, pairs)
		}
	}
}

// TestTailRates: events are few, and so is the power to find more of them.
func TestTailRates(t *testing.T) {
	pairs := draws(t, 60)
	tell("")
	tell("Tail, spikes in 5 %% of steps in place of 1 %%, in %%: regressed with none, regressed")
	for _, n := range []int{1, 3} {
		c := cell{"typical", typical(.01), 100, 8, n}
		same := planted(c, "tail", pairs, nil)
		more := planted(c, "tail", pairs, func(n *noise) { n.spikes = .05 })
		tell("%-34s history %5.1f %6.1f   floor %5.1f %6.1f", c, 100*same["history regressed"], 100*more["history regressed"], 100*same["floor regressed"], 100*more["floor regressed"])
		atMost(t, fmt.Sprint("tail, none, ", c), same["history regressed"], .026, pairs)
		atMost(t, fmt.Sprint("tail without history, none, ", c), same["floor regressed"], .026, pairs)
	}
}

// TestManyMetricsRates holds G9: ten metrics that go together by half, as
// scalars of runs.
func TestManyMetricsRates(t *testing.T) {
	pairs := draws(t, 2000)
	limits := stat.Limits{Alpha: .05, Threshold: math.Log1p(.02), Equivalence: math.Log1p(.03)}
	tell("")
	tell("Any of 10 gating metrics falsely regressed (Holm, history of 10 runs), and found where one is +5 %%, in %%")
	for _, n := range []int{1, 3} {
		r := eachPair(fmt.Sprint("many", n), pairs, func(g *rand.Rand, add func(string)) {
			const metrics, tau = 10, .01
			equal := slices.Repeat([]float64{1}, metrics)
			draw := func() (y [metrics]float64) {
				shared := g.NormFloat64()
				for m := range y {
					y[m] = tau * (math.Sqrt(.5)*shared + math.Sqrt(.5)*g.NormFloat64())
				}
				return y
			}
			var sides [metrics]stat.Sides
			var past [metrics][]float64
			for range n {
				b, c := draw(), draw()
				for m := range sides {
					sides[m].Base, sides[m].Cand, sides[m].DF = append(sides[m].Base, b[m]), append(sides[m].Cand, c[m]), 1
				}
			}
			for range 10 {
				h := draw()
				for m := range past {
					past[m] = append(past[m], h[m])
				}
			}
			for _, shift := range []float64{0, .05} {
				var p []float64
				var higher []bool
				for m := range sides {
					e := stat.Learned(sides[m], stat.Learn(past[m]).Moderated(.015))
					if m == 0 && shift > 0 {
						e.Estimate += math.Log1p(shift)
					}
					p = append(p, e.P())
					higher = append(higher, stat.Decide(e, limits) == stat.Higher)
				}
				any := false
				significant, _ := stat.Holm(p, equal, limits.Alpha)
				for m, ok := range significant {
					any = any || ok && higher[m]
					if m == 0 && shift > 0 {
						if ok && higher[m] {
							add("found")
						}
						break
					}
				}
				if any && shift == 0 {
					add("false")
				}
			}
		})
		tell("%dv%d  %5.1f %6.1f", n, n, 100*r["false"], 100*r["found"])
		atMost(t, fmt.Sprintf("G9, %dv%d", n, n), r["false"], .03, pairs)
	}
}
