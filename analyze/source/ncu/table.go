package ncu

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

// maxRow is the largest size of a row, and of a line above the table, in bytes. A header of ten thousand metrics has
// half a megabyte.
const maxRow = 4 << 20

// errTooLong is the cause where a row does not end.
var errTooLong = fmt.Errorf("is longer than %d bytes, or a quotation mark is not closed", maxRow)

// lines reads rows, which may hold line breaks between quotation marks.
type lines struct {
	r    *bufio.Reader
	row  []byte
	at   int // number of the first line of the row
	next int // number of the line behind it
}

// read reads the next row, as text without its line break. It is io.EOF at the end.
func (l *lines) read() (string, error) {
	l.row, l.at = l.row[:0], l.next
	open := false // a quotation mark is not closed
	for {
		part, err := l.r.ReadSlice('\n')
		l.row = append(l.row, part...)
		open = open != (bytes.Count(part, []byte{'"'})%2 == 1)
		if len(l.row) > maxRow {
			return "", errTooLong
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && err != io.EOF:
			return "", err
		case err == io.EOF && len(l.row) == 0:
			return "", io.EOF
		}
		if err == nil {
			l.next++
			if l.row[0] == '"' && open { // a name with a line break; other lines are of the program's own
				continue
			}
		}
		text := strings.TrimRight(string(l.row), "\r\n")
		if l.at == 1 {
			text = strings.TrimPrefix(text, "\ufeff")
		}
		return text, nil
	}
}

// fields returns the fields of a row; ok is false where its quotation marks do not fit together.
func fields(row string) (out []string, ok bool) {
	for {
		var field string
		if strings.HasPrefix(row, `"`) {
			if field, row, ok = quoted(row[1:]); !ok {
				return nil, false
			}
		} else {
			i := strings.IndexByte(row, ',')
			if i < 0 {
				i = len(row)
			}
			field, row = row[:i], row[i:]
		}
		out = append(out, field)
		if row == "" {
			return out, true
		}
		if row[0] != ',' {
			return nil, false
		}
		row = row[1:]
	}
}

// quoted returns a field up to its closing mark, and what follows; two marks are one.
func quoted(s string) (field, rest string, ok bool) {
	i := strings.IndexByte(s, '"')
	if i < 0 {
		return "", "", false
	}
	if !strings.HasPrefix(s[i+1:], `"`) {
		return s[:i], s[i+1:], true
	}
	var b strings.Builder
	for {
		b.WriteString(s[:i])
		s = s[i+1:]
		if !strings.HasPrefix(s, `"`) {
			return b.String(), s, true
		}
		b.WriteByte('"')
		s = s[1:]
		if i = strings.IndexByte(s, '"'); i < 0 {
			return "", "", false
		}
	}
}
