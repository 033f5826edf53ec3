package render

import "bytes"

// indent lays out valid JSON for people: two spaces a level, and a list of
// plain values on one line, which json.Indent would give a line for each. It stands so
// many levels deep.
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
		n := token(src[i:])
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

// token is the length of what stands together at the start of src: a string,
// a list of plain values, an empty object, or one character.
func token(src []byte) int {
	switch src[0] {
	case '"':
		return quoted(src)
	case '{':
		if src[1] == '}' {
			return 2
		}
	case '[':
		return plainList(src)
	}
	return 1
}

// quoted is the length of the string at the start of src.
func quoted(src []byte) int {
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

// plainList is the length of the list at the start of src if it holds neither
// lists nor objects, and 1 if it does.
func plainList(src []byte) int {
	for i := 1; i < len(src); i++ {
		switch src[i] {
		case '"':
			i += quoted(src[i:]) - 1
		case '[', '{':
			return 1
		case ']':
			return i + 1
		}
	}
	return 1
}
