package trace

import "testing"

// TestSpare: a list that was given back is the next one's that it has room for, and nothing
// of it is seen.
func TestSpare(t *testing.T) {
	s := new(Spare)
	filled := func(n int64) *Trace {
		x := &Trace{Lent: true, Device: s.Spans(n), API: s.Calls(n), OS: s.Calls(2 * n)}
		for i := range n {
			x.Device, x.API, x.OS = append(x.Device, Span{Start: i}), append(x.API, Call{Start: i}), append(x.OS, Call{Start: i})
		}
		return x
	}
	same := func(a, b []Span) bool { return &a[:1][0] == &b[:1][0] }
	const n = 4 * leastSpare
	first := filled(n)
	spans := first.Device
	if s.Give(first); first.Device != nil || first.API != nil || first.OS != nil {
		t.Error("lists that were given are still in use")
	}
	if got := s.Spans(leastSpare / 2); same(got, spans) {
		t.Error("a short list took a long one's place")
	}
	second := s.Spans(n + n/32) // of a rank that is a little larger
	if !same(second, spans) || len(second) != 0 {
		t.Errorf("got another list or one of %d spans, want the one before without any", len(second))
	}
	if got := s.Spans(n); same(got, spans) {
		t.Error("one list was taken twice")
	}
	if got := s.Calls(2 * n); len(got) != 0 || cap(got) < 2*n {
		t.Errorf("got %d calls and room for %d, want none and room for %d", len(got), cap(got), 2*n)
	}
	s.Give(&Trace{Lent: true, Device: second})
	if got := s.Spans(2 * n); cap(got) < 2*n || len(s.spans) != 0 {
		t.Errorf("got room for %d and kept %d lists that are too short, want %d and none", cap(got), len(s.spans), 2*n)
	}
	s.Give(filled(n))
	if s.Drop(); len(s.spans)+len(s.calls) != 0 {
		t.Error("lists that were dropped are still there")
	}
	other := &Trace{Device: make([]Span, n)}
	if s.Give(other); other.Device == nil || len(s.spans) != 0 {
		t.Error("a list was taken that is of no Spare")
	}
	var none *Spare
	if got := cap(none.Spans(n)) + cap(none.Calls(n)); got < 2*n {
		t.Errorf("without spare lists: got room for %d, want %d", got, 2*n)
	}
}
