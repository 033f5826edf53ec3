package trace

import (
	"runtime"
	"testing"
)

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

// TestEmptyTable: a table is empty, also where memory is used again.
func TestEmptyTable(t *testing.T) {
	for _, n := range []int{0, 1, 1000, 3 * largePage / 8} {
		for range 2 {
			table := EmptyTable[int64](n)
			if len(table) != n {
				t.Fatalf("%d places: got %d", n, len(table))
			}
			for i := range table {
				if table[i] != 0 {
					t.Fatalf("place %d of %d holds %d", i, n, table[i])
				}
				table[i] = 7
			}
			runtime.GC()
		}
	}
}
