package diff_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"perfdiff/diff/policy"
)

// TestWaiverRates: under a waiver for 7 % a true rise by 6.9 % fails as seldom as an
// unchanged job does without one, and one by 45 % always. The other metrics find what they
// would without it.
func TestWaiverRates(t *testing.T) {
	pairs := draws(t, 40)
	tell("")
	tell("A waiver of the step time up to 7 %%, %d pairs a cell, in %%: fails at +6.9, +10, +15, +45 %%", pairs)
	rules := policy.DefaultPolicy()
	rules.Gating = []string{"step_time"}
	rules.Waivers = []policy.Waiver{{Metric: "step_time", Reason: "why", Owner: "me", Expires: "2099-01-01", UpTo: .07, Kind: ""}}
	for _, tau := range []float64{.01, .02} {
		for _, n := range []int{1, 3} {
			c := cell{"typical", typical(tau), 100, 8, n}
			r := eachPair(fmt.Sprint("waiver ", c), pairs, func(g *rand.Rand, add func(string)) {
				base, cand := c.pair(g)
				for _, shift := range []float64{.069, .10, .15, .45} {
					if len(fails(base, faster(cand, 1+shift), rules, nil)) > 0 {
						add(fmt.Sprint(shift))
					}
				}
			})
			tell("%-34s %6.1f %6.1f %6.1f %6.1f", c, 100*r["0.069"], 100*r["0.1"], 100*r["0.15"], 100*r["0.45"])
			atMost(t, fmt.Sprint("+6.9 %, ", c), r["0.069"], .035, pairs)
			atLeast(t, fmt.Sprint("+45 %, ", c), r["0.45"], .999, pairs)
		}
	}
}
