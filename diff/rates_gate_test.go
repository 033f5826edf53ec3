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
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
	"perfdiff/diff/verdict"
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

// answer is what Compare says of a pair under the default policy.
type answer struct {
	fails    bool // the gate
	parts    bool // by another metric than the step time
	alone    bool // the step time regressed, were it the only gating metric
	covers   bool // its interval of 95 % holds no change
	printed  bool // that which is printed holds no change
	improved bool // the step time
	lists    bool // a finding of class better or worse
}

// driven is what perfdiff BASELINE CANDIDATE --history makes of a pair: the command calls the
// same.
func driven(base, cand *run.Set, policy policy.Policy, past []*run.Set) *diff.Report {
	base, opt := diff.Beside(base, cand, policy, diff.Options{History: past})
	return diff.Compare(base, cand, policy, opt)
}

// saysOf is what is said of a pair whose candidate takes so much longer.
func saysOf(base, cand *run.Set, policy policy.Policy, past []*run.Set) answer {
	r := driven(base, cand, policy, past)
	step := verdict.MetricOf(r.Metrics, sides.StepTime.Metric)
	s := answer{fails: r.Gate.State == diff.GateFailed, alone: regressedAlone(step), covers: !(step.P < .05), printed: step.Lo <= 0 && 0 <= step.Hi,
		improved: step.Verdict == verdict.Improved}
	s.lists = slices.ContainsFunc(r.Findings, func(f cause.Finding) bool { return f.Class.Judges() })
	s.parts = s.fails && step.Verdict != verdict.Regressed
	return s
}

// regressedAlone reports whether the step time would have regressed as the only gating
// metric: held to alpha itself, as TestAlone makes sure.
func regressedAlone(step *verdict.Comparison) bool {
	return step.P < .05 && step.Estimate >= step.Threshold && (step.Reason == verdict.ReasonDecided || step.Reason == verdict.ReasonManyMetrics)
}

// TestAlone: what the default gate's numbers say of the step time alone is what the
// policy with it alone says.
func TestAlone(t *testing.T) {
	c := cell{"typical", typical(.02), 60, 4, 1}
	only := policy.DefaultPolicy()
	only.Gating = []string{"step_time"}
	regressed, joined := 0, 0
	for i := range 12 {
		g := rand.New(rand.NewPCG(7, uint64(i)))
		base, cand, past := c.whole(g, "base", 1+i%2), c.whole(g, "cand", 1+i%2), c.wholePast(g, 5*(i%3))
		if len(past) > 5 && len(driven(base, cand, policy.DefaultPolicy(), past).Base.Runs) > len(base.Runs) {
			joined++
		}
		for _, shift := range []float64{0, .03, .05} {
			changed := faster(cand, 1+shift)
			got := saysOf(base, changed, policy.DefaultPolicy(), past).alone
			if want := saysOf(base, changed, only, past).fails; got != want {
				t.Errorf("pair %d at +%g %%: got %t, want %t", i, 100*shift, got, want)
			} else if want {
				regressed++
			}
		}
	}
	if joined < 2 {
		t.Errorf("past runs stand beside the baseline in %d of 4 pairs: a history is not joined as the command does", joined)
	}
	if regressed < 5 || regressed > 31 {
		t.Errorf("%d of 36 pairs regressed: these pairs show nothing", regressed)
	}
}

// pairOf draws a pair of sides without a difference, and past runs.
type pairOf func(g *rand.Rand) (base, cand *run.Set, past []*run.Set)

// wholePair draws so many runs of a cell a side and in the past.
func (c cell) wholePair(base, cand, past int) pairOf {
	return func(g *rand.Rand) (*run.Set, *run.Set, []*run.Set) {
		return c.whole(g, "base", base), c.whole(g, "cand", cand), c.wholePast(g, past)
	}
}

// rateOf is how often something is said of pairs whose candidate takes so much longer, by
// the names in it.
type rateOf func(what string, shift float64) float64

