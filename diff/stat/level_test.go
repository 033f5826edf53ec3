package stat

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
)

// wander is an AR(1) of standard deviation sd, heavy with t of 3 degrees of freedom in
// place of normal innovations.
func wander(g *rand.Rand, n int, phi, sd float64, heavy bool) []float64 {
	out, x := make([]float64, n), 0.0
	for i := -40; i < n; i++ {
		e := g.NormFloat64()
		if heavy {
			a, b, c := g.NormFloat64(), g.NormFloat64(), g.NormFloat64()
			e /= math.Sqrt(a*a + b*b + c*c)
		}
		if x = phi*x + sd*math.Sqrt(1-phi*phi)*e; i >= 0 {
			out[i] = x
		}
	}
	return out
}

type courseOf func(i, n int) float64

func flat(int, int) float64 { return 0 }

// jump is a level that is higher by a share from a place on: the 15th step, or two
// thirds of the run.
func jump(share float64, at func(n int) int) courseOf {
	return func(i, n int) float64 {
		if i >= at(n) {
			return math.Log1p(share)
		}
		return 0
	}
}

func fifteenth(int) int   { return 14 }
func twoThirds(n int) int { return n * 2 / 3 }

// every is c with a spike in each period-th step.
func every(period int, size float64, c courseOf) courseOf {
	return func(i, n int) float64 {
		if i%period == period-1 {
			return c(i, n) + math.Log1p(size)
		}
		return c(i, n)
	}
}

// levelRate is the share of runs in which a change is found, and of those in which it
// is found at a place, within one.
func levelRate(name string, n, draws int, noise func(*rand.Rand) []float64, c courseOf, at func(int) int) (found, right float64) {
	seed := uint64(n)
	for _, b := range []byte(name) {
		seed = seed*31 + uint64(b)
	}
	g := rand.New(rand.NewPCG(seed, 1))
	for range draws {
		x := noise(g)
		for i := range x {
			x[i] += c(i, n)
		}
		if w := WarmUpOf(x); w.Falls {
			x = x[w.Cut:]
		}
		if l, ok := FindLevel(x); ok {
			found++
			if at != nil && math.Abs(float64(l.At+n-len(x)-at(n))) <= 1 {
				right++
			}
		}
	}
	return found / float64(draws), right / float64(draws)
}

// TestLevelRates: how often a change of level is found where there is none, and where
// there is one. With PERFDIFF_RATES=2000 the rates are measured with as many runs.
func TestLevelRates(t *testing.T) {
	draws := 150
	if text := os.Getenv("PERFDIFF_RATES"); text != "" {
		if _, err := fmt.Sscan(text, &draws); err != nil || draws < 1 {
			t.Fatalf("PERFDIFF_RATES=%s: want a number of runs", text)
		}
	}
	noises := []struct {
		name    string
		phi, sd float64
		heavy   bool
		false   float64 // at most, without a change
		warm    float64 // at most, behind a warm-up
		line    float64 // at most, where the run grows by a tenth along a line
		thirty  float64 // at least, where the level rises by 30 %
		ten     float64 // by 10 %
	}{
		{"white 1 %", 0, .01, false, .005, .01, .005, .99, .97}, {"white 2 %", 0, .02, false, .005, .045, .01, .99, .84},
		{"AR(1) .5, 2 %", .5, .02, false, .005, .03, .04, .97, .55}, {"AR(1) .6, 2 %", .6, .02, false, .005, .03, .04, .97, .55},
		{"AR(1) .9, 3 %", .9, .03, false, .02, .035, .05, .95, .2}, {"AR(1) .9, 3 %, t", .9, .03, true, .035, .035, .05, .92, .3},
	}
	without := []struct {
		name string
		c    courseOf
	}{
		{"none", flat}, {"line +93 %", func(i, n int) float64 { return math.Log1p(.93 * float64(i) / float64(n)) }},
		{"one spike", func(i, n int) float64 { return map[bool]float64{true: .7}[i == n/3] }},
		{"a spike every 8th step", every(8, 1.4, flat)}, {"a spike every 25th step", every(25, .8, flat)},
		{"warm-up of decay 3", func(i, _ int) float64 { return math.Log1p(.8 * math.Exp(-float64(i)/3)) }},
		{"warm-up of decay 8", func(i, _ int) float64 { return math.Log1p(.8 * math.Exp(-float64(i)/8)) }},
	}
	for _, no := range noises {
		for _, n := range []int{18, 30, 100} {
			draw := func(g *rand.Rand) []float64 { return wander(g, n, no.phi, no.sd, no.heavy) }
			check := func(what string, got, bar float64, most bool) {
				room := 3 * math.Sqrt(max(bar*(1-bar), .002)/float64(draws))
				if most && got > bar+room || !most && got < bar-room {
					t.Errorf("%s, %d steps, %s: got %.1f %%, want %.1f %%", no.name, n, what, 100*got, 100*bar)
				}
			}
			line := []string{fmt.Sprintf("%-18s %3d steps:", no.name, n)}
			for _, w := range without {
				got, _ := levelRate(no.name+w.name, n, draws, draw, w.c, nil)
				line = append(line, fmt.Sprintf("%s %.1f", w.name, 100*got))
				bar := no.false
				if strings.HasPrefix(w.name, "warm-up") {
					bar = no.warm
				}
				check(w.name, got, bar, true)
			}
			got, _ := levelRate(no.name+"line", n, draws, draw, func(i, n int) float64 { return .1 * float64(i) / float64(n) }, nil)
			line = append(line, fmt.Sprintf("line +10 %% %.1f", 100*got))
			check("line +10 %", got, no.line, true)
			for _, at := range []func(int) int{fifteenth, twoThirds} {
				_, thirty := levelRate(no.name+"30", n, draws, draw, jump(.3, at), at)
				_, spiky := levelRate(no.name+"8", n, draws, draw, every(8, .65, jump(.3, at)), at)
				_, ten := levelRate(no.name+"10", n, draws, draw, jump(.1, at), at)
				line = append(line, fmt.Sprintf("from step %d on +30 %% %.1f, beside spikes %.1f, +10 %% %.1f", at(n)+1, 100*thirty, 100*spiky, 100*ten))
				bar := no.thirty
				if n < 20 { // the start of so short a run may look like a warm-up
					bar -= .09
				}
				check("+30 %", thirty, bar, false)
				check("+10 %", ten, no.ten, false)
			}
			t.Log(strings.Join(line, "; "))
		}
	}
}

