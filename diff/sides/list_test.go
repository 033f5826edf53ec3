package sides_test

import (
	"testing"

	"perfdiff/diff/sides"
)

// TestRanges: stretches are named by their ends, single numbers by themselves, and what is
// beyond eight stretches is counted.
func TestRanges(t *testing.T) {
	evens := func(n int) (out []int) {
		for i := range n {
			out = append(out, 2*i)
		}
		return out
	}
	for _, c := range []struct {
		numbers []int
		want    string
	}{
		{nil, ""}, {[]int{7}, "7"}, {[]int{0, 1}, "0-1"}, {[]int{0, 1, 2, 3, 9}, "0-3, 9"}, {[]int{3, 5, 6, 8}, "3, 5-6, 8"},
		{evens(8), "0, 2, 4, 6, 8, 10, 12, 14"}, {evens(9), "0, 2, 4, 6, 8, 10, 12, 14, and 1 more"},
		{append(evens(8), 20, 21, 22), "0, 2, 4, 6, 8, 10, 12, 14, and 3 more"},
	} {
		if got := sides.Ranges(c.numbers); got != c.want {
			t.Errorf("%v: got %q, want %q", c.numbers, got, c.want)
		}
	}
}