// gateRates are the rates of what the default policy says through Compare.
func gateRates(name string, pairs int, draw pairOf, shifts []float64) rateOf {
	r := eachPair("gate "+name, pairs, func(g *rand.Rand, add func(string)) {
		base, cand, past := draw(g)
		for _, shift := range shifts {
			s := saysOf(base, faster(cand, 1+shift), policy.DefaultPolicy(), past)
			for what, yes := range map[string]bool{
				"fails": s.fails, "parts": s.parts, "alone": s.alone, "covers": s.covers, "printed": s.printed, "improved": s.improved, "lists": s.lists,
			} {
				if yes {
					add(fmt.Sprintf("%s %g", what, shift))
				}
			}
		}
	})
	return func(what string, shift float64) float64 { return r[fmt.Sprintf("%s %g", what, shift)] }
}

// gateCell is a line of the gate's table.
type gateCell struct {
	differ           float64 // by so much runs differ in all
	base, cand, past int
	least            map[float64]float64 // rates of failing that a change of a size has at least
	most             float64             // rate of failing without a change; 1: what it is is shown alone
	where            where
}

// where is where the candidate runs; all of the baseline is on one host.
type where string

const (
	sameHost  where = ""
	otherHost where = " other hosts"     // it is as fast
	unknown   where = " hosts unknown"   // of both sides
	ownHosts  where = " hosts 3 % apart" // each side on its own; hosts differ by that, a deviation
)

// on draws a pair in such places.
func (w where) on(draw pairOf) pairOf {
	if w == sameHost {
		return draw
	}
	return func(g *rand.Rand) (base, cand *run.Set, past []*run.Set) {
		base, cand, past = draw(g)
		switch w {
		case otherHost:
			return base, onHost(cand, "node2"), past
		case unknown:
			return onHost(base, ""), onHost(cand, ""), past
		}
		return faster(base, math.Exp(.03*g.NormFloat64())), onHost(faster(cand, math.Exp(.03*g.NormFloat64())), "node2"), past
	}
}

// onHost is a copy of a run set whose ranks were all on one host.
func onHost(s *run.Set, host string) *run.Set {
	s = faster(s, 1)
	for i := range s.Runs {
		for j := range s.Runs[i].Ranks {
			s.Runs[i].Ranks[j].Host = host
		}
	}
	return s
}

// gateFalse is how often an unchanged pair fails at most, by what runs differ by.
func gateFalse(differ float64) float64 {
	if differ <= .01 {
		return .025
	}
	return .04
}

// wholeJob is by how much the whole job differs between runs (tau of typical, at .5 % of steady)
// where, with placement, transfer and drift, runs differ in all by so much. TestGateRates holds it.
var wholeJob = map[float64]float64{.005: .0019, .01: .005, .013: .01, .02: .0182, .04: .0391}

// jobOf is the job whose runs differ in all by so much.
func jobOf(differ float64) noise {
	if differ < .01 {
		return steady(wholeJob[differ])
	}
	return typical(wholeJob[differ])
}

// gateGoals are those of runs that differ by 1 % in all, by the runs of both sides.
var gateGoals = map[[2]int]map[float64]float64{
	{1, 1}: {.05: .38, .10: .99}, {10, 1}: {.05: .75}, {3, 3}: {.03: .62, .05: .98}, {5, 5}: {.05: .999},
}

// gateHeld is what is found where they differ by 1.3 %: less than the goals are.
var gateHeld = map[[2]int]map[float64]float64{
	{1, 1}: {.05: .38, .10: .98}, {10, 1}: {.05: .75}, {3, 3}: {.03: .55, .05: .92}, {5, 5}: {.05: .999},
}

// gateCells are what the default policy is held to; few: only those with goals.
func gateCells(few bool) (out []gateCell) {
	for _, differ := range []float64{.005, .01, .013, .02, .04} {
		for _, n := range [][3]int{{1, 1, 0}, {2, 2, 0}, {3, 3, 0}, {5, 5, 0}, {10, 1, 0}, {1, 1, 5}, {1, 1, 10}, {3, 3, 10}} {
			c := gateCell{differ, n[0], n[1], n[2], nil, gateFalse(differ), sameHost}
			if differ == .04 && n[0] < 3 && n[2] == 0 {
				c.most = 1 // no run says that they differ by more than is assumed
			}
			switch sides := [2]int{n[0], n[1]}; {
			case n[2] > 0:
			case differ == .01:
				c.least = gateGoals[sides]
			case differ == .013:
				c.least = gateHeld[sides]
			}
			if !few || c.least != nil && differ == .01 {
				out = append(out, c)
			}
		}
	}
	if few {
		return out
	}
	for _, w := range []where{otherHost, unknown} {
		for _, differ := range []float64{.01, .02, .04} {
			out = append(out, gateCell{differ, 1, 1, 0, nil, .04, w})
		}
	}
	return append(out, gateCell{.01, 3, 3, 0, nil, .025, ownHosts}, gateCell{.01, 3, 3, 0, gateGoals[[2]int{3, 3}], .025, unknown})
}

