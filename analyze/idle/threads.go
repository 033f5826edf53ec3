package idle

import "slices"

// threads is a set of threads. It mostly has few members, which are looked up for each of
// millions of calls.
type threads struct {
	few  []int32
	more map[int32]bool // beyond mostThreads
}

const mostThreads = 8

func (t *threads) add(id int32) {
	switch {
	case t.has(id):
	case len(t.few) < mostThreads:
		t.few = append(t.few, id)
	default:
		if t.more == nil {
			t.more = map[int32]bool{}
		}
		t.more[id] = true
	}
}

func (t *threads) has(id int32) bool {
	return slices.Contains(t.few, id) || t.more != nil && t.more[id]
}
