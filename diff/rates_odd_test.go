package diff_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"perfdiff/diff/stat"
	"perfdiff/diff/verdict"
)

// The simulated kernels, and how many of them changed.
const simulatedKernels, slowerKernels = 300, 15

// kernelRuns are the logs of the times of kernels in so many runs per side, with clocks
// that differ by 1 % from run to run.
func kernelRuns(g *rand.Rand, runs int, shift float64) (base, cand [][]float64, within []float64) {
	base, cand, within = make([][]float64, simulatedKernels), make([][]float64, simulatedKernels), make([]float64, simulatedKernels)
	clocks := make([]float64, 2*runs)
	for i := range clocks {
		clocks[i] = .01 * g.NormFloat64()
	}
	for k := range base {
		sd := .015 * math.Exp(.3*g.NormFloat64())
		for i := range runs {
			up := 0.0
			if k < slowerKernels {
				up = math.Log1p(shift)
			}
			base[k] = append(base[k], clocks[i]+sd*g.NormFloat64())
			cand[k] = append(cand[k], clocks[runs+i]+up+sd*g.NormFloat64())
		}
		within[k] = .002 * .002
	}
	return base, cand, within
}

// TestKernelRates holds G10: 300 kernels, 15 of them slower, and a clock that
// differs by 1 % from run to run.
func TestKernelRates(t *testing.T) {
	sets := draws(t, 100)
	const least = .03
	tell("")
	tell("Kernels, 300 of which 15 are slower: false share %%, found %%, false ones a comparison")
	for _, runs := range []int{1, 3} {
		for _, shift := range []float64{0, .05, .10, .20} {
			var claims, wrong, found float64
			r := eachPair(fmt.Sprint("kernels", runs, shift), sets, func(g *rand.Rand, add func(string)) {
				base, cand, within := kernelRuns(g, runs, shift)
				shifts, _ := stat.Shifts(base, cand, within)
				n, bad := 0, 0
				for k, s := range shifts {
					if s.Q > .05 || math.Abs(s.Estimate) < math.Log1p(least) {
						continue
					}
					n++
					if k >= slowerKernels || shift == 0 {
						bad++
					} else {
						add("found")
					}
				}
				for range bad {
					add("bad")
				}
				if n > 0 {
					for range int(math.Round(1e6*float64(bad)/float64(n))) / 1000 {
						add("share") // in thousandths
					}
				}
			})
			claims, wrong, found = r["share"]/1000, r["bad"], r["found"]/slowerKernels
			tell("%dv%d +%2.0f %%  %5.1f %6.1f  %5.2f", runs, runs, 100*shift, 100*claims, 100*found, wrong)
			if runs == 3 {
				if shift == 0 && wrong > .2+3*math.Sqrt(.2/float64(sets)) {
					t.Errorf("G10: %.2f false kernels a comparison without a change, want at most 0.2", wrong)
				}
				if shift > 0 {
					atMost(t, fmt.Sprintf("G10, false share at +%g %%", 100*shift), claims, .07, sets)
				}
				if shift == .10 {
					atLeast(t, "G10, found at +10 %", found, .90, sets*slowerKernels)
				}
			}
		}
	}
}

