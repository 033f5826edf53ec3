package kineto

import (
	"bytes"
	"errors"
	"unicode/utf8"
)

var (
	errShort  = errors.New("the text ends in an event")
	errSyntax = errors.New("not valid JSON")
)

// literalEnd holds the bytes that can follow a number, true, false, null or NaN.
var literalEnd = func() (t [256]bool) {
	for c := range 0x21 {
		t[c] = true
	}
	for _, c := range []byte(",:]}[{\"") {
		t[c] = true
	}
	return t
}()

// skipSpace returns the index of the first byte from i on that is no white space, len(b) if there is none.
func skipSpace(b []byte, i int) int {
	for i < len(b) && b[i] <= ' ' {
		i++
	}
	return i
}

// endQuote returns the index of the quote that ends the string whose first byte is b[i], -1 if b
// ends before. Control characters, and escapes that JSON does not have, are accepted: profilers
// write them.
func endQuote(b []byte, i int) int {
	for from := i; ; {
		j := bytes.IndexByte(b[from:], '"')
		if j < 0 {
			return -1
		}
		j += from
		k := j
		for k > i && b[k-1] == '\\' {
			k--
		}
		if (j-k)&1 == 0 {
			return j
		}
		from = j + 1
	}
}

// closeBraces returns the index after the brace that closes the outermost of depth open objects at b[i], -1 if b ends
// before. It jumps from brace to brace: if the text between holds no escape and an even number of quotes, the brace is
// outside of strings.
func closeBraces(b []byte, i, depth int) int {
	for depth > 0 {
		if i < len(b) && b[i] == '}' { // as events end
			i, depth = i+1, depth-1
			continue
		}
		n := bytes.IndexByte(b[i:], '}')
		if n < 0 {
			return -1
		}
		seg := b[i : i+n]
		if bytes.IndexByte(seg, '\\') >= 0 || bytes.Count(seg, quoteMark)&1 != 0 {
			return closeBrackets(b, i, depth)
		}
		quotes := 0
		for k := bytes.IndexByte(seg, '{'); k >= 0; k = bytes.IndexByte(seg, '{') {
			if quotes += bytes.Count(seg[:k], quoteMark); quotes&1 == 0 {
				depth++
			}
			seg = seg[k+1:]
		}
		depth--
		i += n + 1
	}
	return i
}

var quoteMark = []byte{'"'}

// closeBrackets does the same byte by byte, and counts arrays too.
func closeBrackets(b []byte, i, depth int) int {
	for ; i < len(b); i++ {
		switch b[i] {
		case '"':
			if i = endQuote(b, i+1); i < 0 {
				return -1
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return -1
}

// scalarAt returns the scalar at b[i] without its quotes, the index after it, and whether it is a string. For an array
// or object the value is nil.
func scalarAt(b []byte, i int) (v []byte, end int, str bool, err error) {
	switch b[i] {
	case '"':
		j := endQuote(b, i+1)
		if j < 0 {
			return nil, 0, false, errShort
		}
		return b[i+1 : j], j + 1, true, nil
	case '{':
		end = closeBraces(b, i+1, 1)
	case '[':
		end = closeBrackets(b, i+1, 1)
	default:
		for j := i; j < len(b); j++ {
			if literalEnd[b[j]] {
				if j == i {
					return nil, 0, false, errSyntax
				}
				return b[i:j], j, false, nil
			}
		}
		return nil, 0, false, errShort
	}
	if end < 0 {
		return nil, 0, false, errShort
	}
	return nil, end, false, nil
}

// unescapeText returns a string without JSON's escapes, with the replacement character for bytes that are not UTF-8.
// It writes into dst if the text differs from s. A bad escape stays as it is.
func unescapeText(dst, s []byte) []byte {
	if bytes.IndexByte(s, '\\') < 0 && utf8.Valid(s) {
		return s
	}
	for i := 0; i < len(s); {
		if s[i] == '\\' && i+1 < len(s) {
			r, n := escape(s[i:])
			dst = utf8.AppendRune(dst, r)
			i += n
			continue
		}
		r, n := utf8.DecodeRune(s[i:])
		dst = utf8.AppendRune(dst, r)
		i += n
	}
	return dst
}

// escape decodes the escape at s[0] and returns its length.
func escape(s []byte) (rune, int) {
	switch c := s[1]; c {
	case '"', '\\', '/':
		return rune(c), 2
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
		return unicodeEscape(s)
	}
	return '\\', 1
}

// unicodeEscape decodes \uXXXX and surrogate pairs. Half a pair becomes the replacement
// character.
func unicodeEscape(s []byte) (rune, int) {
	r, ok := hex4(s)
	if !ok {
		return '\\', 1
	}
	if r < 0xd800 || r >= 0xe000 {
		return r, 6
	}
	if low, ok := hex4(s[6:]); ok && r < 0xdc00 && low >= 0xdc00 && low < 0xe000 {
		return (r-0xd800)<<10 + (low - 0xdc00) + 0x10000, 12
	}
	return utf8.RuneError, 6
}

func hex4(s []byte) (r rune, ok bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	for _, c := range s[2:6] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}
