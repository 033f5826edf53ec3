package analyze

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"perfdiff/analyze/synth"
)

// TestHeldBytes: all that a value refers to counts, and nothing that it does not.
func TestHeldBytes(t *testing.T) {
	type leaf struct {
		name string
		v    []float64
	}
	type value struct {
		n      int
		leaves []leaf
		by     map[int64]int64
		at     *leaf
		any    any
		pair   [2]string
		next   *value
	}
	of := func(v value) int64 { return heldBytes(&v) }
	size := int64(reflect.TypeFor[leaf]().Size())
	for name, tt := range map[string]struct {
		v    value
		want int64
	}{
		"nothing":   {value{n: 5}, 0},
		"a list":    {value{leaves: make([]leaf, 2, 3)}, 3 * size},
		"its texts": {value{leaves: []leaf{{name: "abc", v: make([]float64, 4)}}}, size + 3 + 32},
		"a pointer": {value{at: &leaf{name: "ab"}}, size + 2},
		"any":       {value{any: leaf{name: "a"}}, size + 1},
		"a map":     {value{by: map[int64]int64{1: 2}}, 32},
		"an array":  {value{pair: [2]string{"ab", "c"}}, 3},
		"its like":  {value{next: &value{pair: [2]string{"ab"}}}, int64(reflect.TypeFor[value]().Size()) + 2},
	} {
		if got := of(tt.v); got != tt.want {
			t.Errorf("%s: got %d, want %d", name, got, tt.want)
		}
	}
}

// TestHeldOfRanks: what is counted of ranks is what the heap grows by, or somewhat more.
func TestHeldOfRanks(t *testing.T) {
	dir := filepath.Join(manyRanks(t, 48), "baseline")
	found, err := discover(context.Background(), dir, nil)
	do(t, err)
	alive := func() int64 {
		runtime.GC()
		runtime.GC()
		return heap()
	}
	before := alive()
	read, err := readAll(context.Background(), found.inRun(func(string) bool { return true }), Options{})
	do(t, err)
	grown := alive() - before
	counted := int64(0)
	for i := range read {
		counted += read[i].held()
	}
	if counted < grown*8/10 || counted > grown*16/10 {
		t.Errorf("%d bytes are counted, and the heap grew by %d", counted, grown)
	}
	runtime.KeepAlive(read)
}

// countDone counts files that were read.
type countDone struct{ files atomic.Int64 }

func (*countDone) Found(int, int64) {}
func (*countDone) Read(int64)       {}
func (c *countDone) Done()          { c.files.Add(1) }

// manyRanks writes a story of so many small ranks.
func manyRanks(t *testing.T, ranks int) (dir string) {
	t.Helper()
	s, err := synth.Parse("many", fmt.Appendf(nil, "about: many ranks\nranks: %d\nsteps: 12\nseed: 3\n", ranks))
	do(t, err)
	dir = t.TempDir()
	_, err = s.Write(context.Background(), dir, synth.Nsight)
	do(t, err)
	return dir
}

// TestTooManyRanks: profiles that together need more memory than is allowed are refused once a few of
// them were read, with what they need, the same in every order; with that much they are read.
func TestTooManyRanks(t *testing.T) {
	dir := filepath.Join(manyRanks(t, 96), "baseline")
	const little = 18e6 // more than other tests leave of the heap
	done := &countDone{}
	_, err := Load(context.Background(), dir, Options{Memory: little, Jobs: 2, Progress: done})
	if !errors.Is(err, errTooMany) || !strings.Contains(err.Error(), "96 profiles need more memory than is allowed: about ") {
		t.Fatalf("got %v", err)
	}
	if _, again := Load(context.Background(), dir, Options{Memory: little, Jobs: 7}); again == nil || again.Error() != err.Error() {
		t.Errorf("got %v, and then %v", err, again)
	}
	var need int64
	if _, rest, ok := strings.Cut(err.Error(), "--max-memory "); ok {
		fmt.Sscanf(rest, "%dM", &need)
	}
	if need < 10 || need > 60 {
		t.Errorf("got %d MB in %v", need, err)
	}
	if _, err := Load(context.Background(), dir, Options{Memory: max(64, need) * 1e6}); err != nil {
		t.Errorf("with what it asks for: %v", err)
	}
	if n := done.files.Load(); n > 2*firstFiles {
		t.Errorf("%d files were read before it was said", n)
	}
	for _, n := range []int{0, 1, 7, 8, 9, 1000} {
		order, first := spreadFirst(n)
		if first != min(n, firstFiles) || len(order) != n {
			t.Errorf("%d files: got %d of %v", n, first, order)
		}
		slices.Sort(order)
		if len(slices.Compact(order)) != n {
			t.Errorf("%d files: some are read twice", n)
		}
	}
}
