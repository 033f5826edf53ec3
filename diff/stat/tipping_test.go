package stat

import (
	"math"
	"slices"
	"testing"
)

// TestTipping: with a little less noise between runs than the tipping point the interval
// leaves out zero, with a little more it holds it, whatever the noise is learned from.
func TestTipping(t *testing.T) {
	sides := func(by, within float64) Sides {
		return Sides{Base: []float64{0}, Cand: []float64{by}, Variance: within, DF: 2}
	}
	three := Sides{Base: []float64{0, 0.01, -0.01}, Cand: []float64{0.04, 0.05, 0.06}, Variance: 1e-6, DF: 12}
	learned := func(sd float64) Effect {
		return Learned(sides(0.05, 1e-6), Past{Variance: sd * sd, DF: 11, Runs: 10})
	}
	for name, of := range map[string]func(float64) Effect{
		"one run":        func(sd float64) Effect { return Moderated(sides(0.05, 1e-6), sd) },
		"a fall":         func(sd float64) Effect { return Moderated(sides(-0.4, 1e-5), sd) },
		"noisy steps":    func(sd float64) Effect { return Moderated(sides(0.09, 1e-4), sd) },
		"three a side":   func(sd float64) Effect { return Moderated(three.If(sd), sd) },
		"learned":        learned,
		"hardly noticed": func(sd float64) Effect { return Moderated(sides(0.0005, 1e-12), sd) },
	} {
		at := Tipping(of, 0.04)
		leavesOut := func(sd float64) bool { e := of(sd); return math.Abs(e.Estimate) > e.HalfWidth(0.04) }
		if !(at > 0) || !leavesOut(at*0.999) || leavesOut(at*1.001) || leavesOut(at*3) {
			t.Errorf("%s: at %g: below %v, above %v", name, at, leavesOut(at*0.999), leavesOut(at*1.001))
		}
	}
	for name, s := range map[string]Sides{"the steps differ too much": sides(0.02, 1e-3), "no effect": sides(0, 1e-6)} {
		if got := Tipping(func(sd float64) Effect { return Moderated(s, sd) }, 0.04); got != 0 {
			t.Errorf("%s: got %g, want 0", name, got)
		}
	}
	// The formula with normal quantiles is near it where much is known.
	got := Tipping(func(sd float64) Effect { return Learned(sides(0.05, 0), Past{Variance: sd * sd, DF: 1e6}) }, 0.05)
	if want := 0.05 / 1.96 / math.Sqrt2; math.Abs(got-want) > 1e-4 {
		t.Errorf("got %g, want %g", got, want)
	}
}

// TestWithin: the noise within runs is that of a mean over each side's runs: no side's runs
// make up for what the other lacks.
func TestWithin(t *testing.T) {
	of := func(base, cand int) Effect {
		return Within(Sides{Base: make([]float64, base), Cand: slices.Repeat([]float64{0.5}, cand), Variance: 4, DF: 9})
	}
	for _, c := range []struct {
		base, cand int
		se         float64
	}{{1, 1, math.Sqrt(8)}, {4, 4, math.Sqrt2}, {1, 1000, 2.001}, {1000, 1, 2.001}} {
		got := of(c.base, c.cand)
		if math.Abs(got.SE-c.se) > 1e-3 || math.Abs(got.Estimate-0.5) > 1e-12 || got.DF != 9 || got.NA != c.base || got.NB != c.cand {
			t.Errorf("%d and %d runs: got %+v, want an error of %g", c.base, c.cand, got, c.se)
		}
	}
}
