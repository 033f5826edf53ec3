package trace

import "sync"

// memo remembers what was worked out of names: all ranks of a job, and both sides,
// run the same kernels. It holds a bounded number of names and then forgets all.
type memo struct {
	mu sync.RWMutex
	of map[string]func() string
}

// mostKnown bounds the names that a memo holds: jobs have hundreds.
const mostKnown = 1 << 14

// get is work(name), done once while it is known, also where several ask at a time.
func (m *memo) get(name string, work func(string) string) string {
	m.mu.RLock()
	out, ok := m.of[name]
	m.mu.RUnlock()
	if !ok {
		out = m.enter(name, work)
	}
	return out()
}

func (m *memo) enter(name string, work func(string) string) func() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	if out, ok := m.of[name]; ok { // meanwhile
		return out
	}
	if len(m.of) >= mostKnown || m.of == nil {
		m.of = make(map[string]func() string)
	}
	out := sync.OnceValue(func() string { return work(name) })
	m.of[name] = out
	return out
}
