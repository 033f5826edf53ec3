package trace

import "strings"

// Texts keeps many texts in few pieces of memory. A file can have a million names; if each is an object of its own the
// garbage collector takes as long as all other work. A kept text keeps its whole piece, so pieces are small while
// texts are few.
//
// The zero value has none.
type Texts struct{ piece strings.Builder }

const (
	leastPiece = 1 << 10 // bytes
	mostPiece  = 64 << 10
)

// Keep returns a copy of a text.
func (t *Texts) Keep(s string) string {
	if t.piece.Cap()-t.piece.Len() < len(s) {
		next := min(max(2*t.piece.Cap(), leastPiece), mostPiece)
		t.piece.Reset()
		t.piece.Grow(max(next, len(s)))
	}
	from := t.piece.Len()
	t.piece.WriteString(s)
	return t.piece.String()[from:]
}
