package stat

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/distuv"
)

func TestHolm(t *testing.T) {
	for _, c := range []struct {
		p, weights []float64
		want       []bool
	}{
		{nil, nil, []bool{}}, {[]float64{0.05}, []float64{3}, []bool{true}}, {[]float64{0.03, 0.02}, []float64{1, 1}, []bool{true, true}},
		{[]float64{0.03, 0.026}, []float64{1, 1}, []bool{false, false}},
		{[]float64{0.04, 0.001, 0.026}, []float64{1, 1, 1}, []bool{false, true, false}},
		{[]float64{math.NaN(), 0.001}, []float64{1, 1}, []bool{false, true}},
		// The first has .04 at once; the second .01, and all where the first is significant.
		{[]float64{0.039, 0.02}, []float64{4, 1}, []bool{true, true}}, {[]float64{0.041, 0.02}, []float64{4, 1}, []bool{false, false}},
		{[]float64{0.045, 0.009}, []float64{4, 1}, []bool{true, true}}, {[]float64{0.045, 0.011}, []float64{4, 1}, []bool{false, false}},
		{[]float64{0.9, 0.004, 0.02}, []float64{.8, .1, .1}, []bool{false, true, false}},
	} {
		got, levels := Holm(c.p, c.weights, 0.05)
		if !slices.Equal(got, c.want) {
			t.Errorf("%v, %v: got %v want %v", c.p, c.weights, got, c.want)
		}
		for i, level := range levels {
			if got[i] != (c.p[i] <= level) {
				t.Errorf("%v, %v: number %d held to %v", c.p, c.weights, i, level)
			}
		}
	}
}

// The adjusted values are those of R's p.adjust(method = "BH").
func TestFalseDiscoveries(t *testing.T) {
	got := FalseDiscoveries([]float64{0.01, 0.04, 0.03, 0.005, 0.8})
	for i, want := range []float64{0.025, 0.05, 0.05, 0.025, 0.8} {
		if !near(got[i], want, 1e-12) {
			t.Errorf("place %d: got %g want %g", i, got[i], want)
		}
	}
}

// The adjusted values are those of R's p.adjust(method = "BY").
func TestStrict(t *testing.T) {
	shifts := []Shift{{Q: 0.025}, {Q: 0.05}, {Q: 0.05}, {Q: 0.025}, {Q: 0.8}}
	Strict(shifts)
	for i, want := range []float64{0.0570833333, 0.1141666667, 0.1141666667, 0.0570833333, 1} {
		if !near(shifts[i].Q, want, 1e-9) {
			t.Errorf("place %d: got %g want %g", i, shifts[i].Q, want)
		}
	}
}

func TestP(t *testing.T) {
	for _, c := range []struct {
		e    Effect
		want float64
	}{
		{Effect{Estimate: 2.7764, SE: 1, DF: 4}, 0.05}, {Effect{Estimate: -2.7764, SE: 1, DF: 4}, 0.05},
		{Effect{Estimate: 0, SE: 1, DF: 4}, 1}, {Effect{}, 1}, {Effect{Estimate: 1}, 0},
	} {
		if got := c.e.P(); !near(got, c.want, 1e-5) {
			t.Errorf("%+v: got %g want %g", c.e, got, c.want)
		}
	}
}

func TestLearn(t *testing.T) {
	quiet := []float64{.01, -.01, .01, -.01, .01, -.01, .01, -.01, .01, -.01}
	p := Learn(quiet)
	if p.DF != 9 || !near(p.Variance, 10*1e-4/9, 1e-12) || !p.Known() {
		t.Errorf("no change: got %+v", p)
	}
	moved := slices.Clone(quiet)
	for i := 6; i < 10; i++ {
		moved[i] += .2
	}
	if p := Learn(moved); p.DF != 7 || !near(p.Variance, 10*1e-4/8, 1e-12) {
		t.Errorf("a change: got %+v want it found", p)
	}
	if p := Learn(moved[3:]); p.DF != 6 {
		t.Errorf("a change among seven runs: got %+v want it told, and the spread of all", p)
	}
	if m := p.Moderated(.02); m.DF != 10 || !near(m.Variance, (4e-4+10*1e-4)/10, 1e-12) {
		t.Errorf("with a floor: got %+v", m)
	}
	if p := Learn([]float64{1, 2, 3}); p.Known() {
		t.Errorf("three runs: got %+v want too few", p)
	}
	if p := Learn(nil); p.Known() || p.Runs != 0 {
		t.Errorf("none: got %+v", p)
	}
	// Noise of the past never goes below what the pair shows of its own.
	loud := Sides{Base: []float64{0}, Cand: []float64{0}, Variance: 1, DF: 3}
	if e := Learned(loud, Learn(quiet)); !near(e.SE, math.Sqrt2, 1e-12) || e.DF != 3 {
		t.Errorf("a loud pair: got %+v", e)
	}
}