func (c gateCell) String() string {
	return fmt.Sprintf("runs %g%% %dv%d history %d%s", 100*c.differ, c.base, c.cand, c.past, c.where)
}

// shifts are the sizes of change that a cell is measured at.
func (c gateCell) shifts() []float64 {
	if c.differ < .02 {
		return append([]float64{0}, powers...)
	}
	return []float64{0, .03, .05, .10}
}

// differBy is the standard deviation between runs of a job in all: of the log of their
// step times.
func differBy(n noise) float64 {
	const runs, warm = 600, 20
	c, g := cell{"", n, 100, 8, 1}, rand.New(rand.NewPCG(1, 2))
	var all []float64
	for range runs {
		r := c.whole(g, "run", 1).Runs[0]
		var x []float64
		for s := warm; s < c.steps; s++ {
			x = append(x, math.Log(r.Ranks[0].Series[0].Values[s]))
		}
		all = append(all, stat.RunScalar(x, stat.Batches(len(x))).Value)
	}
	return math.Sqrt(stat.LearnSpread(all).Variance)
}

// TestGateRates holds the default policy, with all metrics of a real capture and through
// Compare: how often any gating metric fails without a change, and with one; beside it
// the same pairs with the step time as the only gating metric.
func TestGateRates(t *testing.T) {
	pairs := draws(t, 16)
	tell("")
	tell("The default gate with all metrics of a capture, %d pairs a cell, in %%: fails at 0 (by parts of the step alone), +2, +3, +5, +10 %%,", pairs)
	tell("and with --gate step_time; intervals that hold the truth without a change: of 95 %%, and as printed; lists something better or")
	tell("worse without a change; improved at the least change. A history is joined as --history does. Runs differ in all by so")
	tell("much: the whole job (tau) by .19, .5, 1, 1.82 and 3.91 %%, and beside it their placement, transfer and drift")
	for differ, tau := range wholeJob {
		if got := differBy(jobOf(differ)); math.Abs(got/differ-1) > .04 {
			t.Errorf("where the job differs by %g %%, runs differ by %.2f %%, want %g %%", 100*tau, 100*got, 100*differ)
		}
	}
	for _, c := range gateCells(pairs < 100) {
		of := cell{"typical", jobOf(c.differ), 100, 8, c.base}
		t.Run(c.String(), func(t *testing.T) {
			rate := gateRates(c.String(), pairs, c.where.on(of.wholePair(c.base, c.cand, c.past)), c.shifts())
			tell("%-26s %s (%3.1f)%s  %s%s  %5.1f %5.1f  %5.1f %5.1f", c, percent(rate("fails", 0)), 100*rate("parts", 0), c.columns(rate, "fails"),
				percent(rate("alone", 0)), c.columns(rate, "alone"), 100*rate("covers", 0), 100*rate("printed", 0), 100*rate("lists", 0), 100*rate("improved", least(c.shifts())))
			atMost(t, "false", rate("fails", 0), c.most, pairs)
			for shift, least := range c.least {
				atLeast(t, fmt.Sprintf("+%g %%", 100*shift), rate("fails", shift), least, pairs)
			}
		})
	}
}

// least is the smallest change of those that are measured.
func least(shifts []float64) float64 { return shifts[1] }

// columns are the rates of a cell at the changes of the table, blank where one was not
// measured.
func (c gateCell) columns(rate rateOf, what string) string {
	var b strings.Builder
	for _, shift := range powers {
		if slices.Contains(c.shifts(), shift) {
			b.WriteString(" " + percent(rate(what, shift)))
		} else {
			b.WriteString("      ")
		}
	}
	return b.String()
}

func percent(rate float64) string { return fmt.Sprintf("%5.1f", 100*rate) }
