package render

import (
	"bytes"
	"math"
	"strconv"
)

// Number is a measured value in JSON. NaN and infinities stand for a missing value: they are
// written as null, and null is read as NaN.
type Number float64

// MarshalJSON writes n, or null where it is not finite.
func (n Number) MarshalJSON() ([]byte, error) { return n.append(nil), nil }

// append appends n as encoding/json writes it. encoding/json itself makes a buffer for each
// number, and a report of many ranks has millions of numbers.
func (n Number) append(b []byte) []byte {
	v := float64(n)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return append(b, "null"...)
	}
	if abs := math.Abs(v); abs == 0 || abs >= 1e-6 && abs < 1e21 {
		return strconv.AppendFloat(b, v, 'f', -1, 64)
	}
	b = strconv.AppendFloat(b, v, 'e', -1, 64)
	if end := len(b) - 4; string(b[end:len(b)-1]) == "e-0" { // e-09 is e-9
		b[end+2], b = b[end+3], b[:end+3]
	}
	return b
}

// UnmarshalJSON reads a number or null.
func (n *Number) UnmarshalJSON(text []byte) error {
	if string(bytes.TrimSpace(text)) == "null" {
		*n = Number(math.NaN())
		return nil
	}
	v, err := strconv.ParseFloat(string(text), 64)
	*n = Number(v)
	return err
}

// Numbers is a list of values, null where one is missing. A list that was not
// recorded at all is null, an empty one is [].
type Numbers []Number

// MarshalJSON writes the list without calling MarshalJSON of each number.
func (n Numbers) MarshalJSON() ([]byte, error) {
	if n == nil {
		return []byte("null"), nil
	}
	b := append(make([]byte, 0, 2+8*len(n)), '[')
	for i, v := range n {
		if i > 0 {
			b = append(b, ',')
		}
		b = v.append(b)
	}
	return append(b, ']'), nil
}

// numbersOf converts a list for JSON; the result is never null.
func numbersOf(v []float64) Numbers {
	out := make(Numbers, len(v))
	for i, x := range v {
		out[i] = Number(x)
	}
	return out
}

// numbersOfHalfPercents converts shares in units of 1/200 to fractions.
func numbersOfHalfPercents(v []uint8) Numbers {
	out := make(Numbers, len(v))
	for i, x := range v {
		out[i] = Number(float64(x) / 200)
	}
	return out
}

// numbersOfSingles converts single-precision values and keeps the digits that these have. nil
// stays nil.
func numbersOfSingles(v []float32) Numbers {
	if v == nil {
		return nil
	}
	out := make(Numbers, len(v))
	for i, x := range v {
		exact, err := strconv.ParseFloat(strconv.FormatFloat(float64(x), 'g', -1, 32), 64)
		if err != nil {
			exact = math.NaN()
		}
		out[i] = Number(exact)
	}
	return out
}
