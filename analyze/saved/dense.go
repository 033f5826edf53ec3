package saved

import (
	"math/bits"
	"slices"
)

// Dense columns of whole numbers. What is left of each number once those before it are known goes
// through a range coder. How much that is depends on what is taken for granted: nothing, the number a
// period before, that and its change, or the level around which numbers scatter. The way that leaves
// least of a stretch of the column is taken for all of it.

// way is what is taken for granted of each number of a column.
type way byte

const (
	wayAlike  way = iota // all are the first one
	wayPlain             // nothing
	wayBefore            // the number a period before
	wayChange            // that, and how it differed from the one before it
	wayLevel             // the average of those one, two, ... periods before
	ways
)

const (
	// longestPeriod is the longest distance at which numbers are compared: those of the calls of a
	// step, or of the bars of one kernel.
	longestPeriod = 255
	// sampled is how many numbers the way is chosen by, and compared how many of those for each period.
	sampled, compared = 1024, 192
	// levelShift: the level is an average over some 16 numbers.
	levelShift = 4
)

// expecter foretells the numbers of a column in one way.
type expecter struct {
	way    way
	period int
	levels [longestPeriod]int64 // sums of 1 << levelShift numbers
}

// expect is what number i should be, by those before it.
func (x *expecter) expect(v []int64, i int) int64 {
	p := x.period
	switch {
	case i < p || x.way == wayPlain:
		return 0
	case x.way == wayBefore, i < 2*p && x.way == wayChange:
		return v[i-p]
	case x.way == wayChange:
		return 2*v[i-p] - v[i-2*p]
	}
	level := &x.levels[i%p]
	if i < 2*p {
		*level = v[i-p] << levelShift
	} else {
		*level += v[i-p] - *level>>levelShift
	}
	return *level >> levelShift
}

// dense writes or reads columns: one of the two.
type dense struct {
	to     *rangeWriter
	from   *rangeReader
	models [ways]*numberModel
	before []uint8 // how long what was left is, a period long; see context
	left   int     // numbers that may still be read
}

func (d *dense) model(w way) *numberModel {
	if d.models[w] == nil {
		d.models[w] = newNumberModel()
	}
	return d.models[w]
}

// lengths are those of a new column.
func (d *dense) lengths() []uint8 {
	if d.before == nil {
		d.before = make([]uint8, longestPeriod)
	}
	clear(d.before)
	return d.before
}

// write writes a column, and returns the way it did.
func (d *dense) write(v []int64) (way, int) {
	if alike(v) {
		if len(v) > 0 {
			d.model(wayAlike).write(d.to, v[0], 0)
		}
		return wayAlike, 0
	}
	x := choose(v)
	m, before := d.model(x.way), d.lengths()
	for i, n := range v {
		at := i % x.period
		before[at] = smoothed(before[at], m.write(d.to, n-x.expect(v, i), context(before[at])))
	}
	return x.way, x.period
}

// read reads a column into out, which was written in this way.
func (d *dense) read(out []int64, w way, period int) {
	if w == wayAlike {
		if len(out) > 0 {
			n, _ := d.model(wayAlike).read(d.from, 0)
			for i := range out {
				out[i] = n
			}
		}
		return
	}
	x := &expecter{way: w, period: period}
	m, before := d.model(w), d.lengths()
	for i := range out {
		at := i % period
		n, length := m.read(d.from, context(before[at]))
		out[i], before[at] = n+x.expect(out, i), smoothed(before[at], length)
	}
}

// A context is about how long the numbers before were: an average over some 4, in units of a quarter.
func context(before uint8) int { return (int(before) + 2) / 4 }

func smoothed(before uint8, length int) uint8 {
	if d := 4*length - int(before); d < 0 {
		return before - uint8((-d+2)/4)
	} else {
		return before + uint8((d+2)/4)
	}
}

func alike(v []int64) bool {
	for _, n := range v {
		if n != v[0] {
			return false
		}
	}
	return true
}

// choose is the way, and the period, that leave least of a stretch of the column.
func choose(v []int64) *expecter {
	from := max(0, len(v)-sampled) / 2
	v = v[from:min(len(v), from+sampled)]
	best, least := &expecter{way: wayPlain, period: 1}, -1
	periods := []int{1}
	if p := period(v); p > 1 {
		periods = append(periods, p)
	}
	for _, p := range periods {
		for w := wayPlain; w < ways; w++ {
			if cost := (&expecter{way: w, period: p}).cost(v); least < 0 || cost < least {
				best, least = &expecter{way: w, period: p}, cost
			}
		}
	}
	return best
}

// period is the distance at which the numbers of a column are most alike.
func period(v []int64) int {
	best, least := 1, -1
	for p := 1; p <= min(longestPeriod, len(v)/4); p++ {
		cost, n := 0, min(len(v)-p, compared)
		for i := p; i < p+n; i++ {
			cost += bits.Len64(size(v[i] - v[i-p]))
		}
		if cost = cost * 1024 / n; least < 0 || cost < least*31/32 { // a multiple of the period is no better
			best, least = p, cost
		}
	}
	return best
}

// cost is about how many bits a column takes: those below the highest one of each number, and as
// many as tell apart how long they are.
func (x *expecter) cost(v []int64) int {
	var lengths [65]int
	total := 0
	for i, n := range v {
		l := bits.Len64(size(n - x.expect(v, i)))
		lengths[l]++
		total += l // the sign, and all below the highest bit
	}
	for _, n := range lengths {
		if n > 0 {
			total += n * bits.Len(uint(len(v)/n)) // as good as a logarithm, and the same on every processor
		}
	}
	return total
}

// column writes a column: how, and then the numbers.
func (e *encoder) column(v []int64) {
	w, p := e.dense.write(v)
	e.b = append(e.b, byte(w))
	if w != wayAlike {
		e.b = append(e.b, byte(p))
	}
}

// column reads a column into out, for which memory was taken.
func (d *decoder) column(out []int64) {
	w, p := way(d.byte()), 1
	if w != wayAlike {
		p = int(d.byte())
	}
	if d.err == nil && (w >= ways || p < 1 || p > longestPeriod || len(out) > d.dense.left) {
		d.fail()
	}
	if d.err != nil {
		return
	}
	d.dense.left -= len(out)
	if d.dense.read(out, w, p); d.dense.from.short {
		d.fail()
	}
}

// numbers is a dense column of a length that is written with it, valid until the next is read.
func (d *decoder) numbers() []int64 {
	n := d.elements()
	if n > cap(d.scratch) {
		if !d.take(n, 8) {
			return nil
		}
		d.scratch = slices.Grow(d.scratch[:0], n)
	}
	out := d.scratch[:n]
	d.column(out)
	if d.err != nil {
		return nil
	}
	return out
}

// elements is a number of things that follow. Where columns are dense, many can stand in few bytes:
// it is believed as far as so many numbers may be there at all.
func (d *decoder) elements() int {
	if d.dense == nil {
		return d.count(1)
	}
	n := d.uint()
	if n > uint64(d.dense.left) {
		d.fail()
		return 0
	}
	return int(n)
}
