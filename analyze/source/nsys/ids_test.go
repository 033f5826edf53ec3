package nsys

import "testing"

func TestIDs(t *testing.T) {
	list := []int64{1, 2, 63, 64, 4095, 4096, 4097, 1 << 40, 1<<62 + 5}
	s := newIDs()
	for _, id := range list {
		s.add(id)
		s.add(id)
	}
	s.number()
	if s.count != len(list) {
		t.Errorf("%d ids, want %d", s.count, len(list))
	}
	seen := map[int]bool{}
	for _, id := range list {
		at := s.place(id)
		if at < 0 || at >= len(list) || seen[at] {
			t.Errorf("place of %d: %d", id, at)
		}
		seen[at] = true
	}
	for _, id := range []int64{3, 62, 65, 4098, 1 << 41} {
		if at := s.place(id); at != -1 {
			t.Errorf("place of %d: %d, want -1", id, at)
		}
	}
}
