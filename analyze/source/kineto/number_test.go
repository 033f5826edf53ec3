package kineto

import (
	"math"
	"testing"
)

// TestIntegers: whole numbers as events have them, with a fraction that is ignored, and
// what is none.
func TestIntegers(t *testing.T) {
	for _, c := range []struct {
		text string
		want int64
		ok   bool
	}{
		{"0", 0, true}, {"17", 17, true}, {"-17", -17, true}, {"3.9", 3, true}, {"-3.9", -3, true}, {"9223372036854775807", math.MaxInt64, true},
		{"9223372036854775808", 0, false}, {"-9223372036854775807", -math.MaxInt64, true}, {"", 0, false}, {"-", 0, false}, {".5", 0, false},
		{"1x", 0, false}, {"x", 0, false}, {"1e3", 0, false}, {`"1"`, 0, false},
	} {
		if got, ok := integer([]byte(c.text)); got != c.want || ok != c.ok {
			t.Errorf("integer(%q): got %d, %v, want %d, %v", c.text, got, ok, c.want, c.ok)
		}
	}
	for text, want := range map[string]int64{"stream 7": 7, "stream 12 ": -1, "7": 7, "stream": -1, "": -1, "GPU 0 stream 31": 31} {
		got, ok := trailingNumber([]byte(text))
		if !ok {
			got = -1
		}
		if got != want {
			t.Errorf("trailing(%q): got %d, want %d", text, got, want)
		}
	}
	for text, want := range map[string]uint64{"": 0, "0": 0, "5": 5, "-5": 0, "-0": 0, "18446744073709551615": math.MaxUint64, "18446744073709551617": 1} {
		if got := identifier([]byte(text)); got != want {
			t.Errorf("identifier(%q): got %d, want %d", text, got, want)
		}
	}
}
