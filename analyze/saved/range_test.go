package saved

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// columnsOfAllKinds are columns as profiles have them, and as nobody has them.
func columnsOfAllKinds() map[string][]int64 {
	g := rand.New(rand.NewPCG(1, 2))
	fill := func(n int, of func(i int) int64) []int64 {
		v := make([]int64, n)
		for i := range v {
			v[i] = of(i)
		}
		return v
	}
	extremes := []int64{0, 1, -1, math.MaxInt64, math.MinInt64, math.MinInt64 + 1, 1 << 62, -1 << 62}
	return map[string][]int64{
		"nothing":    {},
		"one":        {-7},
		"alike":      fill(1000, func(int) int64 { return math.MinInt64 }),
		"noise":      fill(1000, func(int) int64 { return 28_900_000 + int64(g.NormFloat64()*40_000) }),
		"times":      fill(1000, func(i int) int64 { return int64(i)*28_900_000 + g.Int64N(40_000) }),
		"periodic":   fill(1000, func(i int) int64 { return []int64{8, 8, 12, 13, 14, 4, 9}[i%7] }),
		"stretches":  fill(1000, func(i int) int64 { return int64(i/16*i/16) * 1000 }),
		"extremes":   fill(3000, func(int) int64 { return extremes[g.IntN(len(extremes))] }),
		"all bits":   fill(3000, func(int) int64 { return int64(g.Uint64()) }),
		"mostly nan": fill(100, func(i int) int64 { return []int64{nanMark, nanMark, 5}[i%3] }),
	}
}

// TestDenseColumns: whatever numbers there are come back, all of them in one stream, and nothing is
// left over; noise takes hardly more bits than it has, and what repeats next to nothing.
func TestDenseColumns(t *testing.T) {
	columns := columnsOfAllKinds()
	names := slices.Sorted(func(yield func(string) bool) {
		for name := range columns {
			if !yield(name) {
				return
			}
		}
	})
	c := NewColumns(nil)
	for _, name := range names {
		c.e.ints(columns[name])
		c.Ints(columns[name])
	}
	packed, err := c.Packed()
	if err != nil {
		t.Fatal(err)
	}
	r, err := OpenColumns(packed, nil, &MemoryBudget{Bytes: 1 << 20})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		if got := r.d.ints(); !slices.Equal(got, columns[name]) {
			t.Errorf("%s: other numbers came back: %v", name, r.d.err)
		}
		out := make([]int64, len(columns[name]))
		if r.Ints(out); !slices.Equal(out, columns[name]) {
			t.Errorf("%s: other numbers came back: %v", name, r.d.err)
		}
	}
	if err := r.End(); err != nil {
		t.Error(err)
	}
	for name, most := range map[string]int{"alike": 30, "noise": 2250, "times": 2250, "periodic": 60, "all bits": 24_600} {
		c := NewColumns(nil)
		c.Ints(columns[name])
		if packed, _ := c.Packed(); len(packed) > most {
			t.Errorf("%s: %d numbers take %d bytes, want at most %d", name, len(columns[name]), len(packed), most)
		}
	}
}
