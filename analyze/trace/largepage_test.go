package trace

import "testing"

// TestInLargePages: a list stays what it is, wherever it begins and however small it is.
func TestInLargePages(t *testing.T) {
	for _, n := range []int{0, 1, 1000, largePage/8 - 1, 3 * largePage / 8, 1_000_003} {
		list := InLargePages(append(make([]int64, 0, n+1), 7))
		for range n {
			list = append(list, int64(len(list)))
		}
		if len(list) != n+1 || list[0] != 7 || n > 0 && list[n] != int64(n) {
			t.Errorf("room for %d: got %d elements, the first %d", n, len(list), list[0])
		}
	}
	if got := InLargePages[int64](nil); got != nil {
		t.Errorf("of no list: got %v", got)
	}
}
