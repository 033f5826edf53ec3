package kernelname

import (
	"strings"
	"sync"
	"testing"
)

// TestRemember: work is done once for each name, as long as names are few and short, and
// always gives the same.
func TestRemember(t *testing.T) {
	var mu sync.Mutex
	done := map[string]int{}
	length := Remember(func(name string) int {
		mu.Lock()
		defer mu.Unlock()
		done[name]++
		return len(name)
	})
	long := strings.Repeat("x", mostKnownBytes+1)
	var all sync.WaitGroup
	for _, name := range []string{"", "a", long, "a", long} {
		all.Go(func() {
			if got := length(name); got != len(name) {
				t.Errorf("got %d want %d", got, len(name))
			}
		})
	}
	all.Wait()
	before := done["a"]
	if length("a"); done["a"] != before || done[long] != 2 {
		t.Errorf("worked %d and %d times on a short name, %d on a long one", before, done["a"], done[long])
	}
}
