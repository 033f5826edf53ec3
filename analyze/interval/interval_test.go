package interval

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func set(ts ...int64) Set {
	var s Set
	for i := 0; i < len(ts); i += 2 {
		s = append(s, Interval{ts[i], ts[i+1]})
	}
	return s
}

func TestAdd(t *testing.T) {
	tests := []struct {
		name string
		in   []int64
		want Set
	}{
		{"apart", []int64{0, 1, 5, 6}, set(0, 1, 5, 6)},
		{"touching", []int64{0, 1, 1, 6}, set(0, 6)},
		{"inside", []int64{0, 9, 1, 6}, set(0, 9)},
		{"empty", []int64{3, 3, 5, 4}, nil},
		{"out of order", []int64{10, 12, 20, 22, 0, 1}, set(0, 1, 10, 12, 20, 22)},
		{"bridging", []int64{10, 12, 20, 22, 30, 31, 11, 25}, set(10, 25, 30, 31)},
	}
	for _, tt := range tests {
		var got Set
		for i := 0; i < len(tt.in); i += 2 {
			got = got.Add(tt.in[i], tt.in[i+1])
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestAlgebra(t *testing.T) {
	a, b := set(0, 10, 20, 30, 40, 50), set(5, 25, 26, 27, 48, 60)
	check := func(name string, got, want Set) {
		t.Helper()
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
	check("union", Union(nil, a, b), set(0, 30, 40, 60))
	check("union appends", Union(set(1, 2), a[:1], nil), set(1, 2, 0, 10))
	check("intersect", Intersect(nil, a, b), set(5, 10, 20, 25, 26, 27, 48, 50))
	check("subtract", Subtract(nil, a, b), set(0, 5, 25, 26, 27, 30, 40, 48))
	check("clip", a.Clip(nil, 5, 45), set(5, 10, 20, 30, 40, 45))
	check("clip to nothing", a.Clip(nil, 12, 18), nil)
	check("gaps", a.Gaps(nil, -5, 45), set(-5, 0, 10, 20, 30, 40))
	check("gaps of nothing", Set(nil).Gaps(nil, 1, 4), set(1, 4))
	check("gaps beyond", a.Gaps(nil, 35, 38), set(35, 38))
}

// TestLaws holds the algebra against one bit per instant.
func TestLaws(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		a, b := draw(rng), draw(rng)
		ba, bb := bits(a), bits(b)
		for name, got := range map[string]struct {
			set Set
			of  func(x, y bool) bool
		}{
			"union":     {Union(nil, a, b), func(x, y bool) bool { return x || y }},
			"intersect": {Intersect(nil, a, b), func(x, y bool) bool { return x && y }},
			"subtract":  {Subtract(nil, a, b), func(x, y bool) bool { return x && !y }},
			"gaps":      {a.Gaps(nil, 0, 64), func(x, _ bool) bool { return !x }},
		} {
			bg := bits(got.set)
			for i := range bg {
				if bg[i] != got.of(ba[i], bb[i]) {
					t.Fatalf("%s of %v and %v: got %v, wrong at %d", name, a, b, got.set, i)
				}
			}
			if !wellFormed(got.set) {
				t.Fatalf("%s of %v and %v: not a set: %v", name, a, b, got.set)
			}
		}
		if got, want := Overlap(a, b), Intersect(nil, a, b).Total(); got != want {
			t.Fatalf("overlap of %v and %v: got %d, want %d", a, b, got, want)
		}
		if got, want := Union(nil, a, b).Total(), a.Total()+b.Total()-Overlap(a, b); got != want {
			t.Fatalf("total of the union of %v and %v: got %d, want %d", a, b, got, want)
		}
	}
}

// TestWindowLaws holds Clip, Touching and Gaps of a window against one bit per instant.
// Edges of windows fall on edges of intervals more often than not.
func TestWindowLaws(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 3000 {
		a := draw(rng)
		lo, hi := rng.Int64N(64), rng.Int64N(64)
		if n := len(a); n > 0 && rng.IntN(2) == 0 {
			lo, hi = edge(rng, a), edge(rng, a)
		}
		inside := func(i int) bool { return int64(i) >= lo && int64(i) < hi }
		before, had := slices.Clone(a), set(70, 71)
		clipped := a.Clip(slices.Clone(had), lo, hi)
		gaps := a.Gaps(slices.Clone(had), lo, hi)
		if !slices.Equal(clipped[:1], had) || !slices.Equal(gaps[:1], had) || !slices.Equal(a, before) {
			t.Fatalf("%v in [%d, %d): got %v and %v, want what was there left alone, as is %v", before, lo, hi, clipped, gaps, a)
		}
		clipped, gaps = clipped[1:], gaps[1:]
		all, in, out := bits(a), bits(clipped), bits(gaps)
		for i := range all {
			if in[i] != (all[i] && inside(i)) || out[i] != (!all[i] && inside(i)) {
				t.Fatalf("%v in [%d, %d): got %v and the gaps %v, wrong at %d", a, lo, hi, clipped, gaps, i)
			}
		}
		if !wellFormed(clipped) || !wellFormed(gaps) {
			t.Fatalf("%v in [%d, %d): not sets: %v, gaps %v", a, lo, hi, clipped, gaps)
		}
		var touching Set
		for _, iv := range a {
			if lo < hi && iv.Start < hi && iv.End > lo {
				touching = append(touching, iv)
			}
		}
		if got := a.Touching(lo, hi); !slices.Equal(got, touching) {
			t.Fatalf("%v: touching [%d, %d): got %v, want %v", a, lo, hi, got, touching)
		}
		room := set(3, 4)
		if got := a.Within(&room, lo, hi); !slices.Equal(got, clipped) || !slices.Equal(a, before) {
			t.Fatalf("%v: within [%d, %d): got %v, want %v, and the set as it was: %v", before, lo, hi, got, clipped, a)
		}
	}
}

// edge is where an interval of a set begins or ends.
func edge(rng *rand.Rand, s Set) int64 {
	iv := s[rng.IntN(len(s))]
	if rng.IntN(2) == 0 {
		return iv.Start
	}
	return iv.End
}

func TestShare(t *testing.T) {
	for _, tt := range []struct {
		start, end, lo, hi int64
		want               float64
	}{
		{10, 20, 0, 100, 1}, {10, 20, 15, 100, .5}, {10, 20, 0, 12, .2}, {10, 20, 14, 16, .2},
		{10, 20, 20, 30, 0}, {10, 20, 0, 10, 0}, {5, 5, 5, 6, 1}, {5, 5, 4, 5, 0}, {5, 4, 0, 9, 1},
	} {
		if got := Share(tt.start, tt.end, tt.lo, tt.hi); got != tt.want {
			t.Errorf("[%d, %d) in [%d, %d): got %v want %v", tt.start, tt.end, tt.lo, tt.hi, got, tt.want)
		}
	}
}

// TestAnyOrder: spans in any order, many of which touch, are the set of their instants.
func TestAnyOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 3000 {
		var got Set
		var want [64]bool
		for range rng.IntN(8) {
			start := 4 * rng.Int64N(15)
			end := start + 4*rng.Int64N((64-start)/4)
			got = got.Add(start, end)
			for i := start; i < end; i++ {
				want[i] = true
			}
		}
		if bits(got) != want || !wellFormed(got) {
			t.Fatalf("got %v, which is no set of the instants that were put in", got)
		}
	}
}

func draw(rng *rand.Rand) Set {
	var s Set
	for range rng.IntN(6) {
		start := rng.Int64N(60)
		s = s.Add(start, start+rng.Int64N(64-start))
	}
	return s
}

func bits(s Set) (b [64]bool) {
	for _, iv := range s {
		for i := iv.Start; i < iv.End; i++ {
			b[i] = true
		}
	}
	return b
}

// wellFormed reports whether intervals are in order, not empty, and do not touch.
func wellFormed(s Set) bool {
	for i, iv := range s {
		if iv.End <= iv.Start || i > 0 && iv.Start <= s[i-1].End {
			return false
		}
	}
	return true
}

func BenchmarkAdd(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	spans := make([]Interval, 1<<16)
	var now int64
	for i := range spans {
		now += rng.Int64N(100)
		spans[i] = Interval{now, now + rng.Int64N(120)}
	}
	b.ReportAllocs()
	for b.Loop() {
		s := make(Set, 0, len(spans))
		for _, iv := range spans {
			s = s.Add(iv.Start, iv.End)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(spans)), "ns/span")
}
