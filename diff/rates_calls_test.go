package diff_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/policy"
)

// network is how the calls of collectives differ from each other, and from run to run.
type network struct {
	calls  int     // a step
	spread float64 // standard deviation of the log of a call
	long   float64 // chance that a call takes three times as long
	more   float64 // what is planted: a call is so many times as far from the usual one
	// What runs differ by, as deviations of logs: how long calls take, how they differ, and how
	// often one is long.
	level, differ, often float64
	odd                  bool // one run of each side differs three times as much, and three times as often
}

// usual is a network that is busy with others now and then.
func usual(calls int) network {
	return network{calls: calls, spread: .10, long: .02, more: 1, level: .05, differ: .10, often: .30}
}

// bumpy is usual, and twice as uneven from run to run.
func bumpy(calls int) network {
	w := usual(calls)
	w.level, w.differ, w.often = .10, .20, .60
	return w
}

// collectives are those of a simulated run: one that waits for the slowest rank of each
// step, one of the optimizer that all ranks enter together.
var collectives = []string{"ncclAllReduce", "ncclReduceScatter"}

// callsOf gives a run the calls of its collectives. The first of a step waits for the rank
// whose compute takes longest; what all ranks share of a step, all calls share.
func (w network) callsOf(g *rand.Rand, r *run.Run, odd bool) {
	about := func(sd float64) float64 { return math.Exp(sd * g.NormFloat64()) }
	level, spread, long := about(w.level), w.spread*about(w.differ), w.long*about(w.often)
	if odd {
		spread, long = 3*spread, 3*long
	}
	steps := len(r.Ranks[0].Steps)
	shared := make([][]float64, len(collectives)) // each call in usual ones, by collective: all ranks are in it
	for c := range shared {
		for range steps * w.calls {
			x := spread * g.NormFloat64()
			if g.Float64() < long {
				x += math.Log(3)
			}
			shared[c] = append(shared[c], math.Max(.1, 1+w.more*math.Expm1(x)))
		}
	}
	slowest := make([]float64, steps)
	for s := range slowest {
		for i := range r.Ranks {
			slowest[s] = math.Max(slowest[s], r.Ranks[i].Series[1].Values[s])
		}
	}
	for i := range r.Ranks {
		k := &r.Ranks[i]
		var took [2]run.Durations
		for s := range steps {
			for c := range collectives {
				for n := range w.calls {
					d := .03 / float64(w.calls) * level * slowest[s] / .08 * shared[c][s*w.calls+n] * (1 + .02*g.NormFloat64())
					if c == 0 && n == 0 {
						d += slowest[s] - k.Series[1].Values[s]
					}
					took[c].Add(int64(1e9 * d))
				}
			}
		}
		for c, name := range collectives {
			k.Calls = append(k.Calls, took[c].Calls(name))
		}
	}
}

// side is a run set of a cell with calls.
func (w network) side(g *rand.Rand, c cell, label string) *run.Set {
	out := &run.Set{Label: label, Metrics: simulatedMetrics}
	for i := range c.runs {
		r, _ := c.noise.simulate(g, fmt.Sprint(label, i), c.steps, c.ranks, g.NormFloat64(), 0)
		w.callsOf(g, &r, w.odd && i == 0)
		out.Runs = append(out.Runs, r)
	}
	return out
}

// callCell is a line of the table.
type callCell struct {
	cell
	name    string
	network network
}

func (c callCell) String() string {
	return fmt.Sprintf("%s, %d calls, %s", c.name, c.network.calls, c.cell)
}

// callCells are unchanged jobs, of uneven steps and networks.
func callCells() (out []callCell) {
	add := func(name string, w network, n noise, kind string, steps int, runs ...int) {
		for _, r := range runs {
			out = append(out, callCell{cell{kind, n, steps, 8, r}, name, w})
		}
	}
	for _, steps := range []int{100, 20, 400} {
		add("usual network", usual(1), typical(.01), "typical", steps, 1, 3)
		add("usual network", usual(12), typical(.01), "typical", steps, 1, 3)
	}
	add("usual network", usual(4), harsh(.01), "harsh", 100, 1, 3)
	add("usual network", usual(4), ramping(.01), "ramp", 100, 1, 3)
	add("bumpy network", bumpy(4), typical(.01), "typical", 100, 1, 3)
	add("bumpy network", bumpy(4), typical(.01), "typical", 400, 1, 3)
	odd := usual(4)
	odd.odd = true
	add("one odd run per side", odd, typical(.01), "typical", 100, 3)
	return out
}

// callFindings are how often the calls of a collective are a finding.
func (c callCell) callFindings(pairs int, name string, change func(*network)) map[string]float64 {
	return eachPair(fmt.Sprint("calls ", name, c), pairs, func(g *rand.Rand, add func(string)) {
		other := c.network
		if change != nil {
			change(&other)
		}
		base, cand := c.network.side(g, c.cell, "base"), other.side(g, c.cell, "cand")
		found := map[policy.Kind]bool{}
		for _, f := range diff.Compare(base, cand, policy.DefaultPolicy(), diff.Options{}).Findings {
			found[f.Kind] = true
		}
		spread, tail := found[policy.KindCollectiveSpread], found[policy.KindCollectiveTail]
		for what, yes := range map[string]bool{"spread": spread, "tail": tail, "either": spread || tail} {
			if yes {
				add(what)
			}
		}
	})
}

// TestCallRates holds how often the calls of a collective are said to differ otherwise where
// nothing changed, and how often where they do.
func TestCallRates(t *testing.T) {
	pairs := draws(t, 20)
	tell("")
	tell("Calls of two collectives, in %%: a finding of unchanged pairs (spread, tail, either); spread where calls differ twice as much, tail where five times as many are long")
	for _, c := range callCells() {
		if pairs < 100 && (c.runs > 1 || c.steps != 100 || c.network.calls > 4) {
			continue
		}
		same := c.callFindings(pairs, "same", nil)
		wide := c.callFindings(pairs, "wide", func(w *network) { w.more = 2 })
		more := c.callFindings(pairs, "more", func(w *network) { w.long *= 5 })
		tell("%-64s %5.1f %5.1f %5.1f   %5.1f %5.1f", c, 100*same["spread"], 100*same["tail"], 100*same["either"], 100*wide["spread"], 100*more["tail"])
		atMost(t, fmt.Sprint("calls, none, ", c), same["either"], .035, pairs)
		if c.name == "usual network" && c.noise.ramp == 0 && c.steps >= 100 {
			atLeast(t, fmt.Sprint("calls differ twice as much, ", c), wide["spread"], map[int]float64{1: .20, 3: .75}[c.runs], pairs)
			atLeast(t, fmt.Sprint("five times as many long calls, ", c), more["tail"], map[int]float64{1: 0, 3: .60}[c.runs], pairs)
		}
	}
}
