package interval

import "encoding/binary"

// Packed is a set in a quarter of its memory or less, for sets that are kept for long and read once. It holds for each
// interval its distance from the end of the one before and its length.
type Packed []byte

// Pack appends a set to dst, which must be empty.
func Pack(dst Packed, s Set) Packed {
	end := int64(0)
	for i, x := range s {
		if i == 0 {
			dst = binary.AppendVarint(dst, x.Start)
		} else {
			dst = binary.AppendUvarint(dst, uint64(x.Start-end))
		}
		dst = binary.AppendUvarint(dst, uint64(x.End-x.Start))
		end = x.End
	}
	return dst
}

// Unpack appends the set to dst, which must be empty.
func (p Packed) Unpack(dst Set) Set {
	end, n := int64(0), 0
	for len(p) > 0 {
		var start int64
		if len(dst) == 0 {
			start, n = binary.Varint(p)
		} else {
			var gap uint64
			gap, n = binary.Uvarint(p)
			start = end + int64(gap)
		}
		length, m := binary.Uvarint(p[n:])
		p, end = p[n+m:], start+int64(length)
		dst = append(dst, Interval{Start: start, End: end})
	}
	return dst
}
