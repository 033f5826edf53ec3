package trace

import (
	"strings"
	"testing"
)

// TestTexts: what is kept stays as it is, whatever is kept behind it, and is no part of what
// it was copied from.
func TestTexts(t *testing.T) {
	var texts Texts
	var kept, want []string
	buf := make([]byte, 0, 3*mostPiece)
	for i := range 3000 {
		buf = append(buf[:0], strings.Repeat(string(rune('a'+i%26)), i%97)...)
		if i%1000 == 999 {
			buf = append(buf, make([]byte, 2*mostPiece)...)
		}
		n := NewNames()
		kept, want = append(kept, texts.Keep(string(buf)), n.Text(n.IDBytes(buf))), append(want, string(buf), string(buf))
	}
	for i := range kept {
		if kept[i] != want[i] {
			t.Fatalf("text %d: got %.20q of %d bytes, want %.20q of %d", i, kept[i], len(kept[i]), want[i], len(want[i]))
		}
	}
	if most := int(testing.AllocsPerRun(10, func() {
		var texts Texts
		for range 1000 {
			texts.Keep("void jit::Kernel<float>")
		}
	})); most > 10 {
		t.Errorf("a thousand short texts took %d pieces, want at most 10", most)
	}
}
