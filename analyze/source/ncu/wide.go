package ncu

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// errHalf is the error of a text of two-byte units that ends within one.
var errHalf = errors.New("the UTF-16 text ends within a character: it is cut (print the page anew)")

// narrow returns a text as UTF-8. PowerShell's ">" writes UTF-16 after a byte order mark; all else is taken as it is.
// UTF-16 without a mark is not recognised: nothing that prints these pages writes it.
func narrow(in io.Reader) io.Reader {
	r := bufio.NewReaderSize(in, 1<<16)
	mark, _ := r.Peek(2) // an error comes again with the first read
	switch string(mark) {
	case "\xff\xfe":
		return &wide{r: r, order: binary.LittleEndian}
	case "\xfe\xff":
		return &wide{r: r, order: binary.BigEndian}
	}
	return r
}

// wide reads UTF-16 as UTF-8.
type wide struct {
	r     *bufio.Reader
	order binary.ByteOrder
	high  rune // the first half of a pair, or 0
	left  []byte
	err   error
}

func (w *wide) Read(p []byte) (int, error) {
	for len(w.left) < len(p) && w.err == nil {
		w.next()
	}
	n := copy(p, w.left)
	w.left = append(w.left[:0], w.left[n:]...)
	if n == 0 && len(p) > 0 {
		return 0, w.err
	}
	return n, nil
}

// next adds one unit to the bytes that are handed out.
func (w *wide) next() {
	var unit [2]byte
	if _, err := io.ReadFull(w.r, unit[:]); err != nil {
		if w.err = err; errors.Is(err, io.ErrUnexpectedEOF) || err == io.EOF && w.high != 0 {
			w.err = errHalf
		}
		return
	}
	c := rune(w.order.Uint16(unit[:]))
	if high := w.high; high != 0 {
		w.high = 0
		if pair := utf16.DecodeRune(high, c); pair != utf8.RuneError {
			w.left = utf8.AppendRune(w.left, pair)
			return
		}
		w.left = utf8.AppendRune(w.left, utf8.RuneError)
	}
	if c >= 0xd800 && c < 0xdc00 {
		w.high = c
		return
	}
	w.left = utf8.AppendRune(w.left, c)
}
