package render

import (
	"fmt"
	"unicode"
	"unicode/utf8"
)

// unseen reports whether r shows nothing of itself: control characters, marks
// that turn the direction of text or join what stands beside them, separators
// of lines and paragraphs. A terminal and an editor obey some of these.
func unseen(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

// replaceUnseen is a whole document in which with took the place of what is
// not seen, line breaks and tabs aside. The forms for programs are printed on
// terminals too. The text is returned as it is where nothing is to be done.
func replaceUnseen(text []byte, with func([]byte, rune) []byte) []byte {
	var out []byte
	from := 0
	for i := 0; i < len(text); {
		if c := text[i]; c >= ' ' && c < 0x7f || c == '\n' || c == '\t' {
			i++
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		if unseen(r) {
			out = with(append(out, text[from:i]...), r)
			from = i + n
		}
		i += n
	}
	if from == 0 {
		return text
	}
	return append(out, text[from:]...)
}

// jsonEscape adds r as JSON escapes it: in valid JSON it can only stand in a
// string, whose value stays the same.
func jsonEscape(dst []byte, r rune) []byte {
	if r > 0xffff {
		r -= 0x10000
		return fmt.Appendf(dst, "\\u%04x\\u%04x", 0xd800+r>>10, 0xdc00+r&0x3ff)
	}
	return fmt.Appendf(dst, "\\u%04x", r)
}

// replacement adds the mark for what cannot be shown in place of r.
func replacement(dst []byte, _ rune) []byte { return utf8.AppendRune(dst, utf8.RuneError) }
