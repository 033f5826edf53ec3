package stat

import (
	"math"
	"slices"
	"testing"
)

func near(a, b, tolerance float64) bool {
	return a == b || math.Abs(a-b) <= tolerance || math.IsNaN(a) && math.IsNaN(b)
}

func TestQuantile(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		v       []float64
		p, want float64
	}{
		{nil, 0.5, nan}, {[]float64{nan}, 0.5, nan}, {[]float64{3}, 0.9, 3},
		{[]float64{4, 1}, 0.5, 2.5}, {[]float64{3, nan, 1, 2}, 0.5, 2},
		{[]float64{1, 2, 3, 4, 5}, 0.25, 2}, {[]float64{1, 2, 3, 4}, 0.25, 1.75},
		{[]float64{1, 2}, 0, 1}, {[]float64{1, 2}, 1, 2}, {[]float64{1, 2}, 2, 2}, {[]float64{1, 2}, -1, 1},
		{[]float64{0.1, 0.1, 0.1}, 0.3, 0.1}, // equal values stay what they are
	} {
		if got := Quantile(c.v, c.p); !near(got, c.want, 1e-15) {
			t.Errorf("Quantile(%v, %g): got %g, want %g", c.v, c.p, got, c.want)
		}
	}
	if got, want := Box([]float64{5, 1, 3, 2, 4}), [5]float64{1, 2, 3, 4, 5}; got != want {
		t.Errorf("Box: got %v, want %v", got, want)
	}
	if got := Mean([]float64{1, nan, 3}); got != 2 {
		t.Errorf("Mean: got %g, want 2", got)
	}
}

func TestBatches(t *testing.T) {
	want := map[int]int{0: 0, 2: 0, 3: 3, 4: 4, 5: 5, 6: 3, 7: 3, 8: 4, 9: 3, 10: 4, 29: 4, 30: 6, 500: 6}
	for n, k := range want {
		if got := Batches(n); got != k {
			t.Errorf("Batches(%d): got %d, want %d", n, got, k)
		}
	}
	got := BatchMedians([]float64{99, 1, 2, 3, 10, 20, 90}, 2) // the surplus is at the start
	if want := []float64{2, 20}; !slices.Equal(got, want) {
		t.Errorf("BatchMedians: got %v, want %v", got, want)
	}
	s := RunScalar([]float64{1, 2, 3, 6}, 4) // mean 3, about the line .6, 2.2, 3.8, 5.4: 1.2
	if want := (.4*.4 + .2*.2 + .8*.8 + .6*.6) / 2 / 4; !near(s.Value, 3, 0) || !near(s.Variance, want, 1e-15) {
		t.Errorf("RunScalar: got %v, want 3 and %g", s, want)
	}
	if s := RunScalar([]float64{1, 3, 5, 7, 9, 11}, 6); !near(s.Variance, 0, 1e-28) {
		t.Errorf("RunScalar: got %v of a line, want no variance", s)
	}
}

func TestTheilSen(t *testing.T) {
	got := TheilSen([]float64{0, 1, 2, 3, 4}, []float64{1, 3, 5, 70, 9}) // one wild point
	if got != (Line{2, 1}) {
		t.Errorf("got %v, want slope 2 and intercept 1", got)
	}
}

// series is the log of a noisy run: warm-up of that size and decay, then a
// ramp. The noise is a formula, so that the values can be made elsewhere.
func series(n int, phase, level, warm, decay, ramp float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		f := float64(i)
		v := level * (1 + warm*math.Exp(-f/decay)) * (1 + ramp*(f+0.5)/float64(n))
		x[i] = math.Log(v) + 0.02*math.Sin(1.7*f+phase) + 0.01*math.Cos(0.3*f*f+phase)
	}
	return x
}

