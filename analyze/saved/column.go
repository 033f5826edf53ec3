package saved

import (
	"encoding/binary"
	"errors"
	"math"
	"math/bits"

	"perfdiff/analyze/saved/old"
)

// Columns of numbers in a saved summary. Times are whole nanoseconds and counts
// whole numbers, which change little from step to step: they are written as
// differences, and what is no whole number as it is. Every value comes back bit
// for bit.

// encoder writes columns of numbers to a buffer.
type encoder struct{ b []byte }

func (e *encoder) uint(v uint64) { e.b = binary.AppendUvarint(e.b, v) }

func (e *encoder) bytes(v []byte) {
	e.uint(uint64(len(v)))
	e.b = append(e.b, v...)
}

// ints writes v as differences, of the order that makes them smallest: first the initial values as they are, then the
// bytes of the differences by plane.
func (e *encoder) ints(v []int64) {
	e.uint(uint64(len(v)))
	var order, least int
	for o := range maxOrder + 1 {
		size := 0
		for _, d := range differences(v, o)[min(o, len(v)):] {
			size += bits.Len64(d)
		}
		if o == 0 || size < least {
			order, least = o, size
		}
	}
	d := differences(v, order)
	first := min(order, len(d))
	width := max(1, widthOf(d[first:]))
	e.b = append(e.b, byte(order), byte(width))
	for _, x := range d[:first] {
		e.uint(x)
	}
	bytePlanes(d[first:], func(x uint64) uint64 { return x }, width, func(b byte) { e.b = append(e.b, b) })
}

// maxOrder is the highest order of differences.
const maxOrder = 2

// differences returns the differences of v of an order, with their signs in the lowest bits.
func differences(v []int64, order int) []uint64 {
	out := make([]uint64, len(v))
	var before, step int64
	for i, x := range v {
		d := x - before
		switch order {
		case 0:
			out[i] = zigzag(x)
		case 1:
			out[i] = zigzag(d)
		default:
			out[i] = zigzag(d - step)
		}
		before, step = x, d
	}
	return out
}

func zigzag(v int64) uint64 { return uint64(v)<<1 ^ uint64(v>>63) }

func fromZigzag(d uint64) int64 { return int64(d>>1) ^ -int64(d&1) }

// widthOf returns how many bytes the largest number has.
func widthOf(v []uint64) int {
	var all uint64
	for _, x := range v {
		all |= x
	}
	return (bits.Len64(all) + 7) / 8
}

// How the values of a column of floats are written.
const (
	asBits        = iota // 8 bytes each
	asNanoseconds        // whole multiples of 1e-9
	asWhole
)

// noValues stands for a column that is nil.
const noValues = 0xff

// nanMark stands for NaN among whole numbers.
const nanMark = math.MinInt64

// floats writes v. nil and an empty list are different.
func (e *encoder) floats(v []float64) {
	if v == nil {
		e.b = append(e.b, noValues)
		return
	}
	for _, kind := range []byte{asWhole, asNanoseconds} {
		if whole, ok := asWholeNumbers(v, kind); ok {
			e.b = append(e.b, kind)
			e.ints(whole)
			return
		}
	}
	e.b = append(e.b, asBits)
	e.uint(uint64(len(v)))
	bytePlanes(v, func(x float64) uint64 { return math.Float64bits(x) }, 8, func(b byte) { e.b = append(e.b, b) })
}

// bytePlanes writes the first bytes of all values, then all second bytes, and so on: the upper
// bytes of neighbours are alike and compress well.
func bytePlanes[T any](v []T, bits func(T) uint64, size int, emit func(byte)) {
	for plane := size - 1; plane >= 0; plane-- {
		for _, x := range v {
			emit(byte(bits(x) >> (8 * plane)))
		}
	}
}

// asWholeNumbers returns v as whole numbers of a unit; false if that would not be exact.
func asWholeNumbers(v []float64, kind byte) ([]int64, bool) {
	out := make([]int64, len(v))
	for i, x := range v {
		n := x
		if kind == asNanoseconds {
			n = math.Round(x * 1e9)
		}
		switch {
		case math.IsNaN(x):
			out[i] = nanMark
			continue
		case !(math.Abs(n) < 1<<53):
			return nil, false
		}
		if out[i] = int64(n); math.Float64bits(fromWholeNumber(out[i], kind)) != math.Float64bits(x) {
			return nil, false
		}
	}
	return out, true
}

func fromWholeNumber(n int64, kind byte) float64 {
	if kind == asNanoseconds {
		return float64(n) * 1e-9
	}
	return float64(n)
}

func (e *encoder) floats32(v []float32) {
	if v == nil {
		e.b = append(e.b, noValues)
		return
	}
	e.b = append(e.b, asBits)
	e.uint(uint64(len(v)))
	bytePlanes(v, func(x float32) uint64 { return uint64(math.Float32bits(x)) }, 4, func(b byte) { e.b = append(e.b, b) })
}

