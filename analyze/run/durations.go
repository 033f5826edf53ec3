package run

import (
	"math/bits"

	"perfdiff/analyze/trace"
)

// Durations are those of one name on the way to a Stat. A rank has millions, and only
// their median needs more than sums: the first hundred are kept as they are, of more the
// bin of each, a thousandth of its size, and where those would take more room than the
// bins, how many are in each. Sums are exact, so that two of them add up to what all
// would be, in any order.
type Durations struct {
	count, total, min, max int64
	squares                wide      // ns²
	few                    []float32 // ns, of two and more
	binned                 []uint16  // by binOf, in place of few
	bins                   []uint32  // by binOf less lowest, in place of binned
	lowest                 int
}

// mostFew is how many durations are kept as they are, mostBinned how many by their bin,
// and binBits the bits of a duration that tell its bin.
const (
	mostFew    = 128
	mostBinned = 1 << 14
	binBits    = 10
)

// binOf is the bin of a duration in ns: the smallest have one each, others share one
// with what has the same first eleven bits.
func binOf(ns int64) int {
	v := uint64(max(ns, 0))
	more := max(bits.Len64(v)-binBits-1, 0)
	return more<<binBits + int(v>>(more&63))
}

// middleOf is the middle of a bin, in ns.
func middleOf(bin int) int64 {
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
	d.squares.add(ns, ns)
	at := binOf(ns)
	if i := at - d.lowest; uint(i) < uint(len(d.bins)) {
		d.bins[i]++
		return
	}
	if n := len(d.binned); n > 0 && n < cap(d.binned) && n < mostBinned {
		d.binned = append(d.binned, uint16(at))
		return
	}
	d.keep(ns, at)
}

// AddAll counts many durations, in ns.
func (d *Durations) AddAll(all []int64) {
	for len(all) > 0 && d.count <= mostFew {
		d.Add(all[0])
		all = all[1:]
	}
	if len(all) == 0 {
		return
	}
	total, least, most, squares := d.total, d.min, d.max, d.squares
	for _, ns := range all {
		total, least, most = total+ns, min(least, ns), max(most, ns)
		squares.add(ns, ns)
	}
	d.total, d.min, d.max, d.squares, d.count = total, least, most, squares, d.count+int64(len(all))
	if d.bins == nil && d.count <= mostBinned {
		if n := len(d.binned) + len(all); n > cap(d.binned) {
			d.binned = append(make([]uint16, 0, max(n, 2*cap(d.binned))), d.binned...)
		}
		for _, ns := range all {
			d.binned = append(d.binned, uint16(binOf(ns)))
		}
		return
	}
	if low, high := binOf(least), binOf(most); d.bins == nil || low < d.lowest || high >= d.lowest+len(d.bins) {
		d.widen(low, high)
	}
	for _, ns := range all {
		d.bins[binOf(ns)-d.lowest]++
	}
}

// keep keeps a duration, the last that was counted, for the median.
func (d *Durations) keep(ns int64, at int) {
	switch {
	case d.count == 1: // the least holds it
	case d.count == 2:
		d.few = append(d.few, float32(d.min+d.max-ns), float32(ns))
	case d.count <= mostFew:
		d.few = append(d.few, float32(ns))
	case d.bins == nil && d.count <= mostBinned:
		d.bin()
		d.binned = append(d.binned, uint16(at))
	default:
		d.widen(binOf(d.min), binOf(d.max))
		d.bins[at-d.lowest]++
	}
}

// bin puts few into bins.
func (d *Durations) bin() {
	if d.binned == nil {
		d.binned = make([]uint16, 0, 4*mostFew)
	}
	for _, x := range d.few {
		d.binned = append(d.binned, uint16(binOf(int64(x))))
	}
	d.few = nil
}

// widen makes room for the bins from low to high and some on both sides, and counts what
// is kept otherwise.
func (d *Durations) widen(low, high int) {
	if len(d.bins) > 0 {
		low, high = min(low, d.lowest), max(high, d.lowest+len(d.bins)-1)
	}
	some := max(64, (high-low)/8)
	low, high = max(0, low-some), high+some
	bins := make([]uint32, high-low+1)
	if len(d.bins) > 0 {
		copy(bins[d.lowest-low:], d.bins)
	}
	d.bins, d.lowest = bins, low
	for _, x := range d.few {
		d.bins[binOf(int64(x))-low]++
	}
	for _, at := range d.binned {
		d.bins[int(at)-low]++
	}
	d.few, d.binned = nil, nil
}

