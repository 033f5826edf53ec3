package kineto

import (
	"bytes"
	"io"
)

const (
	windowSize = 1 << 20
	// lowWater is how much text should lie ahead of an event, so that hardly
	// any event has to be scanned twice because the window ended in it.
	lowWater = 64 << 10
)

// window is a stretch of the text that slides over the document. What is
// larger than the window can be skipped but not looked at.
type window struct {
	src io.Reader
	buf []byte
	pos int   // next byte to be looked at
	end int   // end of the text in buf
	off int64 // offset in the document of buf[0]
	err error // why the source gave no more; io.EOF at its end
	tok []byte
}

func newWindow(src io.Reader, size int) *window {
	return &window{src: src, buf: make([]byte, size)}
}

// offset is the position in the document of the next byte.
func (w *window) offset() int64 { return w.off + int64(w.pos) }

// ahead is the text that is there to be looked at.
func (w *window) ahead() []byte { return w.buf[w.pos:w.end] }

// more slides the window to pos and fills it. It reports whether text was
// added: it was not at the end of the source and when the window is full.
func (w *window) more() bool {
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

// get consumes one byte; 0 and false at the end.
func (w *window) get() (byte, bool) {
	if w.pos == w.end && !w.more() {
		return 0, false
	}
	c := w.buf[w.pos]
	w.pos++
	return c, true
}

// next looks at the first byte that is not white space; 0 at the end.
func (w *window) next() byte {
	for {
		for w.pos < w.end && w.buf[w.pos] <= ' ' {
			w.pos++
		}
		if w.pos < w.end {
			return w.buf[w.pos]
		}
		if !w.more() {
			return 0
		}
	}
}

// accept consumes c if it comes next.
func (w *window) accept(c byte) bool {
	if w.next() != c {
		return false
	}
	w.pos++
	return true
}

// maxToken bounds the texts of the header that are kept.
const maxToken = 1 << 10

// text consumes a string or a literal and returns it without quotes and
// escapes, cut after maxToken bytes and valid until the next call.
func (w *window) text() ([]byte, bool) {
	w.tok = w.tok[:0]
	c := w.next()
	if c != '"' {
		return w.literal()
	}
	w.pos++
	escaped := false
	for {
		c, ok := w.get()
		if !ok {
			return nil, false
		}
		if c == '"' && !escaped {
			return plain(nil, w.tok), true
		}
		escaped = c == '\\' && !escaped
		if len(w.tok) < maxToken {
			w.tok = append(w.tok, c)
		}
	}
}

func (w *window) literal() ([]byte, bool) {
	for {
		c, ok := w.get()
		if !ok {
			return nil, false
		}
		if endsLiteral[c] {
			w.pos--
			return w.tok, len(w.tok) > 0
		}
		if len(w.tok) < maxToken {
			w.tok = append(w.tok, c)
		}
	}
}

// skip consumes a value of any kind and size. Brackets are counted and their
// kinds are not compared.
func (w *window) skip() bool {
	if c := w.next(); c != '{' && c != '[' {
		_, ok := w.text()
		return ok
	}
	depth, inside, escaped := 0, false, false
	for {
		c, ok := w.get()
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

// members consumes an object and calls value for each of its keys, which has
// to consume the value. Anything else than an object is skipped.
func (w *window) members(value func(key string) bool) bool {
	if w.next() != '{' {
		return w.skip()
	}
	w.pos++
	for {
		switch w.next() {
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
		if !w.accept(',') && w.next() != '}' {
			return false
		}
	}
}

// find moves behind the next text that match accepts and reports whether there
// was one. match returns the number of bytes to move, or less than 1; it is
// asked at each lead byte and needs at most reach bytes.
func (w *window) find(lead byte, reach int, match func([]byte) int) bool {
	for {
		b := w.ahead()
		i := bytes.IndexByte(b, lead)
		if i < 0 {
			w.pos = w.end
		} else {
			w.pos += i
		}
		if len(w.ahead()) < reach && w.more() {
			continue
		}
		if i < 0 || w.pos == w.end {
			return false
		}
		if n := match(w.ahead()); n > 0 {
			w.pos += n
			return true
		}
		w.pos++
	}
}