// TestLearnedBaseline: the spread of a baseline that is among the past runs counts once,
// and its mean as that of half as many runs.
func TestLearnedBaseline(t *testing.T) {
	past := Past{Variance: 1e-4, DF: 9, Runs: 10}
	sides := Sides{Base: []float64{.01, -.01, .01, -.01}, Cand: []float64{0}, DF: 1}
	if e := Learned(sides, past); e.DF != 12 || !near(e.SE, math.Sqrt((9e-4+4e-4)/12*1.25), 1e-12) {
		t.Errorf("a baseline that is not among them: got %+v", e)
	}
	past.Base = true
	if e := Learned(sides, past); e.DF != 9 || !near(e.SE, math.Sqrt(1e-4*1.5), 1e-12) {
		t.Errorf("one that is: got %+v", e)
	}
	sides.Base = sides.Base[:1]
	if e := Learned(sides, past); !near(e.SE, math.Sqrt(2e-4), 1e-12) {
		t.Errorf("one run of it: got %+v", e)
	}
}

func TestChangedAtOnce(t *testing.T) {
	if at, _, ok := split([]float64{1, 1, 1, 2, 2, 2}, 2, 0.01); !ok || at != 3 {
		t.Errorf("without noise: got %d, %v want 3", at, ok)
	}
	if _, _, ok := split([]float64{1, 1, 1, 1, 1}, 2, 0.01); ok {
		t.Error("a constant has no change")
	}
}

func TestDrift(t *testing.T) {
	x := make([]float64, 100)
	for i := range x {
		x[i] = .1 * (float64(i) + .5) / 100
	}
	x[50] = 9 // one wild step
	if d := Drift(x); !near(d.Value, .1, 1e-9) || d.Variance > 1e-6 {
		t.Errorf("got %+v want 0.1", d)
	}
}

func TestEvents(t *testing.T) {
	x := slices.Repeat([]float64{1}, 40)
	x[5], x[6], x[20], x[30] = 2, 2, 1.2, 1.5
	spikes := Spikes(x)
	if n := Events(spikes, nil); n != 2 {
		t.Errorf("got %d events want 2: neighbours are one, and 20 %% is none", n)
	}
	regular := Regular([][]bool{spikes, spikes}, [][]bool{spikes})
	if n := Events(spikes, regular); n != 0 {
		t.Errorf("got %d events want 0: all runs have them", n)
	}
	if regular := Regular([][]bool{spikes}, [][]bool{make([]bool, 40)}); Events(spikes, regular) != 2 {
		t.Error("what one side alone has is an event")
	}
}

func TestOffsets(t *testing.T) {
	nan := math.NaN()
	got := Offsets([][]float64{{1, 2, 3}, {1.1, 2.1, nan}, {1, 2, 3}, {.9, 1.9, 2.9}})
	if v, at := Largest(got); at != 1 || !near(v, .1, 1e-12) {
		t.Errorf("got %v", got)
	}
	if _, at := Largest(nil); at != -1 || Offsets(nil) != nil {
		t.Error("no ranks have no slowest")
	}
}

func TestRatiosAndMeans(t *testing.T) {
	s := RatioOfSums([]float64{1, 1, 0, 30, 2, 2}, []float64{2, 2, 0, 60, 4, 4}, 3)
	if !near(s.Value, .5, 1e-12) || !near(s.Variance, 0, 1e-12) {
		t.Errorf("ratio of sums: got %+v want 0.5", s)
	}
	m := LogMean([]float64{1, 3, 2, 2, 4, 0}, 3)
	if !near(m.Value, math.Log(2), 1e-12) || !near(m.Variance, 0, 1e-12) {
		t.Errorf("mean: got %+v want log 2", m)
	}
	if got := Jitter([]float64{0, .1, 0, .1}); !near(got, math.Log(.1), 1e-12) {
		t.Errorf("jitter: got %g", got)
	}
	if got := Jitter([]float64{1, 1, 1}); !near(got, math.Log(1e-9), 1e-12) {
		t.Errorf("no jitter: got %g", got)
	}
}

