package saved

import "math/bits"

// A range coder: bits go into as few bits as their probabilities allow, which are learned from the
// bits before. Noise in nanoseconds has no bytes that repeat, so that a compressor which looks for
// these saves nothing, and pays for the flags of varints.
// Source: G. N. N. Martin, Range encoding: an algorithm for removing redundancy from a digitised
// message, 1979; with the carry of LZMA.

const (
	probabilityBits = 16
	rangeFloor      = 1 << 24 // below which a byte is moved out
	// A bit is an average over all before it, and at last over the last so many: of 32, 64, 128 and
	// 256, this made the parts of stories shortest.
	longestMemory = 128
	// rawBits is how many bits that cannot be foretold are coded at once.
	rawBits = 16
)

// bitModel is how likely a bit is 0, in units of 1/65536, and of how many bits that was learned.
type bitModel struct{ likely, seen uint16 }

// portions are the shares of the next bit in the average, in units of 1/65536, by how many were seen.
var portions = func() (out [longestMemory]uint32) {
	for n := range out {
		out[n] = (1 << (probabilityBits + 1)) / uint32(2*n+3)
	}
	return out
}()

// leastLikely is that of the less likely bit, at least, since it can come yet: chosen, not measured: a bit
// that always comes takes a thousandth of one then.
const leastLikely = 32

func (m *bitModel) zero() uint32 { return uint32(m.likely) }

func (m *bitModel) learn(one bool) {
	portion := portions[m.seen]
	if m.seen < longestMemory-1 {
		m.seen++
	}
	p := uint32(m.likely)
	if one {
		p -= uint32(uint64(p) * uint64(portion) >> probabilityBits)
	} else {
		p += uint32(uint64(1<<probabilityBits-p) * uint64(portion) >> probabilityBits)
	}
	m.likely = uint16(min(max(p, leastLikely), 1<<probabilityBits-leastLikely))
}

// rangeWriter writes bits.
type rangeWriter struct {
	b     []byte
	low   uint64
	width uint32
	cache byte
	held  int // bytes not yet written, since a carry can change them
}

// newRangeWriter has a first byte in hand, which is nothing: so there is always one that a carry can change.
func newRangeWriter() *rangeWriter { return &rangeWriter{width: 1<<32 - 1, held: 1} }

func (w *rangeWriter) bit(m *bitModel, one bool) {
	bound := (w.width >> probabilityBits) * m.zero()
	if one {
		w.low += uint64(bound)
		w.width -= bound
	} else {
		w.width = bound
	}
	m.learn(one)
	w.normalize()
}

// raw writes the lowest n bits of v as they are.
func (w *rangeWriter) raw(v uint64, n int) {
	for n > 0 {
		k := min(n, rawBits)
		n -= k
		w.width >>= k
		w.low += (v >> n & (1<<k - 1)) * uint64(w.width)
		w.normalize()
	}
}

func (w *rangeWriter) normalize() {
	for w.width < rangeFloor {
		w.width <<= 8
		w.shift()
	}
}

// shift moves a byte out; one of 255 waits, since a carry would go through it.
func (w *rangeWriter) shift() {
	if carry := byte(w.low >> 32); carry > 0 || uint32(w.low) < 0xff<<24 {
		w.b = append(w.b, w.cache+carry)
		for ; w.held > 1; w.held-- {
			w.b = append(w.b, 0xff+carry)
		}
		w.held, w.cache = 0, byte(w.low>>24)
	}
	w.held++
	w.low = uint64(uint32(w.low) << 8)
}

// end returns all that was written.
func (w *rangeWriter) end() []byte {
	for range 5 {
		w.shift()
	}
	return w.b[1:]
}

// rangeReader reads them.
type rangeReader struct {
	b           []byte // what is left
	code, width uint32
	short       bool // more was asked for than there is
}

func newRangeReader(b []byte) *rangeReader {
	r := &rangeReader{b: b, width: 1<<32 - 1}
	for range 4 {
		r.code = r.code<<8 | uint32(r.next())
	}
	return r
}

func (r *rangeReader) next() byte {
	if len(r.b) == 0 {
		r.short = true
		return 0
	}
	x := r.b[0]
	r.b = r.b[1:]
	return x
}

func (r *rangeReader) bit(m *bitModel) bool {
	bound := (r.width >> probabilityBits) * m.zero()
	one := r.code >= bound
	if one {
		r.code -= bound
		r.width -= bound
	} else {
		r.width = bound
	}
	m.learn(one)
	r.normalize()
	return one
}

func (r *rangeReader) raw(n int) (v uint64) {
	for n > 0 {
		k := min(n, rawBits)
		n -= k
		r.width >>= k
		x := min(r.code/r.width, 1<<k-1) // more only in what nobody wrote
		r.code -= x * r.width
		v = v<<k | uint64(x)
		r.normalize()
	}
	return v
}

func (r *rangeReader) normalize() {
	for r.width < rangeFloor {
		r.width <<= 8
		r.code = r.code<<8 | uint32(r.next())
	}
}

// leadingBits is how many bits below the highest one are learned; the others are noise.
const leadingBits = 2

// numberModel is what is known of numbers: how long they are, by how long the number was that stands
// where this one stood a period before; their signs, and their leading bits.
type numberModel struct {
	zero   [65]bitModel
	length [65][64]bitModel // by the bits of the length so far
	sign   [65]bitModel
	lead   [65][1 << leadingBits]bitModel
}

func newNumberModel() *numberModel {
	m := new(numberModel)
	const half = 1 << (probabilityBits - 1)
	even := bitModel{likely: half}
	for i := range m.zero {
		m.zero[i], m.sign[i] = even, even
		for k := range m.length[i] {
			m.length[i][k] = even
		}
		for k := range m.lead[i] {
			m.lead[i][k] = even
		}
	}
	return m
}

// lengthBits tell a length from 1 to 64.
const lengthBits = 6

func size(v int64) uint64 {
	if v < 0 {
		return -uint64(v)
	}
	return uint64(v)
}

// write writes a number where one of so many bits stood before, and returns how many bits it has.
func (m *numberModel) write(to *rangeWriter, v int64, before int) int {
	u := size(v)
	n := bits.Len64(u)
	if to.bit(&m.zero[before], n > 0); n == 0 {
		return 0
	}
	node := 1
	for i := lengthBits - 1; i >= 0; i-- {
		one := (n-1)>>i&1 == 1
		to.bit(&m.length[before][node], one)
		node <<= 1
		if one {
			node++
		}
	}
	to.bit(&m.sign[n], v < 0)
	rest := n - 1
	for node = 1; rest > 0 && node < 1<<leadingBits; {
		rest--
		one := u>>rest&1 == 1
		to.bit(&m.lead[n][node], one)
		node <<= 1
		if one {
			node++
		}
	}
	to.raw(u, rest)
	return n
}

func (m *numberModel) read(from *rangeReader, before int) (v int64, n int) {
	if !from.bit(&m.zero[before]) {
		return 0, 0
	}
	node := 1
	for range lengthBits {
		one := from.bit(&m.length[before][node])
		node <<= 1
		if one {
			node++
		}
	}
	n = node - 1<<lengthBits + 1
	negative := from.bit(&m.sign[n])
	rest, u := n-1, uint64(1)
	for node = 1; rest > 0 && node < 1<<leadingBits; rest-- {
		one := from.bit(&m.lead[n][node])
		node, u = node<<1, u<<1
		if one {
			node, u = node+1, u+1
		}
	}
	u = u<<rest | from.raw(rest)
	if negative {
		return -int64(u), n
	}
	return int64(u), n
}
