package build

import (
	"slices"
	"testing"

	"perfdiff/analyze/trace"
)

// TestList: a list that grows in pieces holds what a slice does, also where its end is
// taken away again.
func TestList(t *testing.T) {
	room := func(int64) bool { return true }
	for pass, n := range []int{0, 1, firstPiece, firstPiece + 1, 5000, 100_000, 100_001} { // the last with pieces of the one before
		var l List[trace.Range]
		var want []trace.Range
		for i := range n {
			x := trace.Range{Start: int64(i), End: int64(pass)}
			l.Push(room, x)
			want = append(want, x)
			for k := 0; k < i%7-4; k++ {
				l.Pop()
				want = want[:len(want)-1]
			}
			got := l.Top()
			if l.Len() != len(want) || (got == nil) != (len(want) == 0) || got != nil && *got != want[len(want)-1] {
				t.Fatalf("%d of %d: got %d elements, the last %v, want %d", i, n, l.Len(), got, len(want))
			}
		}
		if got := l.All(); !slices.Equal(got, want) || l.Len() != 0 {
			t.Errorf("%d: got %d elements and %d left, want %d", n, len(got), l.Len(), len(want))
		}
	}
}

// TestListWithoutRoom: a list that may not grow stays as it is, and asks for what it will
// take when it is made one.
func TestListWithoutRoom(t *testing.T) {
	const most = 6 << 20
	asked := int64(0)
	var l List[uint64]
	for i := range uint64(1 << 21) {
		l.Push(func(bytes int64) bool { asked = max(asked, bytes); return bytes <= most }, i)
	}
	if held := int64(8 * l.Len()); held < roomAskedFrom || held > most || asked <= most {
		t.Errorf("got %d bytes, and %d were asked for, want up to %d", held, asked, most)
	}
	if got := l.All(); got[len(got)-1] != uint64(len(got)-1) {
		t.Errorf("got %d at the end of %d", got[len(got)-1], len(got))
	}
}
