package run

import (
	"math"
	"math/bits"

	"perfdiff/analyze/order"
)

// Amounts holds the distribution of single things by their amount: the bytes of requests, or how long they take. Two
// Amounts add up to that of all, in any order.
type Amounts struct {
	Count, Total int64
	Least, Most  int64
	Lowest       int     // bin of the first of Counts
	Counts, Sums []int64 // by bin: how many there are, and what they add up to
}

// amountBits determines the bin of an amount: there are sixteen bins from one power of two to the next, and a bin
// stands for the mean of its contents.
const amountBits = 4

// amountBin returns the bin of an amount, which is not negative.
func amountBin(v int64) int {
	more := max(bits.Len64(uint64(max(v, 0)))-amountBits-1, 0)
	return more<<amountBits + int(uint64(max(v, 0))>>more)
}

// Add counts an amount, which is not negative.
func (a *Amounts) Add(v int64) {
	bin := amountBin(v)
	a.reach(bin, bin)
	if a.Count == 0 {
		a.Least, a.Most = v, v
	}
	a.Count, a.Total = a.Count+1, a.Total+v
	a.Least, a.Most = min(a.Least, v), max(a.Most, v)
	a.Counts[bin-a.Lowest]++
	a.Sums[bin-a.Lowest] += v
}

// reach makes the bins from low to high there.
func (a *Amounts) reach(low, high int) {
	if n := len(a.Counts); n > 0 {
		low, high = min(low, a.Lowest), max(high, a.Lowest+n-1)
		if high-low+1 == n {
			return
		}
	}
	counts, sums := make([]int64, high-low+1), make([]int64, high-low+1)
	if len(a.Counts) > 0 {
		copy(counts[a.Lowest-low:], a.Counts)
		copy(sums[a.Lowest-low:], a.Sums)
	}
	a.Lowest, a.Counts, a.Sums = low, counts, sums
}

// Plus returns the sum of both; they are not changed. Summaries are not trusted: bins that contradict each other count
// as none.
func (a Amounts) Plus(b Amounts) Amounts {
	switch {
	case !b.whole():
		return a
	case !a.whole():
		return b
	}
	out := Amounts{Count: a.Count + b.Count, Total: a.Total + b.Total, Least: min(a.Least, b.Least), Most: max(a.Most, b.Most)}
	out.reach(min(a.Lowest, b.Lowest), max(a.Lowest+len(a.Counts), b.Lowest+len(b.Counts))-1)
	for _, x := range []*Amounts{&a, &b} {
		for i := range x.Counts {
			out.Counts[x.Lowest-out.Lowest+i] += x.Counts[i]
			out.Sums[x.Lowest-out.Lowest+i] += x.Sums[i]
		}
	}
	return out
}

// whole reports whether there are any, in bins that an amount can have.
func (a *Amounts) whole() bool {
	n := len(a.Counts)
	return a.Count > 0 && n > 0 && n == len(a.Sums) && a.Lowest >= 0 && a.Lowest <= amountBin(math.MaxInt64) && n <= amountBin(math.MaxInt64)+1
}

// Quantile returns the amount that a share of them does not exceed, the nearest rank; NaN without any. It is right to
// a sixteenth, and exact where all amounts of a bin are equal.
func (a *Amounts) Quantile(share float64) float64 {
	if !a.whole() {
		return math.NaN()
	}
	left := int64(order.NearestRank(int(a.Count), share))
	for i, n := range a.Counts {
		if left -= n; left < 0 {
			return math.Min(math.Max(float64(a.Sums[i])/float64(n), float64(a.Least)), float64(a.Most))
		}
	}
	return float64(a.Most)
}

// Reads are the single reads of a rank that moved bytes.
type Reads struct {
	Sizes Amounts // bytes
	Times Amounts // ns
}

// Plus returns both together; nil where neither is known.
func (r *Reads) Plus(s *Reads) *Reads {
	switch {
	case r == nil:
		return s
	case s == nil:
		return r
	}
	return &Reads{r.Sizes.Plus(s.Sizes), r.Times.Plus(s.Times)}
}
