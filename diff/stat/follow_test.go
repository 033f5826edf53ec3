package stat

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// wandering are steps that follow those before them by phi, an AR(1) of so large a deviation.
func wandering(g *rand.Rand, n int, phi, sd float64) []float64 {
	const burn = 100
	x, out := 0.0, make([]float64, 0, n)
	for i := range n + burn {
		if x = phi*x + sd*math.Sqrt(1-phi*phi)*g.NormFloat64(); i >= burn {
			out = append(out, x)
		}
	}
	return out
}

// TestWithinHolds: of what is shown of these runs alone 90 % and more hold what they differ
// by, or it is not shown, however far steps follow each other; and where they hardly do it is.
func TestWithinHolds(t *testing.T) {
	const pairs, steps = 1500, 60
	for _, c := range []struct {
		phi, sd    float64
		every      int
		held, left float64 // at least and at most
	}{
		{0, .02, 0, .93, .03}, {.5, .015, 0, .93, .1}, {.5, .015, 10, .93, .1}, {.8, .03, 0, .9, .5}, {.9, .03, 0, .89, .8}, {.95, .05, 0, .88, .9},
	} {
		g, held, left := rand.New(rand.NewPCG(4, 1)), 0, 0
		side := func() [][]float64 {
			x, at := wandering(g, steps, c.phi, c.sd), g.IntN(10)
			for i := range x {
				if x[i] += .01 * g.NormFloat64(); c.every > 0 && i%c.every == at {
					x[i] += 1.1
				}
			}
			return [][]float64{x}
		}
		for range pairs {
			s := Paired(side(), side())
			e := Within(s)
			switch {
			case s.Wanders():
				left++
				held++
			case math.Abs(e.Estimate) <= e.HalfWidth(.05):
				held++
			}
		}
		if h, l := float64(held)/pairs, float64(left)/pairs; h < c.held || l > c.left {
			t.Errorf("AR %g: held or left out in %.1f %%, left out in %.1f %%; want %g at least and %g at most", c.phi, 100*h, 100*l, 100*c.held, 100*c.left)
		}
	}
}

// TestFollow: steps that stay, or of which there are few, follow nothing; a ramp is none of it.
func TestFollow(t *testing.T) {
	ramp := make([]float64, 60)
	for i := range ramp {
		ramp[i] = .01*float64(i) + .001*float64(i%2)
	}
	for name, x := range map[string][]float64{"still": make([]float64, 60), "ramp": ramp, "few": wandering(rand.New(rand.NewPCG(1, 1)), 12, .95, 1)} {
		if s := Unpaired([][]float64{x}, [][]float64{x}); s.Follow > .1 {
			t.Errorf("%s: batches follow each other by %g", name, s.Follow)
		}
	}
	one := wandering(rand.New(rand.NewPCG(2, 2)), 60, .95, 1)
	if s := Unpaired([][]float64{one}, [][]float64{slices.Clone(one)}); !(s.Follow > 0) || s.Follow >= 1 {
		t.Errorf("AR .95: batches follow each other by %g", s.Follow)
	}
}

// TestUsualCurve: a step that one run alone has slow is no step that the others have fast.
func TestUsualCurve(t *testing.T) {
	rows := [][]float64{{1, 1, 9, 1, 1, 1}, {1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 9, 1}}
	if got := usualCurve(rows); !slices.Equal(got, []float64{1, 1, 1, 1, 1, 1}) {
		t.Errorf("got %v", got)
	}
	if got := usualCurve(rows[:2]); !slices.Equal(got, []float64{1, 1, 5, 1, 1, 1}) {
		t.Errorf("of two: got %v, want their mean", got)
	}
}

// TestPlus: two independent sources of noise add up, and the smaller one takes few degrees of
// freedom; that of runs that were supposed to differ by as much is as if they did.
func TestPlus(t *testing.T) {
	e := Effect{Estimate: 1, SE: 3, DF: 10}.Plus(16, 8)
	if want := 625 / (81./10 + 256./8); !near(e.SE, 5, 1e-12) || !near(e.DF, want, 1e-12) || e.Estimate != 1 {
		t.Errorf("got %+v, want an error of 5 with %g degrees of freedom", e, want)
	}
	s := Sides{Base: []float64{1, 2, 3}, Cand: []float64{4, 6, 8}}
	if got := s.Spread(); !near(got, math.Sqrt(2.5), 1e-12) {
		t.Errorf("spread: got %g", got)
	}
	if then := s.If(.1); !near(then.Spread(), .1, 1e-12) || !near(Mean(then.Base), 2, 1e-12) || !near(Mean(then.Cand), 6, 1e-12) {
		t.Errorf("if they differed by 0.1: got %+v", then)
	}
	if one := (Sides{Base: []float64{1}, Cand: []float64{2}}); !math.IsNaN(one.Spread()) || one.If(3).Cand[0] != 2 {
		t.Error("one run per side differs by something")
	}
}
