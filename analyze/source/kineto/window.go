package kineto

import (
	"bytes"
	"io"
)

const (
	windowSize = 1 << 20
	// lowWater is how much text should lie ahead of an event, so that few events are scanned
	// twice because the window ended inside them.
	lowWater = 64 << 10
)

// window is a stretch of the text that slides over the document. Something larger than the
// window can be skipped, but not read.
type window struct {
	src io.Reader
	buf []byte
	pos int   // index in buf of the next byte to read
	end int   // end of the text in buf
	off int64 // offset of buf[0] in the document
	err error // why the source gave no more; io.EOF at its end
	tok []byte
}

func newWindow(src io.Reader, size int) *window {
	return &window{src: src, buf: make([]byte, size)}
}

// offset returns the position of the next byte in the document.
func (w *window) offset() int64 { return w.off + int64(w.pos) }

// unread returns the text in the window from the next byte on.
func (w *window) unread() []byte { return w.buf[w.pos:w.end] }

// fill slides the window to pos and reads more text after it. It is false if nothing was added: at the end of the
// source, or when the window is full.
func (w *window) fill() bool {
	if w.err != nil || (w.pos == 0 && w.end == len(w.buf)) {
		return false
	}
	if w.pos > 0 {
		copy(w.buf, w.buf[w.pos:w.end])
		w.off += int64(w.pos)
		w.end -= w.pos
		w.pos = 0
	}
	before := w.end
	for empty := 0; w.end < len(w.buf) && w.err == nil && empty < 100; empty++ {
		n, err := w.src.Read(w.buf[w.end:])
		w.end, w.err = w.end+n, err
		if n > 0 {
			empty = 0
		}
	}
	if w.end == before && w.err == nil {
		w.err = io.ErrNoProgress
	}
	return w.end > before
}

// readByte reads one byte; false at the end.
func (w *window) readByte() (byte, bool) {
	if w.pos == w.end && !w.fill() {
		return 0, false
	}
	c := w.buf[w.pos]
	w.pos++
	return c, true
}

// peek skips white space and returns the byte after it without reading it; 0 at the end.
func (w *window) peek() byte {
	for {
		for w.pos < w.end && w.buf[w.pos] <= ' ' {
			w.pos++
		}
		if w.pos < w.end {
			return w.buf[w.pos]
		}
		if !w.fill() {
			return 0
		}
	}
}

// accept skips white space and reads c, if it is next.
func (w *window) accept(c byte) bool {
	if w.peek() != c {
		return false
	}
	w.pos++
	return true
}

// maxToken bounds the texts of the header that are kept, in bytes.
const maxToken = 1 << 10

// text reads a string or a literal, without its quotes and escapes. It is cut after maxToken
// bytes and valid until the next call.
func (w *window) text() ([]byte, bool) {
	w.tok = w.tok[:0]
	c := w.peek()
	if c != '"' {
		return w.literal()
	}
	w.pos++
	escaped := false
	for {
		c, ok := w.readByte()
		if !ok {
			return nil, false
		}
		if c == '"' && !escaped {
			return unescapeText(nil, w.tok), true
		}
		escaped = c == '\\' && !escaped
		if len(w.tok) < maxToken {
			w.tok = append(w.tok, c)
		}
	}
}

func (w *window) literal() ([]byte, bool) {
	for {
		c, ok := w.readByte()
		if !ok {
			return nil, false
		}
		if literalEnd[c] {
			w.pos--
			return w.tok, len(w.tok) > 0
		}
		if len(w.tok) < maxToken {
			w.tok = append(w.tok, c)
		}
	}
}

// skip skips a value of any kind and size. It counts brackets without telling kinds of brackets
// apart.
func (w *window) skip() bool {
	if c := w.peek(); c != '{' && c != '[' {
		_, ok := w.text()
		return ok
	}
	depth, inside, escaped := 0, false, false
	for {
		c, ok := w.readByte()
		switch {
		case !ok:
			return false
		case inside:
			inside = c != '"' || escaped
			escaped = c == '\\' && !escaped
		case c == '"':
			inside = true
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			if depth--; depth == 0 {
				return true
			}
		}
	}
}

// members reads an object and calls value for each of its keys, which must read the value. A
// value that is no object is skipped.
func (w *window) members(value func(key string) bool) bool {
	if w.peek() != '{' {
		return w.skip()
	}
	w.pos++
	for {
		switch w.peek() {
		case '}':
			w.pos++
			return true
		case '"':
		default:
			return false
		}
		key, ok := w.text()
		if !ok || !w.accept(':') || !value(string(key)) {
			return false
		}
		if !w.accept(',') && w.peek() != '}' {
			return false
		}
	}
}

// elements reads an array and calls value for each of its elements, which must read it. A value
// that is no array is skipped.
func (w *window) elements(value func() bool) bool {
	if w.peek() != '[' {
		return w.skip()
	}
	w.pos++
	for !w.accept(']') {
		if !value() || !w.accept(',') && w.peek() != ']' {
			return false
		}
	}
	return true
}

// find moves to the end of the next text that match accepts; false if there is none. match is called at each byte lead
// with at least reach bytes of text, unless the text ends before. It returns the number of bytes to move, or less than
// 1 if the text does not match.
func (w *window) find(lead byte, reach int, match func([]byte) int) bool {
	for {
		b := w.unread()
		i := bytes.IndexByte(b, lead)
		if i < 0 {
			w.pos = w.end
		} else {
			w.pos += i
		}
		if len(w.unread()) < reach && w.fill() {
			continue
		}
		if i < 0 || w.pos == w.end {
			return false
		}
		if n := match(w.unread()); n > 0 {
			w.pos += n
			return true
		}
		w.pos++
	}
}