// TestOddRates measures what the study left open: runs of a pair that are alike
// because they ran together, sides of unequal noise, and a history with a real
// change in it. The last decides how noise is learned.
func TestOddRates(t *testing.T) {
	pairs := draws(t, 2000)
	const tau, within, past = .01, .004, 10
	limits := stat.Limits{Alpha: .05, Threshold: math.Log1p(.02), Equivalence: math.Log1p(.03)}
	tell("")
	tell("Scalars of runs, tau 1 %%, in %%: regressed at 0 and +5 %%, by noise learned from past runs, from their spread alone, and declared")
	for _, o := range []struct {
		name        string
		correlation float64 // of the runs of a pair
		louder      float64 // the candidate's noise
		change      float64 // a real change in the history
		at          int     // of ten runs, from which on
		bar         float64
	}{
		{"as supposed", 0, 1, 0, 0, .04}, {"runs of a pair correlated by 0.5", .5, 1, 0, 0, .04}, {"runs of a pair correlated by 0.9", .9, 1, 0, 0, .04},
		{"candidate twice as noisy", 0, 2, 0, 0, .20}, {"candidate half as noisy", 0, .5, 0, 0, .04},
		{"history with a change of 5 %", 0, 1, .05, 5, .04}, {"history with a change of 20 %", 0, 1, .20, 5, .04},
		{"history, all but the first changed by 5 %", 0, 1, .05, 1, .04}, {"history, only the last changed by 5 %", 0, 1, .05, 9, .04}, {"history, only the last changed by 20 %", 0, 1, .20, 9, .04},
	} {
		for _, n := range []int{1, 3} {
			r := eachPair(fmt.Sprint("odd", o.name, n), pairs, func(g *rand.Rand, add func(string)) {
				var s stat.Sides
				s.Variance, s.DF = within*within, 10
				for range n {
					shared := g.NormFloat64()
					own := func(scale float64) float64 {
						return scale*tau*(math.Sqrt(o.correlation)*shared+math.Sqrt(1-o.correlation)*g.NormFloat64()) + within*g.NormFloat64()
					}
					s.Base, s.Cand = append(s.Base, own(1)), append(s.Cand, own(o.louder))
				}
				var h []float64
				for i := range past {
					y := math.Hypot(tau, within) * g.NormFloat64()
					if i >= o.at {
						y += math.Log1p(o.change)
					}
					h = append(h, y)
				}
				for name, e := range map[string]stat.Effect{
					"learned": stat.Learned(s, stat.Learn(h).Moderated(.015)), "spread": stat.Learned(s, stat.LearnSpread(h).Moderated(.015)), "floor": stat.Moderated(s, .015),
				} {
					for _, shift := range []float64{0, .05} {
						moved := e
						moved.Estimate += math.Log1p(shift)
						if stat.Decide(moved, limits) == stat.Higher {
							add(fmt.Sprint(name, shift))
						}
					}
				}
			})
			tell("%-42s %dv%d   learned %5.1f %6.1f   spread %5.1f %6.1f   floor %5.1f %6.1f", o.name, n, n,
				100*r["learned0"], 100*r["learned0.05"], 100*r["spread0"], 100*r["spread0.05"], 100*r["floor0"], 100*r["floor0.05"])
			atMost(t, fmt.Sprintf("%s, %dv%d", o.name, n, n), r["learned0"], o.bar, pairs)
			if o.change > 0 {
				atLeast(t, fmt.Sprintf("found, %s, %dv%d", o.name, n, n), r["learned0.05"], .65, pairs)
			}
			atMost(t, fmt.Sprintf("%s, floor, %dv%d", o.name, n, n), r["floor0"], o.bar, pairs)
		}
	}
}

// TestFewStepsRates: 3 to 9 steps, for which runs are taken to differ by 5 %.
func TestFewStepsRates(t *testing.T) {
	pairs := draws(t, 200)
	tell("")
	tell("3 to 9 steps, no warm-up recorded, floor of 5 %%, in %%: regressed at 0, +10, +20 %%")
	for _, steps := range []int{3, 5, 9} {
		for _, n := range []int{1, 3} {
			few := typical(.01)
			few.warm = 0 // the profiler was started late
			c := cell{"typical", few, steps, 8, n}
			r := eachPair("few"+c.String(), pairs, func(g *rand.Rand, add func(string)) {
				base, cand := c.pair(g)
				for _, shift := range []float64{0, .10, .20} {
					if stepVerdict(base, faster(cand, 1+shift), .05) == verdict.Regressed {
						add(fmt.Sprint(shift))
					}
				}
			})
			tell("%-34s %5.1f %6.1f %6.1f", c, 100*r["0"], 100*r["0.1"], 100*r["0.2"])
			atMost(t, fmt.Sprint("few steps, ", c), r["0"], .04, pairs)
		}
	}
}
