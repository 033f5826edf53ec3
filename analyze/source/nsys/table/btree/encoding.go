package btree

import (
	"encoding/binary"
	"unicode/utf8"
)

// Encoding is that of the texts of a database, by the number that its header has
// (https://www.sqlite.org/fileformat2.html#enc).
type Encoding uint8

// The encodings that there are.
const (
	UTF8 Encoding = 1 + iota
	UTF16LE
	UTF16BE
)

// decode appends a text in UTF-8 to out. Halves of pairs are put together with whatever
// stands behind them, as SQLite does: the bytes of what is no text stay the same.
func (e Encoding) decode(out, text []byte) []byte {
	var order binary.ByteOrder = binary.LittleEndian
	if e == UTF16BE {
		order = binary.BigEndian
	}
	for ; len(text) > 1; text = text[2:] {
		c := rune(order.Uint16(text))
		if c >= 0xd800 && c < 0xe000 && len(text) > 3 {
			c2 := rune(order.Uint16(text[2:]))
			c, text = c2&0x3ff+c&0x3f<<10+(c&0x3c0+0x40)<<10, text[2:]
		}
		if c < 0xd800 || c >= 0xe000 && c <= utf8.MaxRune {
			out = utf8.AppendRune(out, c)
		} else {
			out = appendOdd(out, c)
		}
	}
	return out
}

// appendOdd appends what is no character, in the form that characters of its size have.
func appendOdd(out []byte, c rune) []byte {
	if c > 0xffff {
		return append(out, byte(0xf0+c>>18&7), byte(0x80+c>>12&0x3f), byte(0x80+c>>6&0x3f), byte(0x80+c&0x3f))
	}
	return append(out, byte(0xe0+c>>12&0xf), byte(0x80+c>>6&0x3f), byte(0x80+c&0x3f))
}
