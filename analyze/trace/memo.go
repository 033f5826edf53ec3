package trace

import "sync"

// memo remembers what was worked out of names: all ranks of a job, and both sides,
// run the same kernels. It holds a bounded number of names and then forgets all.
type memo[T any] struct {
	mu sync.RWMutex
	of map[string]func() T
}

// mostKnown bounds the names that a memo holds: jobs have hundreds.
const mostKnown = 1 << 14

// get is work(name), done once while it is known, also where several ask at a time.
func (m *memo[T]) get(name string, work func(string) T) T {
	m.mu.RLock()
	out, ok := m.of[name]
	m.mu.RUnlock()
	if !ok {
		out = m.enter(name, work)
	}
	return out()
}

func (m *memo[T]) enter(name string, work func(string) T) func() T {
	m.mu.Lock()
	defer m.mu.Unlock()
	if out, ok := m.of[name]; ok { // meanwhile
		return out
	}
	if len(m.of) >= mostKnown || m.of == nil {
		m.of = make(map[string]func() T)
	}
	out := sync.OnceValue(func() T { return work(name) })
	m.of[name] = out
	return out
}
