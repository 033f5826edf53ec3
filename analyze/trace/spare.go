package trace

import (
	"slices"
	"sync"
	"unsafe"
)

// Spare keeps the lists of finished traces for the next file. A large rank's lists are hundreds of megabytes: the
// runtime clears garbage again before it reuses it, and small things that live longer have settled in between, so that
// the heap grew by a quarter with the second file of a job.
//
// The zero value has none. It may be used by several goroutines.
type Spare struct {
	mu    sync.Mutex
	spans [][]Span
	calls [][]Call
}

// leastSpare is how many elements a list has at least that is worth keeping.
const leastSpare = 1 << 8

// Spans returns an empty list with room for n spans.
func (s *Spare) Spans(n int64) []Span {
	if s == nil || n < leastSpare {
		return make([]Span, 0, n)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return takeSpare(&s.spans, int(n))
}

// Calls returns an empty list with room for n calls.
func (s *Spare) Calls(n int64) []Call {
	if s == nil || n < leastSpare {
		return make([]Call, 0, n)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return takeSpare(&s.calls, int(n))
}

// takeSpare takes the smallest list with room for n, or makes one. If no list has room, the largest of them goes, so
// that there are never more lists than files are read at once. Ranks of a job are of nearly one size, so a new list
// gets some extra room.
func takeSpare[T any](lists *[][]T, n int) []T {
	all := *lists // in order of room
	if len(all) == 0 {
		return InLargePages(make([]T, 0, n+n/16))
	}
	at := slices.IndexFunc(all, func(list []T) bool { return cap(list) >= n })
	if at < 0 {
		at = len(all) - 1
	}
	list := all[at]
	*lists = slices.Delete(all, at, at+1) // which clears the place behind the last
	if cap(list) < n {
		return InLargePages(make([]T, 0, n+n/16))
	}
	return list[:0]
}

// Give takes the lists of a trace that is not used any more, if they are of a Spare.
func (s *Spare) Give(t *Trace) {
	if !t.Lent {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	giveSpare(&s.spans, t.Device)
	giveSpare(&s.calls, t.API)
	giveSpare(&s.calls, t.OS)
	t.Device, t.API, t.OS, t.Lent = nil, nil, nil, false
}

func giveSpare[T any](lists *[][]T, list []T) {
	if cap(list) < leastSpare {
		return
	}
	at := slices.IndexFunc(*lists, func(x []T) bool { return cap(x) >= cap(list) })
	if at < 0 {
		at = len(*lists)
	}
	*lists = slices.Insert(*lists, at, list)
}

// Drop forgets all lists. It returns how much memory they take, in bytes.
func (s *Spare) Drop() (bytes int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	bytes = roomOf(s.spans) + roomOf(s.calls)
	s.spans, s.calls = nil, nil
	return bytes
}

func roomOf[T any](lists [][]T) (bytes int64) {
	var one T
	for _, list := range lists {
		bytes += int64(cap(list)) * int64(unsafe.Sizeof(one))
	}
	return bytes
}
