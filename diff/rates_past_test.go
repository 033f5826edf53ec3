package diff_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// saved gives a run set the file, the start and the host that a saved run of a day has.
func saved(s *run.Set, day int64, host string) *run.Set {
	s.Digest = s.Label
	s.Files = []run.File{{Name: s.Label, Digest: s.Label}}
	for i := range s.Runs {
		for j := range s.Runs[i].Ranks {
			k := &s.Runs[i].Ranks[j]
			k.Began, k.Files, k.Host = 1_700_000_000e9+day*86400e9, []string{s.Label}, host
		}
	}
	return s
}

// failsBesides are the gating metrics that regress where the runs of a history's level
// stand beside the baseline.
func failsBesides(base, cand *run.Set, history []*run.Set) (failed []string, beside int) {
	level := verdict.FindCurrentLevel(base, cand, history, policy.DefaultPolicy())
	p := verdict.Of(sides.Of(level.Base, cand, false), policy.DefaultPolicy(), history, level, verdict.Logs{}, nil)
	for i := range p.Metrics {
		if c := &p.Metrics[i]; c.Gating && c.Verdict == verdict.Regressed {
			failed = append(failed, c.Key.Metric)
		}
	}
	return failed, len(level.Base.Runs)
}

// project is main of a project: its runs, the newest of which is the baseline, and by how
// much each of them is slower than the first for good.
type project struct {
	name    string
	tau     float64 // of runs on host a
	pairTau float64 // of those on host b
	runs    int
	slower  func(g *rand.Rand, i, of int) float64 // of run i; the candidate is run of
	host    func(i, of int) string
	most    float64 // false
	least   float64 // +5 % found
	quick   bool    // also where few pairs are drawn
}

// projects are those that are simulated.
func projects() []project {
	flat := func(*rand.Rand, int, int) float64 { return 0 }
	one := func(int, int) string { return "a" }
	at := func(run int, by float64) func(*rand.Rand, int, int) float64 {
		return func(_ *rand.Rand, i, _ int) float64 { return map[bool]float64{true: by}[i == run] }
	}
	since := func(ago int, by float64) func(*rand.Rand, int, int) float64 {
		return func(_ *rand.Rand, i, of int) float64 { return map[bool]float64{true: by}[i >= of-ago] }
	}
	return []project{
		{"10 runs, tau 1 %", .01, .01, 10, flat, one, .035, .75, true},
		{"10 runs, tau 2 %", .02, .02, 10, flat, one, .035, 0, true},
		{"10 runs, tau 0.5 %", .005, .005, 10, flat, one, .035, .75, false},
		{"30 runs, tau 1 %", .01, .01, 30, flat, one, .035, .75, false},
		{"5 runs, tau 1 %", .01, .01, 5, flat, one, .035, .60, false},
		{"one bad run of 10, +30 %", .01, .01, 10, at(5, .3), one, .035, .30, true},
		{"one bad run of 10, -30 %", .01, .01, 10, at(5, -.3), one, .035, .30, false},
		{"+5 % merged 3 runs ago", .01, .01, 10, since(3, .05), one, .035, .50, false},
		{"+5 % merged 1 run ago", .01, .01, 10, since(1, .05), one, .06, .30, true},
		{"-5 % merged 1 run ago", .01, .01, 10, since(1, -.05), one, .06, .30, false},
		{"+0.4 % in each run", .01, .01, 10, func(_ *rand.Rand, i, of int) float64 { return .004 * float64(min(i, of-1)) }, one, .10, .60, false},
		{"a quiet history of another host", .003, .02, 10, flat, func(i, of int) string { return map[bool]string{true: "a", false: "b"}[i < of-1] }, .05, 0, false},
		{"two pools of hosts, 4 % apart", .01, .01, 10, func(g *rand.Rand, _, _ int) float64 { return map[bool]float64{true: .04}[g.Float64() < .3] },
			func(i, _ int) string { return fmt.Sprint(i) }, .08, 0, false},
	}
}

// pair is a history with its newest run and a candidate.
func (p *project) pair(g *rand.Rand, steps, ranks int) (main []*run.Set, newest, cand *run.Set) {
	draw := func(i int, label string) *run.Set {
		c := cell{"typical", typical(p.tau), steps, ranks, 1}
		if p.host(i, p.runs) == "b" {
			c.noise = typical(p.pairTau)
		}
		return saved(faster(c.whole(g, label, 1), 1+p.slower(g, i, p.runs)), int64(i), p.host(i, p.runs))
	}
	for i := range p.runs {
		main = append(main, draw(i, fmt.Sprintf("main%02d", i)))
	}
	return main, main[len(main)-1], draw(p.runs, "cand")
}

// mostProjects bounds the pairs of a cell: each has a history to simulate.
const mostProjects = 400

// TestLevelRates holds the gate of a pipeline: the newest run of main is the baseline, and
// those before it are the history.
func TestLevelRates(t *testing.T) {
	pairs := min(draws(t, 25), mostProjects)
	tell("")
	tell("The newest run of main as baseline and all of them as history, default policy, %d pairs a cell, in %%: fails at 0, +3, +5, +10 %%; runs of the baseline; at 0 and +5 %% by the newest alone", pairs)
	for _, p := range projects() {
		steps, ranks := 100, 8
		if pairs < 100 && !p.quick {
			continue
		}
		if pairs < 100 {
			steps, ranks = 50, 4
		}
		r := eachPair("level "+p.name, pairs, func(g *rand.Rand, add func(string)) {
			main, newest, cand := p.pair(g, steps, ranks)
			for _, shift := range []float64{0, .03, .05, .10} {
				changed := faster(cand, 1+shift)
				failed, beside := failsBesides(newest, changed, main)
				if len(failed) > 0 {
					add(fmt.Sprint(shift))
				}
				for range beside * map[bool]int{true: 1}[shift == 0] {
					add("runs")
				}
				if shift == 0 || shift == .05 {
					learned, _ := verdict.NewPast(sides.Of(newest, changed, false), nil, main)
					if len(fails(newest, changed, policy.DefaultPolicy(), learned)) > 0 {
						add(fmt.Sprint("alone ", shift))
					}
				}
			}
		})
		tell("%-32s %6.1f %6.1f %6.1f %6.1f  %4.1f   %6.1f %6.1f", p.name, 100*r["0"], 100*r["0.03"], 100*r["0.05"], 100*r["0.1"], r["runs"], 100*r["alone 0"], 100*r["alone 0.05"])
		atMost(t, p.name+", false", r["0"], p.most, pairs)
		atLeast(t, p.name+", +5 %", r["0.05"], p.least, pairs)
	}
}

// fails are the gating metrics that regressed under a policy.
func fails(base, cand *run.Set, policy policy.Policy, past *verdict.Past) (out []string) {
	terms := verdict.NewTerms(sides.Of(base, cand, policy.Force), policy)
	terms.Past = past
	p := verdict.Judge(terms)
	for i := range p.Metrics {
		if c := &p.Metrics[i]; c.Gating && c.Verdict == verdict.Regressed {
			out = append(out, c.Key.Metric)
		}
	}
	return out
}
