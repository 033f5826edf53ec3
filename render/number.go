package render

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
)

// Number is a measured value in JSON: null where there is none, which JSON
// has no number for. Decoding null gives NaN.
type Number float64

// MarshalJSON writes n, or null where it is not finite.
func (n Number) MarshalJSON() ([]byte, error) { return n.append(nil) }

func (n Number) append(b []byte) ([]byte, error) {
	v := float64(n)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return append(b, "null"...), nil
	}
	text, err := json.Marshal(v)
	return append(b, text...), err
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
	b := []byte{'['}
	var err error
	for i, v := range n {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = v.append(b); err != nil {
			return nil, err
		}
	}
	return append(b, ']'), nil
}

// numbersOf is v as it stands in JSON, never null.
func numbersOf(v []float64) Numbers {
	out := make(Numbers, len(v))
	for i, x := range v {
		out[i] = Number(x)
	}
	return out
}

// halfPercents are shares given in 1/200, as fractions.
func halfPercents(v []uint8) Numbers {
	out := make(Numbers, len(v))
	for i, x := range v {
		out[i] = Number(float64(x) / 200)
	}
	return out
}

// singles are single-precision values in the digits that single precision
// has; nil stays nil.
func singles(v []float32) Numbers {
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