var errTooShort = errors.New("it ends too early")

// decoder reads columns from a buffer. It keeps its first error. A length is believed only as
// far as the buffer goes.
type decoder struct {
	b       []byte
	err     error
	budget  *MemoryBudget // for what is decoded
	old     *old.Reader   // of an earlier version; nil: of this one
	scratch []int64
	values  *sharedValues // of series
}

func (d *decoder) fail() { d.end(errTooShort) }

// end sets the error, if there is none yet.
func (d *decoder) end(err error) {
	if d.b = nil; d.err == nil {
		d.err = err
	}
}

func (d *decoder) byte() byte {
	if len(d.b) == 0 {
		d.fail()
		return 0
	}
	b := d.b[0]
	d.b = d.b[1:]
	return b
}

func (d *decoder) uint() uint64 {
	v, n := binary.Uvarint(d.b)
	if n <= 0 {
		d.fail()
		return 0
	}
	d.b = d.b[n:]
	return v
}

func (d *decoder) int() int64 {
	v, n := binary.Varint(d.b)
	if n <= 0 {
		d.fail()
		return 0
	}
	d.b = d.b[n:]
	return v
}

// count returns a number of values that take at least size bytes each.
func (d *decoder) count(size int) int {
	n := d.uint()
	if n > uint64(len(d.b)/size) {
		d.fail()
		return 0
	}
	return int(n)
}

// take takes n times size bytes from the memory budget, and reports whether it had them. If
// not, decoding has ended.
func (d *decoder) take(n, size int) bool {
	if !d.budget.take(int64(n) * int64(size)) {
		d.end(ErrMemory)
	}
	return d.err == nil
}

func (d *decoder) bytes() []byte {
	n := d.count(1)
	out := d.b[:n:n]
	d.b = d.b[n:]
	if n == 0 {
		return nil
	}
	return out
}

// ints returns a column of whole numbers, valid until the next is read.
func (d *decoder) ints() []int64 {
	n := d.count(1)
	if n > cap(d.scratch) {
		if !d.take(n, 8) {
			return nil
		}
		d.scratch = make([]int64, n)
	}
	out := d.scratch[:n]
	if d.old != nil {
		d.oldInts(out)
		return out
	}
	order, width := int(d.byte()), int(d.byte())
	if order > maxOrder || width < 1 || width > 8 {
		d.fail()
		return nil
	}
	first := min(order, n)
	for i := range first {
		out[i] = fromZigzag(d.uint())
	}
	rest := n - first
	if rest > len(d.b)/width {
		d.fail()
		return nil
	}
	for i := range rest {
		out[first+i] = fromZigzag(d.fromPlanes(i, rest, width))
	}
	d.skip(width * rest)
	sum(out, order)
	return out
}

// sum turns differences of some order back into numbers.
func sum(v []int64, order int) {
	var before, step int64
	for i, x := range v {
		switch order {
		case 0:
		case 1:
			x += before
		default:
			x += before + step
		}
		v[i], step, before = x, x-before, x
	}
}

// oldInts reads a column of an earlier version, whose differences stand one after the other.
func (d *decoder) oldInts(out []int64) {
	order := int(d.byte())
	for i := range out {
		out[i] = d.int()
	}
	sum(out, order)
}

func (d *decoder) floats() []float64 {
	switch kind := d.byte(); kind {
	case noValues:
		return nil
	case asWhole, asNanoseconds:
		whole := d.ints()
		if !d.take(len(whole), 8) {
			return nil
		}
		out := make([]float64, len(whole))
		for i, n := range whole {
			if out[i] = fromWholeNumber(n, kind); n == nanMark {
				out[i] = math.NaN()
			}
		}
		return out
	}
	return planes(d, 8, math.Float64frombits)
}

func (d *decoder) floats32() []float32 {
	if d.byte() == noValues {
		return nil
	}
	return planes(d, 4, func(bits uint64) float32 { return math.Float32frombits(uint32(bits)) })
}

// planes returns numbers of so many bytes, which stand apart.
func planes[T any](d *decoder, size int, of func(bits uint64) T) []T {
	n := d.count(size)
	if !d.take(n, size) {
		return nil
	}
	out := make([]T, n)
	for i := range out {
		out[i] = of(d.fromPlanes(i, n, size))
	}
	d.skip(size * n)
	return out
}

// fromPlanes puts value i of n together from its bytes.
func (d *decoder) fromPlanes(i, n, size int) (bits uint64) {
	for p := range size {
		bits = bits<<8 | uint64(d.b[p*n+i])
	}
	return bits
}

func (d *decoder) skip(n int) { d.b = d.b[min(n, len(d.b)):] }
