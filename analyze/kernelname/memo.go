package kernelname

import (
	"strings"
	"sync"
)

// Remember returns a function that does work once for each name and remembers the result; perhaps twice if several ask
// for the first time at once. All ranks of a job, and both sides, have the same names, and expressions on those of a
// small capture take longer than all other work. work must depend on nothing but the name. The first names are
// remembered, up to a limit: jobs have hundreds.
func Remember[T any](work func(name string) T) func(name string) T {
	return (&memo[T]{of: make(map[string]T), work: work}).get
}

// memo holds results by name.
type memo[T any] struct {
	work  func(string) T
	mu    sync.RWMutex
	of    map[string]T
	bytes int // of the names
}

// mostKnown bounds the names that a memo holds, and mostKnownBytes what they take.
const (
	mostKnown      = 1 << 14
	mostKnownBytes = 4 << 20
)

func (m *memo[T]) get(name string) T {
	m.mu.RLock()
	out, ok := m.of[name]
	full := len(m.of) >= mostKnown || m.bytes+len(name) > mostKnownBytes
	m.mu.RUnlock()
	if ok {
		return out
	}
	if full {
		return m.work(name)
	}
	name = strings.Clone(name) // it may be a part of all texts of a file
	out = m.work(name)
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.of[name]; !ok {
		m.of[name], m.bytes = out, m.bytes+len(name)
	}
	return out
}
