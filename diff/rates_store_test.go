package diff_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/policy"
)

// savedRuns numbers whole runs as a store does, each of a commit of its own.
func savedRuns(sets []*run.Set) []*run.Set {
	for i, s := range sets {
		s.Label, s.Place = fmt.Sprintf("main%03d", i), i+1
		s.Files = []run.File{{Name: "a", Digest: s.Label}}
		s.Runs[0].Origin.Commit = fmt.Sprintf("%08x", 0xc0000000+i)
		for j := range s.Runs[0].Ranks {
			s.Runs[0].Ranks[j].Files = []string{"a"}
		}
	}
	return sets
}

// pastSlower are so many whole runs, of which those from one on take 1 + by times as long.
func (c cell) pastSlower(g *rand.Rand, n, from int, by float64) []*run.Set {
	sets := c.wholePast(g, n)
	for i := from; i < n; i++ {
		sets[i] = faster(sets[i], 1+by)
	}
	return savedRuns(sets)
}

// heldTo gates a candidate of three runs by a store, first by one of them: whether that alone fails it without further
// runs, and whether it fails where more may be asked for.
func heldTo(cand *run.Set, sets []*run.Set) (one, three, asked bool) {
	gate := func(runs int, escalate bool) diff.GateState {
		p := policy.DefaultPolicy()
		p.Escalate = escalate
		some := *cand
		some.Runs = cand.Runs[:runs]
		store := diff.NewStore("store", &some, diff.StoreContents{Sets: sets}, p)
		return diff.CompareStore(&some, store, p, diff.Options{}).Gate.State
	}
	one, first := gate(1, false) == diff.GateFailed, gate(1, true)
	asked = first == diff.GateMoreRuns
	return one, first == diff.GateFailed || asked && gate(3, true) == diff.GateFailed, asked
}

// storeRow is a store whose runs take longer by so much from one on, and what is held of it.
type storeRow struct {
	tau         float64
	runs, since int     // of which so many came with or after the change
	by          float64 // by how much they are slower
	one, three  float64 // unchanged that fail, at most
	five        float64 // +5 % found with up to three, at least
	quick       bool
}

// storeRows are those that are simulated. tau is what runs differ by beside what their steps do: their medians differ by
// 1.3, 1.6 and 2.3 % where it is .5, 1 and 2 %, their means by 1.7, 1.9 and 2.6. With one run on a new level no rule keeps the unchanged from failing and finds +3 %.
var storeRows = []storeRow{
	{.005, 30, 0, 0, .01, .005, .95, false},
	{.01, 1, 0, 0, .03, .02, 0, false},
	{.01, 5, 0, 0, .03, .02, .3, false},
	{.01, 12, 0, 0, .03, .02, .8, false},
	{.01, 30, 0, 0, .01, .005, .88, true},
	{.02, 30, 0, 0, .01, .005, .4, true},
	{.01, 31, 1, .05, .08, .1, 0, true},
	{.01, 33, 3, .05, .04, .03, 0, false},
	{.01, 38, 8, .05, .04, .03, .5, false},
	{.02, 31, 1, .05, .15, .15, 0, false},
}

// TestStoreRates holds a gate by a store to its goals, with all gating metrics.
func TestStoreRates(t *testing.T) {
	pairs := draws(t, 20)
	tell("")
	tell("perfdiff gate --store, all gating metrics, %d candidates a cell, in %%: unchanged fail with one run, with up to three, ask for more; +3 %% and +5 %% found with one, with up to three", pairs)
	for _, row := range storeRows {
		if pairs < 200 && !row.quick {
			continue
		}
		c := cell{"store", typical(row.tau), 40, 2, 1}
		name := fmt.Sprintf("tau %g%% %d runs", 100*row.tau, row.runs)
		if row.since > 0 {
			name += fmt.Sprintf(", the last %d +%g%%", row.since, 100*row.by)
		}
		r := eachPair("store over main's steps "+name, pairs, func(g *rand.Rand, add func(string)) {
			cand := faster(c.whole(g, "cand", 3), 1+row.by)
			sets := c.pastSlower(g, row.runs, row.runs-row.since, row.by)
			for _, shift := range []float64{0, .03, .05} {
				one, three, asked := heldTo(faster(cand, 1+shift), sets)
				for key, is := range map[string]bool{"one": one, "three": three, "asked": asked} {
					if is {
						add(fmt.Sprint(key, shift))
					}
				}
			}
		})
		tell("%-36s %5.1f %5.1f %5.1f   %5.1f %5.1f   %5.1f %5.1f", name, 100*r["one0"], 100*r["three0"], 100*r["asked0"], 100*r["one0.03"], 100*r["three0.03"], 100*r["one0.05"], 100*r["three0.05"])
		atMost(t, name+", false with one", r["one0"], row.one, pairs)
		atMost(t, name+", false with three", r["three0"], row.three, pairs)
		atLeast(t, name+", +5 %", r["three0.05"], row.five, pairs)
	}
}