// Plus is both together; they are not changed.
func (d *Durations) Plus(e *Durations) Durations {
	switch {
	case e.count == 0:
		return *d
	case d.count == 0:
		return *e
	}
	var out Durations
	out.AddSums(d)
	out.AddSums(e)
	if out.count <= mostFew {
		out.few = make([]float32, 0, out.count)
		for _, x := range []*Durations{d, e} {
			if out.few = append(out.few, x.few...); x.count == 1 {
				out.few = append(out.few, float32(x.min))
			}
		}
		return out
	}
	out.widen(binOf(out.min), binOf(out.max))
	d.countIn(&out)
	e.countIn(&out)
	return out
}

// countIn counts durations in the bins of a sum that has room for them.
func (d *Durations) countIn(sum *Durations) {
	if d.count == 1 {
		sum.bins[binOf(int64(float32(d.min)))-sum.lowest]++
	}
	for _, x := range d.few {
		sum.bins[binOf(int64(x))-sum.lowest]++
	}
	for _, at := range d.binned {
		sum.bins[int(at)-sum.lowest]++
	}
	if len(d.bins) == 0 {
		return
	}
	low, high := max(d.lowest, binOf(d.min)-1), binOf(d.max)+1 // single precision may have rounded
	to := sum.bins[low-sum.lowest:]
	for i, n := range d.bins[low-d.lowest : high+1-d.lowest] {
		to[i] += n
	}
}

// AddSums adds those of e for Sum: what tells a median is left aside.
func (d *Durations) AddSums(e *Durations) {
	if d.count == 0 {
		d.min, d.max = e.min, e.max
	}
	if e.count == 0 {
		return
	}
	d.count, d.total = d.count+e.count, d.total+e.total
	d.min, d.max = min(d.min, e.min), max(d.max, e.max)
	d.squares.plus(e.squares)
}

// Count is how many there are, and Total their sum in ns.
func (d *Durations) Count() int64 { return d.count }
func (d *Durations) Total() int64 { return d.total }

// nth is the duration that so many are not above, to a thousandth.
func (d *Durations) nth(nth int64) int64 {
	switch {
	case d.count == 1:
		return int64(float32(d.min))
	case d.binned != nil:
		return min(max(middleOf(nthBin(d.binned, int(nth))), d.min), d.max)
	case d.bins == nil:
		return int64(trace.Select(d.few, int(nth)))
	}
	for at, n := range d.bins {
		if nth -= int64(n); nth < 0 {
			return min(max(middleOf(d.lowest+at), d.min), d.max)
		}
	}
	return d.max
}

// nthBin is the bin that so many are not above: by its high byte, then by its low one.
func nthBin(binned []uint16, nth int) int {
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

// Stat is the sum of them; the median, the lower one of two in the middle, is right to a
// thousandth.
func (d *Durations) Stat(table Table, name string) Stat {
	out := d.Sum(table, name)
	if d.count > 0 {
		out.Median = min(max(d.nth((d.count-1)/2), d.min), d.max)
	}
	return out
}

// Sum is Stat without the median, which takes most of its time.
func (d *Durations) Sum(table Table, name string) Stat {
	return Stat{Table: table, Name: name, Count: d.count, Total: d.total, Min: d.min, Max: d.max, Squares: d.fromMean()}
}

// fromMean is the sum of squared distances from the mean, in s². It is taken from sums
// about the least, since those about 0 would be nearly alike.
func (d *Durations) fromMean() float64 {
	if d.count < 2 {
		return 0
	}
	about := d.squares
	about.add(-d.min, d.total)
	about.add(-d.min, d.total)
	about.add(d.count*d.min, d.min)
	away := float64(d.total - d.count*d.min)
	return max(0, about.float()-float64(float64(away*away)/float64(d.count))) * 1e-18
}

// Spread is Stat with the quartiles.
func (d *Durations) Spread(table Table, name string) Stat {
	out := d.Stat(table, name)
	if n := d.count; n > 0 {
		out.Quartiles = [2]int64{d.nth((n - 1) / 4), d.nth(n - 1 - (n-1)/4)}
	}
	return out
}

// wide is a number of 128 bits.
type wide struct{ high, low uint64 }

// add adds the product of two numbers.
func (w *wide) add(a, b int64) {
	high, low := bits.Mul64(uint64(a), uint64(b))
	high -= uint64(a>>63)&uint64(b) + uint64(b>>63)&uint64(a)
	w.plus(wide{high, low})
}

func (w *wide) plus(v wide) {
	var carry uint64
	w.low, carry = bits.Add64(w.low, v.low, 0)
	w.high, _ = bits.Add64(w.high, v.high, carry)
}

// float is the number, which is not negative.
func (w wide) float() float64 { return float64(float64(w.high)*(1<<64)) + float64(w.low) }
