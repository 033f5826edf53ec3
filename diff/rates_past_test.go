package diff

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"perfdiff/analyze/run"
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
	level := LevelOf(base, cand, history, DefaultPolicy())
	p := newPair(level.Base, cand, DefaultPolicy())
	p.level = level
	p.past, p.history = p.newPast(history)
	p.elsewhere = p.otherPlace()
	var r Report
	p.judge(&r)
	for i := range r.Metrics {
		if c := &r.Metrics[i]; c.Gate && c.Verdict == Regressed {
			failed = append(failed, c.Key.Metric)
		}
	}
	return failed, len(level.Base.Runs)
}

// project is main of a project: its runs, the newest of which is the baseline, and how much
// slower than the first each of them is for good.
type project struct {
	name       string
	tau        float64 // of runs of main; of the candidate pairTau
	pairTau    float64
	runs       int
	slower     func(g *rand.Rand, i, of int) float64 // of run i, the candidate is run of
	host       func(i, of int) string
	most       float64 // false
	leastFound float64 // +5 %
}

// TestLevelRates holds the gate of a pipeline: the newest run of main is the baseline, and
// those before it are the history.
func TestLevelRates(t *testing.T) {
	pairs := draws(t, 40)
	tell("")
	tell("The newest run of main as baseline, all of them as history, default policy, %d pairs a cell, in %%: fails at 0, +3, +5, +10 %%, runs of the baseline; at 0 and +5 %% by the newest alone", pairs)
	flat := func(*rand.Rand, int, int) float64 { return 0 }
	one := func(int, int) string { return "a" }
	for _, p := range []project{
		{"10 runs, tau 0.5 %", .005, .005, 10, flat, one, .035, .75}, {"10 runs, tau 1 %", .01, .01, 10, flat, one, .035, .75}, {"10 runs, tau 2 %", .02, .02, 10, flat, one, .035, 0},
		{"5 runs, tau 1 %", .01, .01, 5, flat, one, .035, 0},
		{"30 runs, tau 1 %", .01, .01, 30, flat, one, .035, .75},
		{"one bad run of 10, +30 %", .01, .01, 10, func(_ *rand.Rand, i, of int) float64 { return map[bool]float64{true: .3}[i == 5] }, one, .035, .30},
		{"one bad run of 10, -30 %", .01, .01, 10, func(_ *rand.Rand, i, of int) float64 { return map[bool]float64{true: -.3}[i == 5] }, one, .035, .30},
		{"+5 % merged 3 runs ago", .01, .01, 10, func(_ *rand.Rand, i, of int) float64 { return map[bool]float64{true: .05}[i >= of-3] }, one, .035, .60},
		{"+5 % merged 1 run ago", .01, .01, 10, func(_ *rand.Rand, i, of int) float64 { return map[bool]float64{true: .05}[i >= of-1] }, one, .06, .30},
		{"-5 % merged 1 run ago", .01, .01, 10, func(_ *rand.Rand, i, of int) float64 { return map[bool]float64{true: -.05}[i >= of-1] }, one, .035, .30},
		{"+0.4 % in each run", .01, .01, 10, func(_ *rand.Rand, i, of int) float64 { return .004 * float64(min(i, of-1)) }, one, .10, .75},
		{"quiet history of another node", .003, .02, 10, flat, func(i, of int) string { return map[bool]string{true: "a", false: "b"}[i < of-1] }, .05, 0},
		{"two node pools, 4 % apart", .01, .01, 10, func(g *rand.Rand, i, of int) float64 { return map[bool]float64{true: .04}[g.Float64() < .3] },
			func(i, of int) string { return fmt.Sprint(i) }, .05, 0},
	} {
		if pairs < 500 && (p.runs == 30 || p.tau == .005) {
			continue
		}
		c := cell{"typical", typical(p.tau), 50, 4, 1}
		other := c
		other.noise = typical(p.pairTau)
		r := eachPair("level "+p.name, pairs, func(g *rand.Rand, add func(string)) {
			var main []*run.Set
			for i := range p.runs {
				from := c
				if p.host(i, p.runs) == "b" {
					from = other
				}
				main = append(main, saved(faster(from.whole(g, fmt.Sprintf("main%02d", i), 1), 1+p.slower(g, i, p.runs)), int64(i), p.host(i, p.runs)))
			}
			newest := main[len(main)-1]
			cand := saved(faster(other.whole(g, "cand", 1), 1+p.slower(g, p.runs, p.runs)), int64(p.runs), p.host(p.runs, p.runs))
			for _, shift := range []float64{0, .03, .05, .10} {
				changed := faster(cand, 1+shift)
				failed, beside := failsBesides(newest, changed, main)
				if len(failed) > 0 {
					add(fmt.Sprint(shift))
				}
				if shift == 0 {
					for range beside {
						add("runs")
					}
				}
				if shift == 0 || shift == .05 {
					learned, _ := newPair(newest, changed, DefaultPolicy()).newPast(main)
					if len(fails(newest, changed, DefaultPolicy(), learned)) > 0 {
						add(fmt.Sprint("alone ", shift))
					}
				}
			}
		})
		tell("%-32s %6.1f %6.1f %6.1f %6.1f  %4.1f   %6.1f %6.1f", p.name, 100*r["0"], 100*r["0.03"], 100*r["0.05"], 100*r["0.1"], r["runs"], 100*r["alone 0"], 100*r["alone 0.05"])
		fmt.Println(table.lines[len(table.lines)-1])
		atMost(t, p.name+", false", r["0"], p.most, pairs)
		if p.leastFound > 0 {
			atLeast(t, p.name+", +5 %", r["0.05"], p.leastFound, pairs)
		}
	}
}
