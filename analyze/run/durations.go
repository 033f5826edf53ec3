package run

import (
	"math/bits"

	"perfdiff/analyze/order"
)

// Durations collects the durations of one name to make a Stat. A rank has millions of them, and only the median needs
// more than sums: the first 128 are kept exactly; with more, the bin number of each; and once these would take more
// room than the bins, a count for each bin. A bin is a thousandth of its values wide. Sums are exact, so that adding
// two Durations gives the same as adding all durations to one, in any order.
type Durations struct {
	count, total, min, max int64
	squares                uint128   // ns²
	exact                  []float32 // ns, from two durations on
	binOfEach              []uint16  // of each duration, by binOf; in place of exact
	binCounts              []uint32  // by binOf less firstBin; in place of binOfEach
	firstBin               int
}

// maxExact is how many durations are kept as they are, maxBinOfEach how many by their bins,
// and binBits how many of a duration's upper bits, after the first, make its bin.
const (
	maxExact     = 128
	maxBinOfEach = 1 << 14
	binBits      = 10
)

// binOf returns the bin of a duration in ns. The shortest have a bin each; among the others those with the same upper
// eleven bits share one.
func binOf(ns int64) int {
	v := uint64(max(ns, 0))
	more := max(bits.Len64(v)-binBits-1, 0)
	return more<<binBits + int(v>>(more&63))
}

// binCentre returns the middle of a bin, in ns.
func binCentre(bin int) int64 {
	more := max(bin>>binBits-1, 0)
	low := int64(bin-more<<binBits) << more
	return low + (1<<more)/2
}

// Add counts a duration, in ns.
func (d *Durations) Add(ns int64) {
	if d.count == 0 {
		d.min, d.max = ns, ns
	}
	d.count++
	d.total += ns
	d.min, d.max = min(d.min, ns), max(d.max, ns)
	d.squares.addProduct(ns, ns)
	at := binOf(ns)
	if i := at - d.firstBin; uint(i) < uint(len(d.binCounts)) {
		d.binCounts[i]++
		return
	}
	if n := len(d.binOfEach); n > 0 && n < cap(d.binOfEach) && n < maxBinOfEach {
		d.binOfEach = append(d.binOfEach, uint16(at))
		return
	}
	d.keepForMedian(ns, at)
}

// AddAll counts many durations, in ns.
func (d *Durations) AddAll(all []int64) {
	for len(all) > 0 && d.count <= maxExact {
		d.Add(all[0])
		all = all[1:]
	}
	if len(all) == 0 {
		return
	}
	total, least, most := d.total, d.min, d.max
	for _, ns := range all {
		total, least, most = total+ns, min(least, ns), max(most, ns)
	}
	d.total, d.min, d.max, d.count = total, least, most, d.count+int64(len(all))
	d.squares.addSquares(all, least, most)
	if d.binCounts == nil && d.count <= maxBinOfEach {
		if n := len(d.binOfEach) + len(all); n > cap(d.binOfEach) {
			d.binOfEach = append(make([]uint16, 0, max(n, 2*cap(d.binOfEach))), d.binOfEach...)
		}
		for _, ns := range all {
			d.binOfEach = append(d.binOfEach, uint16(binOf(ns)))
		}
		return
	}
	if low, high := binOf(least), binOf(most); d.binCounts == nil || low < d.firstBin || high >= d.firstBin+len(d.binCounts) {
		d.useCounts(low, high)
	}
	for _, ns := range all {
		d.binCounts[binOf(ns)-d.firstBin]++
	}
}

// keepForMedian keeps the duration that was counted last, so that the median can be found.
func (d *Durations) keepForMedian(ns int64, at int) {
	switch {
	case d.count == 1: // the least holds it
	case d.count == 2:
		d.exact = append(d.exact, float32(d.min+d.max-ns), float32(ns))
	case d.count <= maxExact:
		d.exact = append(d.exact, float32(ns))
	case d.binCounts == nil && d.count <= maxBinOfEach:
		d.useBins()
		d.binOfEach = append(d.binOfEach, uint16(at))
	default:
		d.useCounts(binOf(d.min), binOf(d.max))
		d.binCounts[at-d.firstBin]++
	}
}

// useBins keeps bins in place of exact durations.
func (d *Durations) useBins() {
	if d.binOfEach == nil {
		d.binOfEach = make([]uint16, 0, 4*maxExact)
	}
	for _, x := range d.exact {
		d.binOfEach = append(d.binOfEach, uint16(binOf(int64(x))))
	}
	d.exact = nil
}