func TestTrigamma(t *testing.T) {
	for x, want := range map[float64]float64{1: math.Pi * math.Pi / 6, .5: math.Pi * math.Pi / 2, 2: math.Pi*math.Pi/6 - 1} {
		if got := trigamma(x); !near(got, want, 1e-10) || !near(trigammaInverse(want), x, 1e-8) {
			t.Errorf("trigamma(%g): got %g want %g, inverse %g", x, got, want, trigammaInverse(want))
		}
	}
}

// TestShifts: one of many kernels is slower, and all are by a clock.
func TestShifts(t *testing.T) {
	for _, runs := range []int{1, 3} {
		var base, cand [][]float64
		for k := range 50 {
			var b, c []float64
			for i := range runs {
				wobble := .01 * math.Sin(float64(7*k+3*i))
				b, c = append(b, wobble), append(c, .06+.01*math.Cos(float64(5*k+i)))
			}
			if k == 17 {
				for i := range c {
					c[i] += .2
				}
			}
			base, cand = append(base, b), append(cand, c)
		}
		shifts, common := Shifts(base, cand, make([]float64, 50))
		if !near(common, .06, .005) || !near(shifts[17].Estimate, .2, .03) || shifts[17].Q > .01 {
			t.Errorf("%d runs: got common %g and %+v", runs, common, shifts[17])
		}
		for k, s := range shifts {
			if k != 17 && s.Q < .05 && math.Abs(s.Estimate) > math.Log(1.03) {
				t.Errorf("%d runs: kernel %d is called changed: %+v", runs, k, s)
			}
		}
	}
	if s, common := Shifts(nil, nil, nil); len(s) != 0 || common != 0 {
		t.Error("no kernels have no shift")
	}
}

// TestChangedOverSplits: the error of a change is that over all places at which it could
// have been: seven, of ten values with two on each side at least.
func TestChangedOverSplits(t *testing.T) {
	v := []float64{0, .2, -.2, .1, -.1, .38, .58, .18, .48, .28}
	at, within, ok := split(v, 2, 0.01)
	between := squares(v, Mean(v)) - within
	f := between / (within / 8)
	alone := distuv.F{D1: 1, D2: 8}.Survival(f)
	if at != 5 || !(alone < .01) || !(7*alone > .01) || ok {
		t.Errorf("got a change at %d, %v with an error of %g alone and %g over all splits; want none at 1 %%", at, ok, alone, 7*alone)
	}
}

// TestFitPrior: the prior of variances, worked out by hand: with two degrees of freedom
// each the logs of these have a sample variance (over n-1) of trigamma(1) and
// trigamma(2) together, so that there are four degrees of freedom in the prior.
func TestFitPrior(t *testing.T) {
	away := math.Sqrt(trigamma(1) + trigamma(2)) // of -1, 0 and 1 the sample variance is 1
	d0, s0 := fitPrior([]float64{math.Exp(-away), 1, math.Exp(away)}, 2)
	gamma := .5772156649015329
	if want := math.Exp(gamma + (1 - gamma) - math.Log(2)); !near(d0, 4, 1e-6) || !near(s0, want, 1e-6) {
		t.Errorf("got %g degrees of freedom and a variance of %g, want 4 and %g", d0, s0, want)
	}
	if d0, s0 := fitPrior([]float64{1, 1, 1, 1}, 2); !math.IsInf(d0, 1) || !near(s0, math.Exp(gamma), 1e-9) {
		t.Errorf("equal variances: got %g and %g", d0, s0)
	}
	if d0, s0 := fitPrior([]float64{0, 1, 2}, 2); d0 != 0 || s0 != 1 {
		t.Errorf("two that are not zero: got %g and %g, want no prior and the mean", d0, s0)
	}
}

