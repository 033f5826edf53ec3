package run

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// lengths are so many durations that differ by orders of magnitude.
func lengths(n int, seed uint64) []int64 {
	rng := rand.New(rand.NewPCG(seed, 1))
	out := make([]int64, n)
	for i := range out {
		out[i] = rng.Int64N(1 << (4 + rng.IntN(36)))
	}
	return out
}

// TestDurationsTogether: durations that are added one by one, many at once, or apart and then
// put together give the same row, whatever they are kept as.
func TestDurationsTogether(t *testing.T) {
	var room Durations // of one sum after the other
	for _, n := range []int{1, 2, 3, maxExact, maxExact + 1, 1000, maxBinOfEach, maxBinOfEach + 1, 3 * maxBinOfEach} {
		for _, first := range []int{0, 1, 2, n / 3, n - 1, n} {
			all := lengths(n, uint64(n))
			first = min(first, n)
			var one, many, a, b Durations
			for i, ns := range all {
				one.Add(ns)
				if i < first {
					a.Add(ns)
				}
			}
			many.AddAll(all[:first])
			many.AddAll(all[first:])
			b.AddAll(all[first:])
			both := a.Plus(&b)
			inRoom := a.PlusIn(&room, &b)
			want := one.StatWithQuartiles(APITable, "x")
			for what, got := range map[string]Stat{"many": many.StatWithQuartiles(APITable, "x"), "both": both.StatWithQuartiles(APITable, "x"),
				"in room": inRoom.StatWithQuartiles(APITable, "x")} {
				if got != want {
					t.Errorf("%d, %d of them first, %s: got %+v, want %+v", n, first, what, got, want)
				}
			}
			var sums Durations
			sums.AddWithoutMedian(&b)
			sums.AddWithoutMedian(&a)
			if got := sums.StatWithoutMedian(APITable, "x"); got.Squares != want.Squares || got.Count != want.Count || got.Min != want.Min || got.Max != want.Max {
				t.Errorf("%d, %d of them first, sums: got %+v, want %+v", n, first, got, want)
			}
		}
	}
}

// TestSquares: the deviation is right where durations hardly differ from one that is large,
// and with durations below zero, as files hold them that were cut.
func TestSquares(t *testing.T) {
	for name, all := range map[string][]int64{
		"close": {1e15, 1e15 + 1, 1e15 + 2}, "cut": {-5, 7, -9, 1e12}, "apart": lengths(999, 3), "alike": {77, 77, 77},
	} {
		var d Durations
		d.AddAll(all)
		sum, squares := new(big.Int), new(big.Int)
		for _, ns := range all {
			sum.Add(sum, big.NewInt(ns))
			squares.Add(squares, new(big.Int).Mul(big.NewInt(ns), big.NewInt(ns)))
		}
		squares.Mul(squares, big.NewInt(int64(len(all)))).Sub(squares, sum.Mul(sum, sum))
		want, _ := new(big.Rat).SetFrac(squares, big.NewInt(int64(len(all)))).Float64()
		if got := d.StatWithoutMedian(APITable, "x").Squares * 1e18; math.Abs(got-want) > 1e-9*want {
			t.Errorf("%s: got %g, want %g", name, got, want)
		}
		slices.Reverse(all)
		var back Durations
		back.AddAll(all)
		if got, want := back.StatWithoutMedian(APITable, "x"), d.StatWithoutMedian(APITable, "x"); got != want {
			t.Errorf("%s: got %+v in the other order, want %+v", name, got, want)
		}
	}
}