// useCounts keeps how many durations are in each bin, in place of the bin of each. It makes
// room for the bins from low to high, and for some on both sides.
func (d *Durations) useCounts(low, high int) {
	if len(d.binCounts) > 0 {
		low, high = min(low, d.firstBin), max(high, d.firstBin+len(d.binCounts)-1)
	}
	some := max(64, (high-low)/8)
	low, high = max(0, low-some), high+some
	var bins []uint32
	if n := high - low + 1; len(d.binCounts) == 0 && n <= cap(d.binCounts) { // of an earlier sum
		bins = d.binCounts[:n]
		clear(bins)
	} else {
		bins = make([]uint32, n)
		copy(bins[max(0, d.firstBin-low):], d.binCounts)
	}
	d.binCounts, d.firstBin = bins, low
	for _, x := range d.exact {
		d.binCounts[binOf(int64(x))-low]++
	}
	for _, at := range d.binOfEach {
		d.binCounts[int(at)-low]++
	}
	d.exact, d.binOfEach = nil, nil
}

// Plus returns both together. Neither is changed.
func (d *Durations) Plus(e *Durations) Durations {
	var room Durations
	return *d.PlusIn(&room, e)
}

// PlusIn returns Plus, made in the memory of room: the bins of a name take 100 KB, and a rank has
// hundreds of names.
func (d *Durations) PlusIn(room, e *Durations) *Durations {
	switch {
	case e.count == 0:
		return d
	case d.count == 0:
		return e
	}
	out := room
	*out = Durations{exact: room.exact[:0], binCounts: room.binCounts[:0]}
	out.AddWithoutMedian(d)
	out.AddWithoutMedian(e)
	if out.count <= maxExact {
		for _, x := range []*Durations{d, e} {
			if out.exact = append(out.exact, x.exact...); x.count == 1 {
				out.exact = append(out.exact, float32(x.min))
			}
		}
		return out
	}
	out.useCounts(binOf(out.min), binOf(out.max))
	d.addToCounts(out)
	e.addToCounts(out)
	return out
}

// addToCounts adds durations to the counts of a sum that has room for their bins.
func (d *Durations) addToCounts(sum *Durations) {
	if d.count == 1 {
		sum.binCounts[binOf(int64(float32(d.min)))-sum.firstBin]++
	}
	for _, x := range d.exact {
		sum.binCounts[binOf(int64(x))-sum.firstBin]++
	}
	for _, at := range d.binOfEach {
		sum.binCounts[int(at)-sum.firstBin]++
	}
	if len(d.binCounts) == 0 {
		return
	}
	low, high := max(d.firstBin, binOf(d.min)-1), binOf(d.max)+1 // single precision may have rounded
	to := sum.binCounts[low-sum.firstBin:]
	for i, n := range d.binCounts[low-d.firstBin : high+1-d.firstBin] {
		to[i] += n
	}
}

// each calls do with durations, in ns, and how many there are of each, right to a thousandth.
func (d *Durations) each(do func(ns, n int64)) {
	if d.count == 1 {
		do(d.min, 1)
	}
	for _, x := range d.exact {
		do(int64(x), 1)
	}
	for _, at := range d.binOfEach {
		do(binCentre(int(at)), 1)
	}
	for i, n := range d.binCounts {
		if n > 0 {
			do(binCentre(d.firstBin+i), int64(n))
		}
	}
}

// AddWithoutMedian adds the durations of e for StatWithoutMedian; nothing is kept for a median.
func (d *Durations) AddWithoutMedian(e *Durations) {
	if d.count == 0 {
		d.min, d.max = e.min, e.max
	}
	if e.count == 0 {
		return
	}
	d.count, d.total = d.count+e.count, d.total+e.total
	d.min, d.max = min(d.min, e.min), max(d.max, e.max)
	d.squares.addWide(e.squares)
}

// Count returns how many there are.
func (d *Durations) Count() int64 { return d.count }

// Total returns the sum of the durations, in ns.
func (d *Durations) Total() int64 { return d.total }

