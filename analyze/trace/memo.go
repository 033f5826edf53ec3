package trace

import "sync"

// memo remembers what was worked out of names: all ranks of a job, and both sides,
// run the same kernels. It holds a bounded number of names and then forgets all.
type memo struct {
	mu sync.RWMutex
	of map[string]string
}

// mostKnown bounds the names that a memo holds: jobs have hundreds.
const mostKnown = 1 << 14

// get is work(name), done once while it is known.
func (m *memo) get(name string, work func(string) string) string {
	m.mu.RLock()
	out, ok := m.of[name]
	m.mu.RUnlock()
	if ok {
		return out
	}
	out = work(name)
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.of) >= mostKnown || m.of == nil {
		m.of = make(map[string]string)
	}
	m.of[name] = out
	return out
}
