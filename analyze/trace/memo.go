package trace

import "sync"

// memo remembers what was worked out of names: all ranks of a job, and both sides,
// run the same kernels. It holds a bounded number of names and then forgets all.
type memo[T any] struct {
	mu sync.RWMutex
	of map[string]T
}

// mostKnown bounds the names that a memo holds: jobs have hundreds.
const mostKnown = 1 << 14

// get is work(name), done once while it is known; perhaps twice where several ask for the
// first time at once.
func (m *memo[T]) get(name string, work func(string) T) T {
	m.mu.RLock()
	out, ok := m.of[name]
	m.mu.RUnlock()
	if ok {
		return out
	}
	out = work(name)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.of == nil {
		m.of = make(map[string]T)
	}
	if len(m.of) >= mostKnown {
		clear(m.of)
	}
	m.of[name] = out
	return out
}
