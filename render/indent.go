package render

import "bytes"

// indent lays out valid JSON for people: two spaces a level, and a list of plain values on one
// line, for which json.Indent would take a line for each value. The text stands depth levels
// deep.
func indent(src []byte, depth int) []byte {
	var out bytes.Buffer
	out.Grow(len(src) + len(src)/4)
	newline := func() {
		out.WriteByte('\n')
		for range depth {
			out.WriteString("  ")
		}
	}
	for i := 0; i < len(src); {
		n := tokenLength(src[i:])
		switch c := src[i]; c {
		case '{', '[':
			out.Write(src[i : i+n])
			if n == 1 { // otherwise the whole of it is written
				depth++
				newline()
			}
		case '}', ']':
			depth--
			newline()
			out.WriteByte(c)
		case ',':
			out.WriteByte(c)
			newline()
		case ':':
			out.WriteString(": ")
		default:
			out.Write(src[i : i+n])
		}
		i += n
	}
	return out.Bytes()
}

// tokenLength is the length of the first unit of src that is written together: a string, a list
// of plain values, an empty object, or one character.
func tokenLength(src []byte) int {
	switch src[0] {
	case '"':
		return stringLength(src)
	case '{':
		if src[1] == '}' {
			return 2
		}
	case '[':
		return plainListLength(src)
	}
	return 1
}

// stringLength is the length of the string at the start of src, with its quotes.
func stringLength(src []byte) int {
	for i := 1; i < len(src); i++ {
		switch src[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(src)
}

// plainListLength is the length of the list at the start of src if it holds neither lists nor
// objects, else 1.
func plainListLength(src []byte) int {
	for i := 1; i < len(src); i++ {
		switch src[i] {
		case '"':
			i += stringLength(src[i:]) - 1
		case '[', '{':
			return 1
		case ']':
			return i + 1
		}
	}
	return 1
}
