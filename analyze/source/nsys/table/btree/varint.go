package btree

// uvarint decodes SQLite's variable-length integer: up to eight bytes of seven
// bits, high bits first, and a ninth byte of eight. It returns the number of
// bytes, 0 when b ends first.
func uvarint(b []byte) (v uint64, n int) {
	for i := range min(len(b), 8) {
		v = v<<7 | uint64(b[i]&0x7f)
		if b[i] < 0x80 {
			return v, i + 1
		}
	}
	if len(b) < 9 {
		return 0, 0
	}
	return v<<8 | uint64(b[8]), 9
}

// shortVarint returns uvarint, quick for the one and two bytes that most have.
func shortVarint(b []byte) (uint64, int) {
	if len(b) > 1 {
		if b[0] < 0x80 {
			return uint64(b[0]), 1
		}
		if b[1] < 0x80 {
			return uint64(b[0]&0x7f)<<7 | uint64(b[1]), 2
		}
	}
	return uvarint(b)
}
