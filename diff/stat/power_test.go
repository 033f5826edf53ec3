package stat

import (
	"math"
	"math/rand/v2"
	"testing"
)

// found is the share of pairs with a verdict under l where the candidate is slower by what
// a function says of the pair, runs per side, and what runs differ by is drawn anew for each
// pair from the prior that the floor stands for.
func found(runs int, floor float64, slower func(Effect) float64, l Limits, is func(Outcome) bool) float64 {
	rnd := rand.New(rand.NewPCG(uint64(runs), 7))
	const pairs = 8_000
	n := 0
	for range pairs {
		chi2 := 0.0
		for range priorDF {
			z := rnd.NormFloat64()
			chi2 += z * z
		}
		sd := floor * math.Sqrt(priorDF/chi2)
		s := Sides{Variance: 1e-9, DF: 4}
		for range runs {
			s.Base = append(s.Base, sd*rnd.NormFloat64())
			s.Cand = append(s.Cand, sd*rnd.NormFloat64())
		}
		e := Moderated(s, floor)
		e.Estimate += slower(e)
		if is(Decide(e, l)) {
			n++
		}
	}
	return float64(n) / pairs
}

// TestShown: of a change of the size that a pair says it would have shown, 80 % of such
// pairs show it.
func TestShown(t *testing.T) {
	const floor = 0.015
	for _, tt := range []struct {
		runs int
		l    Limits
	}{
		{1, Limits{0.05, 0.02, 0.03, 0}}, {1, Limits{0.04, 0.02, 0.03, 0}}, {1, Limits{0.04, 0.08, 0.12, 0}},
	} {
		slower := func(o Outcome) bool { return o == Higher }
		got := found(tt.runs, floor, func(e Effect) float64 { return Shown(e, tt.l) }, tt.l, slower)
		if math.Abs(got-Power) > 0.02 {
			t.Errorf("%d runs per side, %+v: such a change is found in %.1f %% of pairs, want 80", tt.runs, tt.l, 100*got)
		}
		half := found(tt.runs, floor, func(e Effect) float64 { return Detectable(e, tt.l) }, tt.l, slower)
		if math.Abs(half-0.5) > 0.02 {
			t.Errorf("%d runs per side, %+v: the least is found in %.1f %% of pairs, want 50", tt.runs, tt.l, 100*half)
		}
	}
	if got, want := Detectable(Effect{SE: 0.02, DF: 10, NA: 3, NB: 3}, Limits{0.05, 0.02, 0.03, 0}), 2.2281*0.02; !near(got, want, 1e-5) {
		t.Errorf("Detectable: got %g, want %g", got, want)
	}
	if got := Detectable(Effect{SE: 1e-4, DF: 10, NA: 3, NB: 3}, Limits{0.05, 0.02, 0.03, 0}); got != 0.02 {
		t.Errorf("Detectable under the threshold: got %g, want %g", got, 0.02)
	}
}

// ofRuns returns draws of what so many runs of both sides and past ones show, which differ by sd.
func ofRuns(runs [3]int, sd float64) func(base, cand int) Effect {
	const floor = 0.015
	rnd := rand.New(rand.NewPCG(uint64(runs[0]), 9))
	draw := func(n int) (v []float64) {
		for range n {
			v = append(v, sd*rnd.NormFloat64())
		}
		return v
	}
	return func(base, cand int) Effect {
		s := Sides{Base: draw(base), Cand: draw(cand), Variance: 1e-5, DF: 8}
		if runs[2] > 0 {
			return Learned(s, Learn(draw(runs[2])).Moderated(floor))
		}
		return Moderated(s, floor)
	}
}

// TestShownOfRuns: what several runs per side, or past runs, say that they would have shown is
// found in 75 to 90 % of other pairs of the job, whatever its runs differ by.
func TestShownOfRuns(t *testing.T) {
	const pairs = 4000
	l := Limits{0.04, 0.02, 0.03, 0}
	for _, runs := range [][3]int{{3, 3, 0}, {5, 5, 0}, {1, 1, 10}, {7, 14, 0}} {
		for _, sd := range []float64{.01, .02, .04} {
			effect, n := ofRuns(runs, sd), 0
			for range pairs {
				shown, other := Shown(effect(runs[0], runs[1]), l), effect(runs[0], runs[1])
				if other.Estimate += shown; Decide(other, l) == Higher {
					n++
				}
			}
			if rate := float64(n) / pairs; rate < .75 || rate > .90 {
				t.Errorf("%v runs, which differ by %g %%: such a change is found in %.1f %% of pairs, want 75 to 90", runs, 100*sd, 100*rate)
			}
		}
	}
}

// TestNeededOfRuns: so many runs per side as an open pair says it needs decide at least 75 % of pairs whose change is
// what it looked like. They may decide more: the number is whole, and the floor is more than these runs differ by.
func TestNeededOfRuns(t *testing.T) {
	const pairs = 1000
	l := Limits{0.04, 0.02, 0.03, 0}
	for _, runs := range [][3]int{{3, 3, 0}, {5, 5, 0}, {1, 1, 10}} {
		for _, sd := range []float64{.01, .02, .04} {
			effect, open, decided := ofRuns(runs, sd), 0, 0
			for range pairs {
				e := effect(runs[0], runs[1])
				e.Estimate += .03
				need := 0
				if Decide(e, l) == Unclear {
					need = RunsNeeded(e, l)
				}
				if need == 0 || need == MaxRuns {
					continue
				}
				more := effect(need, need)
				more.Estimate += e.Estimate
				if open++; Decide(more, l) != Unclear {
					decided++
				}
			}
			rate, least := float64(decided)/float64(open), .75-2*math.Sqrt(.75*.25/float64(open))
			if rate < least || sd > .01 && rate > .90+2*math.Sqrt(.9*.1/float64(open)) {
				t.Errorf("%v runs, which differ by %g %%: so many decide %.1f %% of %d pairs, want 75 to 90", runs, 100*sd, 100*rate, open)
			}
		}
	}
}

// TestRunsNeeded: so many runs per side have a verdict in 80 % of pairs, and one run less
// has not.
func TestRunsNeeded(t *testing.T) {
	const floor = 0.015
	l := Limits{Alpha: 0.04, Threshold: 0.02, Equivalence: 0.03}
	decided := func(o Outcome) bool { return o != Unclear }
	for _, slower := range []float64{0.03, 0.04, 0.05} {
		one := Moderated(Sides{Base: []float64{0}, Cand: []float64{slower}, Variance: 1e-9, DF: 4}, floor)
		n := RunsNeeded(one, l)
		by := func(Effect) float64 { return slower }
		now, before := found(n, floor, by, l, decided), found(n-1, floor, by, l, decided)
		if n < 2 || now < Power-0.07 || n > 2 && before > Power+0.03 {
			t.Errorf("+%g %%: %d runs per side decide %.1f %% of pairs, one run less %.1f %%", 100*slower, n, 100*now, 100*before)
		}
	}
	hopeless := Effect{Estimate: 0.025, SE: 1, DF: 8, NA: 1, NB: 1}
	if got := RunsNeeded(hopeless, l); got != MaxRuns {
		t.Errorf("hopeless: got %d, want %d", got, MaxRuns)
	}
	if got := RunsNeeded(Effect{Estimate: 0.03, DF: 8, NA: 1, NB: 1}, l); got != 2 {
		t.Errorf("no noise: got %d, want 2", got)
	}
}
