package btree

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// quickRows reads rows from the cells of a leaf that the pointers lead to, and says how
// many. It ends where there is no more room, and before a row that is not for it.
func (s *scan) quickRows(page, pointers []byte, first int) (rows int) {
	q, p, length := &s.quick, s.quick.last, len(page)
	start := unsafe.Pointer(unsafe.SliceData(page))
	bodies := s.bodies[:0] // of rows with the plan p
	for most := min(len(pointers)/2, BatchSize-s.n); rows < most; rows++ {
		at := int(binary.BigEndian.Uint16(pointers[2*rows:]))
		if at < first || at+q.room > length {
			break
		}
		cell := littleEndian(start, at)
		size := int(cell & 0x7f)
		if cell&0x80 != 0 {
			if cell&0x8000 != 0 {
				break
			}
			size = size<<7 | int(cell>>8&0x7f)
			cell, at = cell>>8, at+1
		}
		id := bits.TrailingZeros64(^cell>>8&(highs>>8)) / 8
		if id > 5 {
			break
		}
		at += 2 + id // at most 8
		head := int(*(*byte)(unsafe.Add(start, at)))
		if head <= q.types || head >= 0x80 || size > length-35 || at+size > length {
			break
		}
		k0, k1 := littleEndian(start, at+1)&q.key[0], littleEndian(start, at+9)&q.key[1]
		if p == nil || k0 != p.key[0] || k1 != p.key[1] || q.wide && !q.behind(p, start, at+1) {
			s.take(p, start, bodies)
			bodies = bodies[:0]
			p = s.plan(q.keyAt(start, at+1))
			if q.last = p; p == nil {
				break
			}
		}
		if end := head + p.size; end > size || end < size && head == 1+q.types {
			break
		}
		bodies = append(bodies, int32(at+head-8)) // p.size bytes and more are there
	}
	s.take(p, start, bodies)
	return rows
}

// fewRows is a number of rows that is too small for a loop over each of their columns.
const fewRows = 6

// take takes the values of rows with one plan, whose bodies begin eight bytes after these places.
func (s *scan) take(p *plan, start unsafe.Pointer, bodies []int32) {
	n := s.n
	s.n += len(bodies)
	if len(bodies) < fewRows {
		for k, at := range bodies {
			for i := range p.ints {
				f := &p.ints[i]
				shift := f.shift & 63
				s.values[int(f.at)+n+k] = int64(bigEndian(start, int(at)+int(f.end))<<shift) >> shift
			}
			for i := range p.fixed {
				s.values[int(p.fixed[i].at)+n+k] = p.fixed[i].value
			}
		}
		return
	}
	for _, f := range p.ints {
		f.take(s.values[int(f.at)+n:][:len(bodies)], start, bodies)
	}
	for _, f := range p.fixed {
		into := s.values[int(f.at)+n:][:len(bodies)]
		for k := range into {
			into[k] = f.value
		}
	}
}

// take takes an integer of many rows. Sizes that are usual have a loop each, in which the shift is not
// looked up: a file of 390 MB is read in 3 % less time.
func (f *planInt) take(into []int64, start unsafe.Pointer, bodies []int32) {
	into = into[:len(bodies)]
	switch shift, end := f.shift&63, int(f.end); shift {
	case 0:
		for k, at := range bodies {
			into[k] = int64(bigEndian(start, int(at)+end))
		}
	case 16:
		for k, at := range bodies {
			into[k] = int64(bigEndian(start, int(at)+end)<<16) >> 16
		}
	case 32:
		for k, at := range bodies {
			into[k] = int64(bigEndian(start, int(at)+end)<<32) >> 32
		}
	case 56:
		for k, at := range bodies {
			into[k] = int64(bigEndian(start, int(at)+end)<<56) >> 56
		}
	default:
		for k, at := range bodies {
			into[k] = int64(bigEndian(start, int(at)+end)<<shift) >> shift
		}
	}
}

// plan returns the plan for a key, nil if there is none: some type is not an integer's.
func (s *scan) plan(key [keyWords]uint64) *plan {
	if s.plans == nil {
		s.plans = make([]plan, plansSlots)
	}
	high, low := bits.Mul64(key[0]^key[2]^0x9e3779b97f4a7c15, key[1]^key[3]^0xbf58476d1ce4e5b9)
	p := &s.plans[(high^low)%plansSlots]
	if p.known && p.key == key {
		return p
	}
	*p = plan{key: key, ints: p.ints[:0], fixed: p.fixed[:0]}
	var ends [8 * keyWords]int
	for i := range s.quick.types {
		serial := p.key[i/8] >> (i % 8 * 8) & 0xff
		if serial > 9 || serial == 7 {
			return nil
		}
		p.size += int(sizes[serial])
		ends[i] = p.size
	}
	for i, c := range s.cols {
		at, serial := uint32(i*BatchSize), uint64(0)
		if c.Field >= 0 {
			serial = p.key[c.Field/8] >> (c.Field % 8 * 8) & 0xff
		}
		switch {
		case serial == 0:
			p.fixed = append(p.fixed, planFixed{at, Null})
		case serial >= 8:
			p.fixed = append(p.fixed, planFixed{at, int64(serial - 8)})
		default:
			p.ints = append(p.ints, planInt{at, uint16(ends[c.Field]), uint16(64 - 8*sizes[serial])})
		}
	}
	p.known = true
	return p
}