// The expected cuts come from another implementation of the same rule.
func TestFindWarmUp(t *testing.T) {
	for _, c := range []struct {
		n                              int
		phase, level, warm, decay, ram float64
		want                           int
	}{
		{100, 0, 0.1, 0, 1, 0, 0}, {100, 1, 0.1, 0.8, 3, 0, 8}, {100, 2, 0.1, 2, 8, 0, 26},
		{50, 3, 0.1, 2, 8, 0, 20}, {20, 4, 0.1, 2, 8, 0, 9}, {100, 5, 0.1, 0.8, 3, 1.2, 3},
		{21, 6, 0.1, 0.5, 20, 0, 0}, {13, 7, 0.1, 0.3, 2, 0, 3}, {40, 1, 0.1, 0.5, 60, 0, 0}, {5, 0, 0.1, 9, 1, 0, 0},
	} {
		got := FindWarmUp(series(c.n, c.phase, c.level, c.warm, c.decay, c.ram))
		if got.Cut != c.want {
			t.Errorf("%d steps, warm-up %g over %g, ramp %g: got cut %d, want %d", c.n, c.warm, c.decay, c.ram, got.Cut, c.want)
		}
		if got.Cut > 0 && !got.Falls {
			t.Errorf("%d steps, warm-up %g: cut %d does not fall", c.n, c.warm, got.Cut)
		}
	}
}

func TestWarmUpShapes(t *testing.T) {
	shape := func(f func(u float64) float64) []float64 {
		x := make([]float64, 40)
		for i := range x {
			x[i] = f(float64(i) / 39)
		}
		return x
	}
	for _, c := range []struct {
		name  string
		x     []float64
		long  bool // more than 30 % is cut
		falls bool
	}{
		{"flat", shape(func(float64) float64 { return 1 }), false, false},
		{"linear rise", shape(func(u float64) float64 { return math.Log(100 + 120*u) }), false, false},
		{"linear fall", shape(func(u float64) float64 { return math.Log(220 - 120*u) }), false, false},
		{"grows ever faster", shape(func(u float64) float64 { return u * u * u }), true, false},
		{"settles late", shape(func(u float64) float64 { return math.Max(0, 0.6-u) }), true, true},
		{"settles in time", shape(func(u float64) float64 { return math.Max(0, 0.35-u) }), true, true},
		{"goes on", shape(func(u float64) float64 { return math.Exp(-3 * u) }), true, true},
	} {
		got := FindWarmUp(c.x)
		if long := got.Cut > len(c.x)*3/10; long != c.long || got.Falls != c.falls {
			t.Errorf("%s: got %+v, want more than 30 %% %v, falls %v", c.name, got, c.long, c.falls)
		}
		if want := c.name == "settles late" || c.name == "goes on"; got.GoesOn != want {
			t.Errorf("%s: got goes on %v, want %v", c.name, got.GoesOn, want)
		}
	}
}

// The expected values come from another implementation of the same formulas.
func TestModerated(t *testing.T) {
	for _, c := range []struct {
		n, na, nb          int
		paired             bool
		floor              float64
		est, se, df, halfw float64
	}{
		{100, 1, 1, true, 0.015, 0.0490338472814, 0.0212275091149, 8.02157267313, 0.0489278187},
		{100, 3, 3, true, 0.015, 0.0475446761234, 0.00529251646185, 4.89872107045, 0.0136898845},
		{19, 1, 1, true, 0.015, 0.05097577322, 0.0212207295697, 8.01134303464, 0.0489230326},
		{25, 2, 3, true, 0.015, 0.0468745952263, 0.00787744861314, 4.2290232695, 0.0214120093},
		{60, 1, 1, false, 0.015, 0.0497201510601, 0.0249967258688, 13.4010968073, 0.0538383012},
		{20, 2, 2, false, 0.05, 0.0476797591197, 0.039463041755, 4.21875147468, 0.107362345},
		{30, 5, 5, true, 0.01, 0.0504134611013, 0.00238073113438, 8.56656992229, 0.00542741225},
	} {
		base, cand := rows(c.na, c.n, 0, 0.1), rows(c.nb, c.n, 0.5, 0.105)
		sides := Unpaired(base, cand)
		if c.paired {
			sides = Paired(base, cand)
		}
		e := Moderated(sides, c.floor)
		if !near(e.Estimate, c.est, 1e-10) || !near(e.SE, c.se, 1e-10) || !near(e.DF, c.df, 1e-9) || !near(e.HalfWidth(0.05), c.halfw, 1e-8) {
			t.Errorf("%d steps, %d v %d, paired %v: got %+v ± %.9g, want %g, %g, %g ± %g",
				c.n, c.na, c.nb, c.paired, e, e.HalfWidth(0.05), c.est, c.se, c.df, c.halfw)
		}
	}
}

