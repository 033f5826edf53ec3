package trace

import "strings"

// Texts keeps many texts in few pieces of memory. A file can have a million names, and to
// look after each by itself took the collector of garbage as long as all that was done with
// them. A text that is kept keeps its piece, so that pieces of few texts are small.
//
// The zero value has none.
type Texts struct{ piece strings.Builder }

const (
	leastPiece = 1 << 10 // bytes
	mostPiece  = 64 << 10
)

// Keep is a copy of a text.
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
