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

// keptRuns are the runs of a store as it would be read, of which each takes so many times as
// long as the one before.
func (c cell) keptRuns(g *rand.Rand, k int, creep float64) (out []*run.Set) {
	for i, s := range c.wholePast(g, k) {
		s = faster(s, math.Pow(1+creep, float64(i)))
		s.Files = []run.File{{Name: "a", Digest: s.Label}}
		for j := range s.Runs[0].Ranks {
			s.Runs[0].Ranks[j].Files = []string{"a"}
		}
		out = append(out, s)
	}
	return out
}

// keptIn sorts out a store for a candidate, which may be changed afterwards.
func keptIn(t *testing.T, cand *run.Set, sets []*run.Set) *diff.Store {
	store, err := diff.NewStore("store", cand, sets, policy.DefaultPolicy(), diff.DefaultAnchor)
	if err != nil || store.Base == nil {
		t.Errorf("no store: %v", err)
	}
	return store
}

// failsStore reports whether a candidate fails, and whether it does by the anchor.
func failsStore(cand *run.Set, store *diff.Store) (failed, byAnchor bool) {
	r := diff.CompareStore(cand, store, policy.DefaultPolicy(), diff.Options{})
	return r.Gate.State == diff.GateFailed, r.StoreFindings.Anchor != nil && r.StoreFindings.Anchor.Gate.State == diff.GateFailed
}

// TestStoreRates holds a gate by a store to the false alarms of one comparison, and its
// anchor to what it is there for.
func TestStoreRates(t *testing.T) {
	pairs := draws(t, 20)
	tell("")
	tell("perfdiff gate --store, all gating metrics, %d candidates a cell, in %%: fails at 0 and +5 %%; at 0 by the anchor, and where the level alone has all of alpha; after a creep of 0.5 %% a run", pairs)
	for _, tau := range []float64{.005, .01, .02} {
		for _, k := range []int{1, 5, 12, 30} {
			if pairs < 200 && (tau != .01 || k == 1) {
				continue
			}
			c := cell{"store", typical(tau), 40, 2, 1}
			name := fmt.Sprintf("tau %g%% %d runs", 100*tau, k)
			r := eachPair("store "+name, pairs, func(g *rand.Rand, add func(string)) {
				cand := c.whole(g, "cand", 1)
				store := keptIn(t, cand, c.keptRuns(g, k, 0))
				for _, shift := range []float64{0, .05} {
					failed, anchor := failsStore(faster(cand, 1+shift), store)
					if failed {
						add(fmt.Sprint(shift))
					}
					if anchor && shift == 0 {
						add("anchor")
					}
					if shift == 0 && diff.Compare(store.Base, cand, policy.DefaultPolicy(), diff.Options{History: store.PastOf(store.Base)}).Gate.State == diff.GateFailed {
						add("alone")
					}
				}
				cand = faster(cand, math.Pow(1.005, float64(k)))
				if failed, _ := failsStore(cand, keptIn(t, cand, c.keptRuns(g, k, .005))); failed {
					add("creep")
				}
			})
			tell("%-24s %5.1f %5.1f   %5.1f %5.1f   %5.1f", name, 100*r["0"], 100*r["0.05"], 100*r["anchor"], 100*r["alone"], 100*r["creep"])
			if tau <= .01 {
				atMost(t, name+", false", r["0"], .035, pairs)
			}
			atMost(t, name+", false beside the level alone", r["0"], r["alone"]+.01, pairs)
			if k == 30 && tau <= .01 {
				atLeast(t, name+", creep by 10 % over 20 runs", r["creep"], .8, pairs) // each later run has a chance of its own
			}
		}
	}
}