// TestKernelsSpread: with one run per side the standard error of each kernel is the spread
// of all, a MAD scaled to a standard deviation of normal noise.
func TestKernelsSpread(t *testing.T) {
	shifts := make([]Shift, 7)
	for i := range shifts {
		shifts[i].Estimate = .1 * float64(i-3) // distances 0 .1 .1 .2 .2 .3 .3
	}
	emptyNull(shifts, make([]float64, 7))
	for i, s := range shifts {
		if !near(s.SE, 1.4826*.2, 1e-12) || s.DF != kernelDF {
			t.Errorf("kernel %d: got %+v, want an error of %g", i, s, 1.4826*.2)
		}
	}
	few := shifts[:minCommon-1]
	emptyNull(few, []float64{.02, 0, 0, 0})
	if !near(few[0].SE, .2, 1e-12) || !near(few[1].SE, math.Sqrt2*kernelFloor, 1e-12) {
		t.Errorf("too few to know their spread: got %+v, want the noise of each", few)
	}
}

// TestDriftVariance: of a least-squares line through k points, over k-2.
func TestDriftVariance(t *testing.T) {
	x := make([]float64, 36) // six batches of six, alternately .1 above and below 1
	for i := range x {
		x[i] = 1 + .1*float64(1-2*(i/6%2))
	}
	line, rest := TheilSen([]float64{1, 3, 5, 7, 9, 11}, BatchMedians(x, 6)), 0.0
	for i, m := range BatchMedians(x, 6) {
		rest += math.Pow(m-line.at(float64(2*i+1)), 2)
	}
	spread := 2. * (1 + 9 + 25) / 144
	if d := Drift(x); !near(d.Variance, rest/4/spread, 1e-12) || rest == 0 {
		t.Errorf("got a variance of %g, want %g", d.Variance, rest/4/spread)
	}
}

// TestEqualIsTwoTests: an effect is equal to none by two one-sided tests of 5 % each.
func TestEqualIsTwoTests(t *testing.T) {
	t95 := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: 8}.Quantile(.95)
	l := Limits{Alpha: .05, Threshold: 1, Equivalence: .5}
	for _, c := range []struct {
		room float64 // between the effect and the limit, in standard errors
		want Outcome
	}{{t95 * 1.001, Equal}, {t95 * .999, Unclear}} {
		for _, estimate := range []float64{0, .2, -.2} {
			e := Effect{Estimate: estimate, SE: (l.Equivalence - math.Abs(estimate)) / c.room, DF: 8, NA: 1, NB: 1}
			if got := Decide(e, l); got != c.want {
				t.Errorf("an effect of %g, %g errors within the limit: got %d, want %d", estimate, c.room, got, c.want)
			}
		}
	}
}

// TestEventsOfNeighbours: regular is what most runs do, and half are not most.
func TestEventsOfNeighbours(t *testing.T) {
	yes, no := []bool{true, true, false, true}, make([]bool, 4)
	if got := Regular([][]bool{yes, no}, [][]bool{yes, yes}); slices.Contains(got, true) {
		t.Errorf("one of two runs: got regular %v", got)
	}
	if got := Regular([][]bool{yes, no, yes}, [][]bool{yes}); !slices.Equal(got, yes) {
		t.Errorf("two of three runs: got regular %v, want %v", got, yes)
	}
	if got := Events(yes, no); got != 2 {
		t.Errorf("got %d events, want 2: neighbours are one", got)
	}
}

// TestFalseDiscoveriesInOrder: a smaller p-value never has a larger share of false claims.
// The adjusted values are those of R's p.adjust(method = "BH").
func TestFalseDiscoveriesInOrder(t *testing.T) {
	got := FalseDiscoveries([]float64{0.01, 0.9, 0.011, 0.012})
	for i, want := range []float64{0.016, 0.9, 0.016, 0.016} {
		if !near(got[i], want, 1e-12) {
			t.Errorf("place %d: got %g want %g", i, got[i], want)
		}
	}
}

// TestCommonOfFew: that four kernels changed alike may be a change of the four; of five it
// is taken for the clock's.
func TestCommonOfFew(t *testing.T) {
	for n, want := range map[int]float64{minCommon - 1: 0, minCommon: .06} {
		base, cand := make([][]float64, n), make([][]float64, n)
		for i := range n {
			base[i], cand[i] = []float64{0}, []float64{.06}
		}
		if _, common := Shifts(base, cand, make([]float64, n)); !near(common, want, 1e-12) {
			t.Errorf("%d kernels: got a common shift of %g, want %g", n, common, want)
		}
	}
}