// TestFloorYields: a floor counts for the less the more runs say what they differ by.
func TestFloorYields(t *testing.T) {
	for _, c := range []struct {
		base, cand []float64
		se, df     float64
	}{
		{[]float64{-.04, .01, .05}, []float64{-.02, .03, .06}, 0.0320308647227, 4.89680689444},
		{[]float64{-.02, .01, .03}, []float64{-.01, .02, .03}, 0.017833450782, 4.89680689444},
	} {
		e := Moderated(Sides{Base: c.base, Cand: c.cand, Variance: 1e-6, DF: 20}, .015)
		if !near(e.SE, c.se, 1e-10) || !near(e.DF, c.df, 1e-9) {
			t.Errorf("runs %v and %v: got %+v, want SE %g and %g degrees of freedom", c.base, c.cand, e, c.se, c.df)
		}
	}
}

func rows(runs, n int, phase, level float64) [][]float64 {
	out := make([][]float64, runs)
	for i := range out {
		out[i] = series(n, float64(i)+phase, level, 0, 1, 1.2)
	}
	return out
}

func TestTQuantile(t *testing.T) {
	for _, c := range []struct{ p, df, want float64 }{
		{0.975, 1, 12.7062}, {0.975, 4, 2.7764}, {0.95, 4, 2.1318}, {0.975, 10, 2.2281}, {0.995, 3.7, 4.8693},
	} {
		if got := student(c.df).Quantile(c.p); !near(got, c.want, 5e-5) {
			t.Errorf("t(%g, %g): got %.5f, want %.4f", c.p, c.df, got, c.want)
		}
	}
}

func TestSameValuesAreNoChange(t *testing.T) {
	for runs := 1; runs <= 5; runs++ {
		x := rows(runs, 37, 0, 0.1)
		for name, sides := range map[string]Sides{"paired": Paired(x, x), "unpaired": Unpaired(x, x)} {
			if e := Moderated(sides, 0.015); e.Estimate != 0 {
				t.Errorf("%d runs, %s: got %g, want exactly 0", runs, name, e.Estimate)
			}
		}
	}
}

func TestSidesMirror(t *testing.T) {
	base, cand := rows(2, 40, 0, 0.1), rows(3, 40, 0.5, 0.105)
	there, back := Moderated(Paired(base, cand), 0.015), Moderated(Paired(cand, base), 0.015)
	if !near(there.Estimate, -back.Estimate, 1e-15) || !near(there.SE, back.SE, 1e-15) {
		t.Errorf("got %+v and %+v, want mirror images", there, back)
	}
}

func TestDecide(t *testing.T) {
	l := Limits{Alpha: 0.05, Threshold: 0.02, Equivalence: 0.03}
	effect := func(estimate, se float64) Effect { return Effect{Estimate: estimate, SE: se, DF: 10, NA: 3, NB: 3} } // t: 2.228, 1.812
	for _, c := range []struct {
		estimate, se float64
		want         Outcome
	}{
		{0.05, 0.02, Higher}, {-0.05, 0.02, Lower}, {0.05, 0.03, Unclear},
		{0.019, 0.001, Equal},    // certain, and too small to matter
		{0.019, 0.0075, Unclear}, // certain, too small, and not surely equal
		{0, 0.01, Equal}, {0, 0.02, Unclear}, {0.02, 0.001, Higher}, {-0.02, 0.001, Lower},
	} {
		if got := Decide(effect(c.estimate, c.se), l); got != c.want {
			t.Errorf("%g ± %g: got %d, want %d", c.estimate, c.se, got, c.want)
		}
	}
}

// TestSharedShift: a clock moves most kernels, and half of them are no clock.
func TestSharedShift(t *testing.T) {
	base, within := make([][]float64, 8), make([]float64, 8)
	clock, half := make([][]float64, 8), make([][]float64, 8)
	for k := range base {
		for i := range 3 {
			noise := 0.001 * float64((k+i)%3)
			base[k] = append(base[k], noise)
			clock[k] = append(clock[k], 0.06+noise)
			half[k] = append(half[k], 0.08*float64(k%2)+noise)
		}
	}
	if _, common := Shifts(base, clock, within); math.Abs(common-0.06) > 0.001 {
		t.Errorf("a clock: got %v", common)
	}
	if shifts, common := Shifts(base, half, within); common != 0 || math.Abs(shifts[1].Estimate-0.08) > 0.001 {
		t.Errorf("half of them: got %v, %v", common, shifts[1])
	}
}
