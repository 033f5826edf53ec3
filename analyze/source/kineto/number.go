package kineto

import "math"

// maxMicros is the largest number of microseconds that fits into an int64 of ns.
const maxMicros = math.MaxInt64/1000 - 1

// nanoseconds parses decimal microseconds into whole ns, exactly: a float64 would be wrong for
// 99.6 % of time stamps since 1970 that have three decimals. More decimals are cut off.
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
			return exactDecimal(s)
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
		return exactDecimal(s)
	}
	if neg {
		ns = -ns
	}
	return ns, true
}

// startTime and duration are the time and length of an event in ns.
func (e *event) startTime() (int64, bool) {
	if e.hasStart {
		return e.start, true
	}
	return nanoseconds(e.ts)
}

func (e *event) duration() (int64, bool) {
	if e.hasLength {
		return e.length, true
	}
	return nanoseconds(e.dur)
}

// exactDecimal parses the numbers that nanoseconds does not: with an exponent, or with more
// digits than an int64 takes before the exponent is applied. It collects the digits and shifts
// the point, so that it is exact too.
func exactDecimal(s []byte) (int64, bool) {
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
	return shiftPoint(digits, point+exp+3, neg)
}

// exponent parses "e+12"; an empty text is 0. Its size is bounded.
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

// shiftPoint returns the whole number that stands before the point, of digits with the point at that
// place. It is false for too large a number.
func shiftPoint(digits []byte, point int, neg bool) (int64, bool) {
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

// trailingNumber returns the number at the end of a name: "stream 7".
func trailingNumber(s []byte) (int64, bool) {
	i := len(s)
	for i > 0 && s[i-1]-'0' <= 9 {
		i--
	}
	return integer(s[i:])
}

// identifier makes a key of an id. An id too large for an uint64 wraps around, so that equal
// ids give equal keys. 0 is no id: neither 0 nor a negative number links two events.
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
