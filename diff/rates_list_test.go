package diff_test

import (
	"math/rand/v2"
	"testing"

	"perfdiff/diff/policy"
)

// TestListRates holds how often a report of two unchanged sides names something that got
// better or worse.
func TestListRates(t *testing.T) {
	pairs := draws(t, 24)
	tell("")
	tell("Unchanged pairs with all metrics of a capture, %d a cell, in %%: name anything better or worse, anything to look at", pairs)
	for _, differ := range []float64{.01, .02} {
		for _, n := range [][3]int{{1, 1, 0}, {3, 3, 0}, {1, 1, 5}, {1, 1, 10}, {3, 3, 10}, {1, 1, 20}} {
			c := gateCell{differ: differ, base: n[0], cand: n[1], past: n[2]}
			if pairs < 100 && (differ > .01 || n[0] > 1 || n[2] > 10) {
				continue
			}
			of := cell{"typical", typical(wholeJob[differ]), 100, 8, n[0]}
			draw := of.wholePair(n[0], n[1], n[2])
			rate := eachPair("lists "+c.String(), pairs, func(g *rand.Rand, add func(string)) {
				base, cand, past := draw(g)
				found := map[bool]bool{} // something changed, or only something to look at
				for _, f := range driven(base, cand, policy.DefaultPolicy(), past).Findings {
					found[f.Class.Judges()] = true
				}
				if found[true] {
					add("changed")
				}
				if found[false] {
					add("look")
				}
			})
			tell("%-26s %5.1f %5.1f", c, 100*rate["changed"], 100*rate["look"])
			atMost(t, c.String(), rate["changed"], .05, pairs)
		}
	}
}
