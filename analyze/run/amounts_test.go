package run

import (
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// TestAmounts: quantiles are right to a sixteenth, and two halves are the whole in any order.
func TestAmounts(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var all, a, b Amounts
	var values []int64
	for i := range 2000 {
		v := int64(math.Exp(float64(25 * rng.Float64())))
		values = append(values, v)
		all.Add(v)
		if i%3 == 0 {
			a.Add(v)
		} else {
			b.Add(v)
		}
	}
	slices.Sort(values)
	for _, q := range []float64{0.001, 0.1, 0.5, 0.9, 0.99, 1} {
		want := float64(values[int(math.Ceil(q*2000))-1])
		if got := all.Quantile(q); math.Abs(got-want) > want/16+1 {
			t.Errorf("quantile %g: got %g, want %g", q, got, want)
		}
	}
	if ab, ba := a.Plus(b), b.Plus(a); !reflect.DeepEqual(ab, ba) || ab.Count != all.Count || ab.Quantile(0.5) != all.Quantile(0.5) {
		t.Errorf("got %d of %d", ab.Count, all.Count)
	}
	var same Amounts
	for range 5 {
		same.Add(1 << 22)
	}
	if got := same.Quantile(0.5); got != 1<<22 {
		t.Errorf("of equal ones: got %g", got)
	}
	if got := new(Amounts).Quantile(0.5); !math.IsNaN(got) {
		t.Errorf("of none: got %g", got)
	}
}

// TestAmountsOfStrangers: what a summary says of bins is not trusted.
func TestAmountsOfStrangers(t *testing.T) {
	var good Amounts
	good.Add(7)
	for _, bad := range []Amounts{
		{Count: 5}, {Count: 5, Counts: []int64{5}}, {Count: 1, Counts: []int64{1}, Sums: []int64{1}, Lowest: -4},
		{Count: 1, Counts: []int64{1}, Sums: []int64{1}, Lowest: math.MaxInt},
	} {
		if got := good.Plus(bad); got.Count != 1 || !math.IsNaN(bad.Quantile(0.5)) {
			t.Errorf("%+v counts: %+v", bad, got)
		}
	}
}
