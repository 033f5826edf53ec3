package parquet

import (
	"encoding/binary"
	"errors"
)

var errDelta = errors.New("a page of odd differences")

// delta are numbers as differences in blocks of miniblocks, each with its own number of
// bits (DELTA_BINARY_PACKED).
type delta struct {
	b      []byte
	narrow bool  // 32 bits
	total  int   // numbers left
	last   int64 // the number before, or the first
	begun  bool
	minis  int // miniblocks in a block
	mini   int // differences in a miniblock

	least  int64  // of a block's differences
	widths []byte // bits of the block's miniblocks to come
	packed []byte // a miniblock, of which
	at     int    // these bits were read
	width  uint
	left   int // and these differences were not
}

// maxBlock bounds the differences of a block: writers put 128 to 2,048 there.
const maxBlock = 1 << 16

func newDelta(b []byte, narrow bool) (*delta, error) {
	d := &delta{b: b, narrow: narrow}
	block, minis, total := d.uvarint(), d.uvarint(), d.uvarint()
	d.last = zigzag(d.uvarint())
	if d.b == nil || minis == 0 || block > maxBlock || minis > block || block%(32*minis) != 0 || total > 1<<31 {
		return nil, errDelta
	}
	d.minis, d.mini, d.total = int(minis), int(block/minis), int(total)
	return d, nil
}

// uvarint leaves nil where there is none.
func (d *delta) uvarint() uint64 {
	x, n := binary.Uvarint(d.b)
	if n <= 0 {
		d.b = nil
		return 0
	}
	d.b = d.b[n:]
	return x
}

func (d *delta) ints(into []int64) error {
	for i := range into {
		if d.total == 0 {
			return errEnds
		}
		d.total--
		if d.begun {
			if d.left == 0 {
				if err := d.next(); err != nil {
					return err
				}
			}
			d.last += d.least + int64(bitsAt(d.packed, d.at, d.width))
			d.at += int(d.width)
			d.left--
		}
		if d.begun = true; d.narrow {
			d.last = int64(int32(d.last))
		}
		into[i] = d.last
	}
	return nil
}

// next begins a miniblock.
func (d *delta) next() error {
	if len(d.widths) == 0 {
		d.least = zigzag(d.uvarint())
		if len(d.b) < d.minis {
			return errEnds
		}
		d.widths, d.b = d.b[:d.minis], d.b[d.minis:]
	}
	d.width, d.widths = uint(d.widths[0]), d.widths[1:]
	size := d.mini / 8 * int(d.width)
	if d.width > 64 {
		return errDelta
	}
	if size > len(d.b) {
		return errEnds
	}
	d.packed, d.b, d.at, d.left = d.b[:size:size], d.b[size:], 0, d.mini
	return nil
}

// rest returns the bytes after the numbers.
func (d *delta) rest() ([]byte, error) {
	end := *d
	var room [batch]int64
	for end.total > 0 {
		if err := end.ints(room[:min(end.total, batch)]); err != nil {
			return nil, err
		}
	}
	return end.b, nil
}

// lengths decodes texts that follow the lengths of all of them (DELTA_LENGTH_BYTE_ARRAY).
type lengths struct {
	*delta
	b    []byte
	room [batch]int64
}

func newLengths(b []byte) (*lengths, error) {
	d, err := newDelta(b, true)
	if err != nil {
		return nil, err
	}
	rest, err := d.rest()
	return &lengths{delta: d, b: rest}, err
}

func (l *lengths) texts(into [][]byte) error {
	sizes := l.room[:len(into)]
	if err := l.ints(sizes); err != nil {
		return err
	}
	for i, n := range sizes {
		if n < 0 || n > int64(len(l.b)) {
			return errEnds
		}
		into[i], l.b = l.b[:n], l.b[n:]
	}
	return nil
}
