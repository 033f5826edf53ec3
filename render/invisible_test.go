package render

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"testing"
)

func TestReplaceUnseen(t *testing.T) {
	for text, want := range map[string]string{
		"":                                "",
		"as it is,\n\tµ 日本 😀 \ufffd":      "as it is,\n\tµ 日本 😀 \ufffd",
		"\x1b[2J":                         `\u001b[2J`,
		"a\u009b31m\x7f":                  `a\u009b31m\u007f`,
		"\u202e\u2066x\u2028":             `\u202e\u2066x\u2028`,
		"\U000e0001tag":                   `\udb40\udc01tag`,
		"eight, eight\x7f, sixteen..\x1b": `eight, eight\u007f, sixteen..\u001b`,
	} {
		got := string(replaceInvisible([]byte(text), jsonEscape))
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
		var back string
		if err := json.Unmarshal([]byte(`"`+string(replaceInvisible([]byte(`x\u202e`+"\u202e\U000e0001"), jsonEscape))+`"`), &back); err != nil || back != "x\u202e\u202e\U000e0001" {
			t.Errorf("read again: got %q, %v", back, err)
		}
	}
	if got := string(replaceInvisible([]byte("a\u202eb\x00"), replacementMark)); got != "a\ufffdb\ufffd" {
		t.Errorf("replaced: got %q", got)
	}
}

// FuzzLine: whatever a message names, it is one line of text that is seen.
func FuzzLine(f *testing.F) {
	f.Add(evil)
	f.Add("\x1b]0;title\a\u009b31m\U000e0001")
	f.Fuzz(func(t *testing.T, s string) {
		for _, r := range Line(s) {
			if invisible(r) {
				t.Fatalf("%q: got %q in it", s, r)
			}
		}
		quoted, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		var before, after string
		if err := errors.Join(json.Unmarshal(quoted, &before), json.Unmarshal(replaceInvisible(quoted, jsonEscape), &after)); err != nil || before != after {
			t.Fatalf("%q: got %q, want %q (%v)", s, after, before, err)
		}
	})
}

// TestAllPlain: of every byte, at every place among others that are plain.
func TestAllPlain(t *testing.T) {
	for _, beside := range []byte{' ', '~'} {
		for c := range 256 {
			want := c >= ' ' && c < 0x7f
			for at := range 8 {
				text := bytes.Repeat([]byte{beside}, 8)
				text[at] = byte(c)
				if got := allPlain(binary.LittleEndian.Uint64(text)); got != want {
					t.Errorf("%q: got plain %v, want %v", text, got, want)
				}
			}
		}
	}
}