// nthSmallest returns the duration at place n, from 1, in order of size; right to a thousandth.
func (d *Durations) nthSmallest(nth int64) int64 {
	switch {
	case d.count == 1:
		return int64(float32(d.min))
	case d.binOfEach != nil:
		return min(max(binCentre(nthSmallestBin(d.binOfEach, int(nth))), d.min), d.max)
	case len(d.binCounts) == 0:
		return int64(order.Select(d.exact, int(nth)))
	}
	for at, n := range d.binCounts {
		if nth -= int64(n); nth < 0 {
			return min(max(binCentre(d.firstBin+at), d.min), d.max)
		}
	}
	return d.max
}

// nthSmallestBin returns the bin at place n in order of size: found by its high byte, then by its low one.
func nthSmallestBin(binned []uint16, nth int) int {
	var high, low [256]int
	for _, at := range binned {
		high[at>>8]++
	}
	h := 0
	for ; nth >= high[h]; h++ {
		nth -= high[h]
	}
	for _, at := range binned {
		if int(at>>8) == h {
			low[at&0xff]++
		}
	}
	l := 0
	for ; nth >= low[l]; l++ {
		nth -= low[l]
	}
	return h<<8 + l
}

// Stat returns the row of a table. The median, for an even number the lower of the middle two, is right to a
// thousandth.
func (d *Durations) Stat(table Table, name string) Stat {
	out := d.StatWithoutMedian(table, name)
	if d.count > 0 {
		out.Median = min(max(d.nthSmallest((d.count-1)/2), d.min), d.max)
	}
	return out
}

// StatWithoutMedian does what Stat does without the median, which takes most of its time.
func (d *Durations) StatWithoutMedian(table Table, name string) Stat {
	return Stat{Table: table, Name: name, Count: d.count, Total: d.total, Min: d.min, Max: d.max, Squares: d.squaredDeviations()}
}

// squaredDeviations returns the sum of squared distances from the mean, in s². It is made of sums
// about the shortest duration: sums about 0 would be large and nearly equal, and their
// difference inexact.
func (d *Durations) squaredDeviations() float64 {
	if d.count < 2 {
		return 0
	}
	about := d.squares
	about.addProduct(-d.min, d.total)
	about.addProduct(-d.min, d.total)
	about.addProduct(d.count*d.min, d.min)
	away := float64(d.total - d.count*d.min)
	return max(0, about.float()-float64(float64(away*away)/float64(d.count))) * 1e-18
}

// StatWithQuartiles does what Stat does with the quartiles.
func (d *Durations) StatWithQuartiles(table Table, name string) Stat {
	out := d.Stat(table, name)
	if n := d.count; n > 0 {
		out.Quartiles = [2]int64{d.nthSmallest((n - 1) / 4), d.nthSmallest(n - 1 - (n-1)/4)}
	}
	return out
}

// uint128 is a number of 128 bits.
type uint128 struct{ high, low uint64 }

// addProduct adds the product of two numbers that are not negative.
func (w *uint128) addProduct(a, b int64) {
	high, low := bits.Mul64(uint64(a), uint64(b))
	high -= uint64(a>>63)&uint64(b) + uint64(b>>63)&uint64(a)
	w.addWide(uint128{high, low})
}

// Sums of so many squares of numbers below mostSmall fit into 64 bits.
const (
	mostSmall        = 1 << 24
	mostSmallSquares = 1 << 15
)

// addSquares adds the squares of numbers, the largest of which is most and the least least.
func (w *uint128) addSquares(all []int64, least, most int64) {
	for ; least >= 0 && most < mostSmall && len(all) > 0; all = all[min(len(all), mostSmallSquares):] {
		sum := uint64(0) // nearly all durations are so short, and a wide sum takes twice as long
		for _, v := range all[:min(len(all), mostSmallSquares)] {
			sum += uint64(v) * uint64(v)
		}
		w.addWide(uint128{0, sum})
	}
	sum := *w
	for _, v := range all {
		var carry uint64
		away := uint64(max(v, -v))
		high, low := bits.Mul64(away, away)
		sum.low, carry = bits.Add64(sum.low, low, 0)
		sum.high, _ = bits.Add64(sum.high, high, carry)
	}
	*w = sum
}

func (w *uint128) addWide(v uint128) {
	var carry uint64
	w.low, carry = bits.Add64(w.low, v.low, 0)
	w.high, _ = bits.Add64(w.high, v.high, carry)
}

// float returns the number as a float64, rounded.
func (w uint128) float() float64 { return float64(float64(w.high)*(1<<64)) + float64(w.low) }
