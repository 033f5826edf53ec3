package stat

import (
	"math"
	"slices"
	"testing"
)

// TestDecideAtItsBorders: an effect is decided from the size on at which the t test rejects, of
// few runs as of many: what is computed first, because it is cheap, takes nothing away.
func TestDecideAtItsBorders(t *testing.T) {
	for _, df := range []float64{1, 3, 10, 100, 1e6} {
		for _, alpha := range []float64{0.2, 0.05, 0.01, 0.001} {
			half := student(df).Quantile(1 - alpha/2)
			l := Limits{Alpha: alpha, Threshold: half / 10, Equivalence: half / 10}
			for _, c := range []struct {
				estimate float64
				want     Outcome
			}{{half * 1.0001, Higher}, {half * 0.9999, Unclear}, {-half * 1.0001, Lower}, {-half * 0.9999, Unclear}} {
				if got := Decide(Effect{Estimate: c.estimate, SE: 1, DF: df, NA: 2, NB: 2}, l); got != c.want {
					t.Errorf("%g degrees of freedom, alpha %g, %g errors: got %d, want %d", df, alpha, c.estimate, got, c.want)
				}
			}
			equal := student(df).Quantile(1 - equalAlpha)
			l = Limits{Alpha: alpha, Threshold: math.Inf(1), Equivalence: equal + 1}
			for estimate, want := range map[float64]Outcome{0.999: Equal, -0.999: Equal, 1.001: Unclear, -1.001: Unclear} {
				if got := Decide(Effect{Estimate: estimate, SE: 1, DF: df, NA: 2, NB: 2}, l); got != want {
					t.Errorf("%g degrees of freedom, equal at %g: got %d, want %d", df, estimate, got, want)
				}
			}
		}
	}
}

// TestChangedIsTwoSamples: of one place that it may be at, a change is believed from the error
// on that a t test of the two parts has; over all places, from so many times that.
func TestChangedIsTwoSamples(t *testing.T) {
	for _, v := range [][]float64{
		{0, .2, -.2, .1, -.1, .38, .58, .18, .48, .28}, {5, 5.2, 4.9, 6, 6.3, 6.1}, {1, 3, 2, 1, 2, 3, 9, 8, 7, 9, 8},
	} {
		at, within, _ := split(v, 2, 1)
		a, b, k := float64(at), float64(len(v)-at), float64(len(v))
		// Welch's and Student's are one where the spread is pooled.
		s := (Mean(v[at:]) - Mean(v[:at])) / math.Sqrt(within/(k-2)*(1/a+1/b))
		p := (k - 3) * 2 * student(k-2).Survival(math.Abs(s))
		if _, _, ok := split(v, 2, p*1.0001); !ok {
			t.Errorf("%v: not changed with an error of %g", v, p*1.0001)
		}
		if _, _, ok := split(v, 2, p*0.9999); ok {
			t.Errorf("%v: changed with an error of %g", v, p*0.9999)
		}
	}
}

// TestErrorsOfUnevenSides: what the mean of a side is wrong by falls with its own runs alone.
func TestErrorsOfUnevenSides(t *testing.T) {
	for _, n := range [][2]int{{1, 1}, {2, 3}, {3, 2}, {1, 4}, {5, 1}} {
		na, nb := float64(n[0]), float64(n[1])
		want := math.Sqrt(1/na + 1/nb)
		sides := Sides{Base: make([]float64, n[0]), Cand: make([]float64, n[1]), Variance: 1e-12, DF: 9}
		e := Learned(sides, Past{Variance: 4, DF: 9, Runs: 10})
		if share := 9 / (9 + na + nb - 2); !near(e.SE, 2*want*math.Sqrt(share), 1e-9) || e.DF != 9+na+nb-2 {
			t.Errorf("%v runs, learned: got %+v, want an error of %g", n, e, 2*want*math.Sqrt(share))
		}
		if na+nb < 3 {
			continue
		}
		kernels := func(runs int) [][]float64 { return slices.Repeat([][]float64{make([]float64, runs)}, 6) }
		shifts := make([]Shift, 6)
		moderate(shifts, kernels(n[0]), kernels(n[1]))
		for _, s := range shifts {
			if !near(s.SE, kernelFloor/2*want, 1e-12) {
				t.Errorf("%v runs, kernels without noise: got an error of %g, want %g", n, s.SE, kernelFloor/2*want)
			}
		}
	}
}

// TestKernelsAlike: kernels whose runs all spread alike tell their noise as well as infinitely
// many runs would, and two errors of it are as rare as of a normal distribution.
func TestKernelsAlike(t *testing.T) {
	side := slices.Repeat([][]float64{{-.01, .01, .02, -.02}}, minCommon-1)
	shifts := make([]Shift, len(side))
	moderate(shifts, side, side)
	for _, s := range shifts {
		if p := (Effect{Estimate: 2 * s.SE, SE: s.SE, DF: s.DF}).P(); !near(p, .0455, 1e-4) {
			t.Errorf("two errors of %+v have a chance of %g, want 0.0455", s, p)
		}
	}
}
