package stat

import (
	"math"
	"math/rand/v2"
	"testing"
)

func TestPeriod(t *testing.T) {
	curve := func(n int, spike func(i int) bool) []float64 {
		x := make([]float64, n)
		for i := range x {
			if x[i] = 0.1 + 0.0005*math.Sin(float64(3*i)); spike(i) {
				x[i] += 0.04
			}
		}
		return x
	}
	for _, tt := range []struct {
		name   string
		x      []float64
		period int
		places int
	}{
		{"every eighth", curve(48, func(i int) bool { return i%8 == 7 }), 8, 6},
		{"nearly every tenth", curve(60, func(i int) bool { return i == 9 || i == 20 || i == 30 || i == 39 || i == 49 }), 10, 5},
		{"four, the same apart", curve(60, func(i int) bool { return i%12 == 9 && i < 50 }), 12, 4},
		{"four, not quite", curve(60, func(i int) bool { return i == 9 || i == 20 || i == 30 || i == 39 }), 0, 4},
		{"two are no period", curve(48, func(i int) bool { return i == 10 || i == 20 }), 0, 2},
		{"at random", curve(60, func(i int) bool { return i == 3 || i == 7 || i == 29 || i == 50 }), 0, 4},
		{"one alone", curve(48, func(i int) bool { return i == 10 }), 0, 1},
		{"none", curve(48, func(int) bool { return false }), 0, 0},
		{"empty", nil, 0, 0},
	} {
		got := Period(tt.x)
		if got.Period != tt.period || len(got.Places) != tt.places || tt.places > 0 && math.Abs(got.Excess-0.04) > 0.001 {
			t.Errorf("%s: got %+v, want period %d of %d spikes", tt.name, got, tt.period, tt.places)
		}
	}
}

// TestPeriodByChance: spikes at random hardly ever come at equal distances.
func TestPeriodByChance(t *testing.T) {
	g := rand.New(rand.NewPCG(5, 8))
	found := 0
	for range 2000 {
		x := make([]float64, 40)
		for i := range x {
			if x[i] = 0.1 * (1 + 0.01*g.NormFloat64()); g.Float64() < 0.08 {
				x[i] += 0.08
			}
		}
		if Period(x).Period > 0 {
			found++
		}
	}
	if found > 40 {
		t.Errorf("%d of 2,000 runs with spikes at random have a period", found)
	}
}