// TestFindLevel: what a change holds, where it is, and what is none.
func TestFindLevel(t *testing.T) {
	run := func(n int, c courseOf) []float64 {
		x := make([]float64, n)
		for i := range x {
			x[i] = .01*math.Sin(2.3*float64(i)) + c(i, n)
		}
		return x
	}
	for name, tt := range map[string]struct {
		x  []float64
		at int // 0: none
	}{
		"from the 15th of 19": {run(19, jump(.3, fifteenth)), 14}, "of 100": {run(100, jump(.3, fifteenth)), 14},
		"falls": {run(40, jump(-.3, twoThirds)), 26}, "three at the end": {run(30, jump(.3, func(n int) int { return n - 3 })), 27},
		"two at the end":        {run(30, jump(.3, func(n int) int { return n - 2 })), 0},
		"spikes two steps wide": {append(run(27, every(10, 2, flat)), 1, .25, .01), 0},
		"less than matters":     {run(40, jump(.04, twoThirds)), 0},
		"too few values":        {run(14, jump(.3, func(int) int { return 7 })), 0},
		"all the same":          {make([]float64, 40), 0},
		"a level, no noise":     {append(make([]float64, 20), slices.Repeat([]float64{.3}, 20)...), 20},
		"a line":                {run(40, func(i, _ int) float64 { return .02 * float64(i) }), 0},
		"every second a peak":   {run(40, every(2, .3, flat)), 0},
	} {
		l, ok := FindLevel(tt.x)
		if ok != (tt.at > 0) || ok && l.At != tt.at {
			t.Errorf("%s: got %v, %v, want a change at %d", name, l, ok, tt.at)
		}
	}
	l, _ := FindLevel(run(40, jump(.3, twoThirds)))
	if half := l.HalfWidth(.05); !near(l.Size, math.Log(1.3), half) || half > .02 || !near(l.After-l.Before, l.Size, 1e-15) {
		t.Errorf("got %v with half width %g, want a size of %g in its interval", l, half, math.Log(1.3))
	}
	if got := Rise(run(40, jump(.3, twoThirds))).Value; got != l.Size {
		t.Errorf("Rise: got %g, want the size of the jump %g", got, l.Size)
	}
	line := run(40, func(i, _ int) float64 { return .02 * float64(i) })
	if got, want := Rise(line), Drift(line); got != want {
		t.Errorf("Rise of a line: got %v, want %v", got, want)
	}
}

// TestWarmUpOf: a later change of level neither hides a warm-up nor is eaten by one.
func TestWarmUpOf(t *testing.T) {
	warm := func(i int) float64 { return math.Log1p(.8 * math.Exp(-float64(i)/2)) }
	var plain, both []float64
	for i := range 60 {
		v := .005*math.Sin(2.3*float64(i)) + warm(i)
		plain = append(plain, v)
		both = append(both, v+jump(.3, func(int) int { return 45 })(i, 60))
	}
	want, bent := FindWarmUp(plain), FindWarmUp(both)
	if got := WarmUpOf(both); got != want || bent == want {
		t.Errorf("got %v, want %v (without looking for the level: %v)", got, want, bent)
	}
	if got := WarmUpOf(plain); got != want {
		t.Errorf("without a change: got %v, want %v", got, want)
	}
}
