package diff_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"perfdiff/analyze/run"
)

// regime is a job of which something is uneven in one way, and what the default gate is
// held to there, by the number of runs: at most so many failures without a change, at
// least so many at +5 %, and intervals of 95 % that hold the truth at least so often. What
// is not possible (runs that differ by 8 %, of which a pair holds one each) has the limits
// of what it is.
type regime struct {
	name   string
	noise  noise
	past   *noise // of past runs, where they are others
	steps  [2]int // a run of each side
	shift  int    // by how much the numbers of the candidate's steps are others
	limits map[runs]limit
}

// runs are how many a side has, and how many past runs there are.
type runs struct{ side, past int }

func (n runs) String() string { return fmt.Sprintf("%dv%d history %d", n.side, n.side, n.past) }

// limit is how often, in per cent, a pair fails without a change at most and with +5 % at
// least, and how often its interval of 95 % holds that nothing changed.
type limit struct{ fails, found, covers float64 }

var (
	single  = runs{1, 0}
	learned = runs{1, 10}
	three   = runs{3, 0}
)

// having is a noise with something changed.
func having(n noise, change func(*noise)) noise {
	change(&n)
	return n
}

// regimes are those of which some broke verdicts. One run per side without a history cannot
// know that runs differ by more than is assumed: what the limits of such pairs allow is
// what they do.
func regimes() []regime {
	quiet := even(.003)
	pools := func(by, chance float64) noise {
		return having(even(.01), func(n *noise) { n.pool, n.poolP = by, chance })
	}
	hundred := [2]int{100, 100}
	return []regime{
		{"even", even(.01), nil, hundred, 0,
			map[runs]limit{single: {3.5, 34, 97}, learned: {3.5, 48, 94.5}, three: {3.5, 95, 95.5}}},
		{"two node pools 4 % apart, 30 % of runs", pools(.04, .3), nil, hundred, 0,
			map[runs]limit{single: {10.5, 32, 83}, learned: {5, 27, 90}, three: {3.5, 65, 92}}},
		{"two node pools 8 % apart, 30 % of runs", pools(.08, .3), nil, hundred, 0,
			map[runs]limit{single: {24.5, 40, 53}, learned: {6.5, 9, 86.5}, three: {5, 31, 89}}},
		{"bad node, +8 % in 5 % of runs", pools(.08, .05), nil, hundred, 0,
			map[runs]limit{single: {8, 35, 86.5}, learned: {3.5, 35, 86.5}, three: {3.5, 78, 97.5}}},
		{"history of one quiet node, .3 %, pair 1.5 %", even(.015), &quiet, hundred, 0,
			map[runs]limit{learned: {13.5, 67, 76.5}}},
		{"history of one quiet node, .3 %, pair 2 %", even(.02), &quiet, hundred, 0,
			map[runs]limit{learned: {20, 60, 65}}},
		{"ramps whose ends differ by 15 % of runs", having(even(.01), func(n *noise) { n.ramp, n.rampSD = 1.2, .15 }), nil, hundred, 0,
			map[runs]limit{single: {20.5, 42, 50}, learned: {6.5, 8, 84.5}, three: {11, 30, 81}}},
		{"AR .95, 5 %", having(even(.01), func(n *noise) { n.phi, n.shared = .95, .05 }), nil, hundred, 0,
			map[runs]limit{single: {7.5, 31, 85.5}, learned: {5, 15, 90.5}, three: {9, 49, 83.5}}},
		{"steps lognormal .3", having(even(.01), func(n *noise) { n.lognormal = .3 }), nil, hundred, 0,
			map[runs]limit{single: {3.5, 5, 92}, learned: {3.5, 1, 95.5}, three: {3.5, 15, 91}}},
		{"every 10th step 3 times, in any phase", having(even(.01), func(n *noise) { n.every, n.everyBy = 10, 3 }), nil, hundred, 0,
			map[runs]limit{single: {3.5, 41, 97}, learned: {3.5, 47, 90}, three: {3.5, 82, 98.5}}},
		{"20 steps against 200", even(.01), nil, [2]int{20, 200}, 0,
			map[runs]limit{single: {3.5, 32, 97.5}, three: {3.5, 86, 97.5}}},
		{"no number in common", even(.01), nil, hundred, 1000,
			map[runs]limit{single: {3.5, 22, 98.5}, three: {3.5, 87, 94.5}}},
		{"no number in common, ramps of 120 %", having(even(.01), func(n *noise) { n.ramp, n.rampSD = 1.2, .02 }), nil, hundred, 1000,
			map[runs]limit{single: {1, 0, 98.5}, three: {1, 0, 97}}},
		{"30 steps", even(.01), nil, [2]int{30, 30}, 0,
			map[runs]limit{single: {3.5, 38, 97.5}, three: {3.5, 93, 95}}},
	}
}

// pair draws one of the regime.
func (r *regime) pair(n runs) pairOf {
	return func(g *rand.Rand) (base, cand *run.Set, past []*run.Set) {
		base = cell{r.name, r.noise, r.steps[0], 4, n.side}.whole(g, "base", n.side)
		cand = cell{r.name, r.noise, r.steps[1], 4, n.side}.whole(g, "cand", n.side)
		renumber(cand, r.shift)
		of := r.noise
		if r.past != nil {
			of = *r.past
		}
		return base, cand, cell{r.name, of, r.steps[0], 4, n.side}.wholePast(g, n.past)
	}
}

// renumber moves the numbers of all steps.
func renumber(s *run.Set, by int) {
	for i := range s.Runs {
		for j := range s.Runs[i].Ranks {
			k := &s.Runs[i].Ranks[j]
			k.Steps = slices.Clone(k.Steps)
			for x := range k.Steps {
				k.Steps[x].Number += int64(by)
			}
		}
	}
}

// TestRegimeRates holds the default gate where runs are uneven in ways of which each broke
// some rule that was tried.
func TestRegimeRates(t *testing.T) {
	pairs := draws(t, 16)
	tell("")
	tell("The same in regimes (runs differ by 1 %% unless said, 4 ranks, 100 steps), in %%: fails and improved at 0, fails at +5 %%;")
	tell("with --gate step_time at 0 and +5 %%; intervals of 95 %% that hold the truth, and those that are printed")
	for _, r := range regimes() {
		for _, n := range []runs{single, learned, three} {
			limit, ok := r.limits[n]
			if !ok || pairs < 100 && n != single && r.past == nil {
				continue
			}
			name := fmt.Sprintf("%s, %s", r.name, n)
			t.Run(name, func(t *testing.T) {
				rate := gateRates(name, pairs, r.pair(n), []float64{0, .05})
				tell("%-44s %-15s %s %s %s  %s %s  %s %s", r.name, n, percent(rate("fails", 0)), percent(rate("improved", 0)), percent(rate("fails", .05)),
					percent(rate("alone", 0)), percent(rate("alone", .05)), percent(rate("covers", 0)), percent(rate("printed", 0)))
				atMost(t, "false", rate("fails", 0), limit.fails/100, pairs)
				atLeast(t, "+5 %", rate("fails", .05), limit.found/100, pairs)
				atLeast(t, "coverage", rate("covers", 0), limit.covers/100, pairs)
			})
		}
	}
}
