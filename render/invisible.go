package render

import (
	"encoding/binary"
	"fmt"
	"unicode"
	"unicode/utf8"
)

// invisible reports whether r cannot be seen by itself: control characters, marks that change the direction of text or
// join neighbouring characters, separators of lines and paragraphs. Terminals and editors obey some of these.
func invisible(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}

// replaceInvisible replaces the invisible characters of a whole document, line breaks and tabs
// aside. The forms for programs need this too, since people print them on terminals. A text
// without any is returned unchanged.
func replaceInvisible(text []byte, with func([]byte, rune) []byte) []byte {
	var out []byte
	from := 0
	for i := 0; i < len(text); {
		if i+8 <= len(text) && allPlain(binary.LittleEndian.Uint64(text[i:])) {
			i += 8
			continue
		}
		if c := text[i]; c >= ' ' && c < 0x7f || c == '\n' || c == '\t' {
			i++
			continue
		}
		r, n := utf8.DecodeRune(text[i:])
		if invisible(r) {
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

// allPlain reports whether eight bytes are all ASCII without control characters or DEL. Documents are megabytes,
// nearly all of it plain.
func allPlain(eight uint64) bool {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	// A byte below 128 keeps its high bit clear with 1 more only if it is no DEL, and loses the one
	// that is set here with ' ' less only if it is a control character.
	return (eight|(eight+ones)|^((eight|high)-' '*ones))&high == 0
}

// jsonEscape appends r as JSON escapes it. In valid JSON such a character can only stand in a
// string, whose value stays the same.
func jsonEscape(dst []byte, r rune) []byte {
	if r > 0xffff {
		r -= 0x10000
		return fmt.Appendf(dst, "\\u%04x\\u%04x", 0xd800+r>>10, 0xdc00+r&0x3ff)
	}
	return fmt.Appendf(dst, "\\u%04x", r)
}

// replacementMark appends the mark for a character that cannot be shown.
func replacementMark(dst []byte, _ rune) []byte { return utf8.AppendRune(dst, utf8.RuneError) }
