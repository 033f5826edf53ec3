package sides

import "testing"

// TestOneWork: counts of a step's work that all changed by one factor are another amount of it; blocks
// follow about so, since kernels that work on parameters launch as many as before.
func TestOneWork(t *testing.T) {
	count := func(kind WorkKind, factor float64) WorkCount { return WorkCount{kind, 100, 100 * factor} }
	for _, c := range []struct {
		name   string
		counts []WorkCount
		want   bool
	}{
		{"twice", []WorkCount{count(WorkBytes, 2), count(WorkBlocks, 2)}, true},
		{"half", []WorkCount{count(WorkBytes, 0.5), count(WorkBlocks, 0.5)}, true},
		{"optimizer as before", []WorkCount{count(WorkBytes, 2), count(WorkFLOPs, 2), count(WorkBlocks, 1.7)}, true},
		{"blocks as before", []WorkCount{count(WorkBytes, 2), count(WorkBlocks, 1)}, false},
		{"blocks the other way", []WorkCount{count(WorkBytes, 2), count(WorkBlocks, 0.6)}, false},
		{"bytes of another type", []WorkCount{count(WorkBytes, 2), count(WorkFLOPs, 1), count(WorkBlocks, 2)}, false},
		{"uneven lengths", []WorkCount{count(WorkBytes, 1.05), count(WorkBlocks, 1.05)}, false},
	} {
		if got := oneWork(c.counts); got != c.want {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}
