package kineto

import "math"

// maxMicros keeps microseconds times 1000 inside an int64.
const maxMicros = math.MaxInt64/1000 - 1

// nanoseconds parses decimal microseconds into whole nanoseconds, exactly:
// float64 is wrong for 99.6 % of time stamps since 1970 that have three
// decimals. More decimals are cut off, towards zero.
func nanoseconds(s []byte) (int64, bool) {
	i, neg := 0, false
	if len(s) > 0 && (s[0] == '-' || s[0] == '+') {
		neg = s[0] == '-'
		i = 1
	}
	var us int64
	first := i
	for ; i < len(s) && s[i]-'0' <= 9; i++ {
		if us = us*10 + int64(s[i]-'0'); us > maxMicros {
			return scientific(s)
		}
	}
	if i == first {
		return 0, false
	}
	ns := us * 1000
	if i < len(s) && s[i] == '.' {
		scale := int64(100)
		for i++; i < len(s) && s[i]-'0' <= 9; i++ {
			ns += int64(s[i]-'0') * scale
			scale /= 10
		}
	}
	if i < len(s) {
		return scientific(s)
	}
	if neg {
		ns = -ns
	}
	return ns, true
}

// begins and lasts are the time and the duration of an event in ns.
func (e *event) begins() (int64, bool) {
	if e.started {
		return e.start, true
	}
	return nanoseconds(e.ts)
}

func (e *event) lasts() (int64, bool) {
	if e.lasted {
		return e.length, true
	}
	return nanoseconds(e.dur)
}

// scientific parses what nanoseconds does not: a decimal with an exponent, or
// with more digits than an int64 takes but for its exponent. It collects the
// digits and moves the point, so it is exact too.
func scientific(s []byte) (int64, bool) {
	neg := len(s) > 0 && s[0] == '-'
	if neg || (len(s) > 0 && s[0] == '+') {
		s = s[1:]
	}
	var digits []byte
	point, i := -1, 0
	for ; i < len(s); i++ {
		if s[i] == '.' && point < 0 {
			point = len(digits)
		} else if s[i]-'0' <= 9 && len(digits) < 400 {
			digits = append(digits, s[i]-'0')
		} else {
			break
		}
	}
	if point < 0 {
		point = len(digits)
	}
	exp, ok := exponent(s[i:])
	if !ok || len(digits) == 0 {
		return 0, false
	}
	return shift(digits, point+exp+3, neg)
}

// exponent parses "e+12"; nothing is 0. Magnitudes are bounded.
func exponent(s []byte) (int, bool) {
	if len(s) == 0 {
		return 0, true
	}
	if s[0]|0x20 != 'e' || len(s) < 2 {
		return 0, false
	}
	s = s[1:]
	sign := 1
	if s[0] == '-' || s[0] == '+' {
		if s[0] == '-' {
			sign = -1
		}
		s = s[1:]
	}
	n := 0
	for _, c := range s {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = min(n*10+int(c-'0'), 1<<20)
	}
	return sign * n, len(s) > 0
}

// shift is the whole number in front of the point of digits; too large a
// number is not one.
func shift(digits []byte, point int, neg bool) (int64, bool) {
	var n int64
	for i := range max(point, 0) {
		var d int64
		if i < len(digits) {
			d = int64(digits[i])
		} else if n == 0 {
			break
		}
		if n > (math.MaxInt64-d)/10 {
			return 0, false
		}
		n = n*10 + d
	}
	if neg {
		n = -n
	}
	return n, true
}

// integer parses a whole number and ignores a fraction.
func integer(s []byte) (int64, bool) {
	var n int64
	i, neg := 0, len(s) > 0 && s[0] == '-'
	if neg {
		i = 1
	}
	first := i
	for ; i < len(s) && s[i]-'0' <= 9; i++ {
		d := int64(s[i] - '0')
		if n > (math.MaxInt64-d)/10 {
			return 0, false
		}
		n = n*10 + d
	}
	if i == first || (i < len(s) && s[i] != '.') {
		return 0, false
	}
	if neg {
		n = -n
	}
	return n, true
}

// trailing is the number at the end of a thread's name: "stream 7".
func trailing(s []byte) (int64, bool) {
	i := len(s)
	for i > 0 && s[i-1]-'0' <= 9 {
		i--
	}
	return integer(s[i:])
}

// identifier makes a key of an id. Ids that are not in an uint64 wrap around,
// which keeps equal ones equal. 0 is none: neither 0 nor a negative number
// links two events.
func identifier(s []byte) uint64 {
	var n uint64
	if len(s) > 0 && s[0] == '-' {
		return 0
	}
	for _, c := range s {
		n = n*10 + uint64(c-'0')
	}
	return n
}
