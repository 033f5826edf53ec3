package steplog

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"

	"perfdiff/analyze/trace"
)

// line is one line of a log, or what stands between two carriage returns of one, without colours and without a
// launcher's mark of the rank.
type line struct {
	text string
	rank int // -1: nothing marks it
}

// Limits of what is read: files come from anywhere. Chosen, not measured.
const (
	longestLine = 1 << 20 // bytes; what is behind them in a line is not looked at
	longestText = 8 << 30 // bytes, inflated
)

var errTooLong = errors.New("it inflates to more than 8 GB, which no log of steps does")

// text is the text of a file.
type text struct {
	r     *bufio.Reader
	bytes int64
}

// each calls f with every line, and returns its error or that of reading. A last line without an end is left out: it
// may be cut in the middle of a number.
func (t *text) each(f func(line) error) error {
	for {
		raw, err := t.next()
		parts := strings.Split(string(raw), "\r")
		if err != nil {
			parts = parts[:len(parts)-1]
		}
		for _, part := range parts {
			if l := cleaned(part); l.text != "" {
				if err := f(l); err != nil {
					return err
				}
			}
		}
		switch {
		case err == io.EOF:
			return nil
		case err != nil:
			return err
		case t.bytes > longestText:
			return errTooLong
		}
	}
}

// next returns the next line without its end, cut after longestLine bytes.
func (t *text) next() (out []byte, err error) {
	for {
		part, err := t.r.ReadSlice('\n')
		t.bytes += int64(len(part))
		if room := longestLine - len(out); room > 0 {
			out = append(out, part[:min(len(part), room)]...)
		}
		if err != bufio.ErrBufferFull {
			return bytes.TrimSuffix(out, []byte("\n")), err
		}
	}
}

// escapes are the sequences by which terminals colour text and move the cursor (ECMA-48).
var escapes = expression("\x1b\\[[0-9;?]*[ -/]*[@-~]|\x1b\\][^\x07]*\x07")

// cleaned returns a line without colours and marks.
func cleaned(s string) line {
	l := line{text: s, rank: -1}
	if strings.IndexByte(s, 0x1b) >= 0 {
		l.text = escapes.ReplaceAllString(s, "")
	}
	l.text = strings.TrimLeft(strings.TrimPrefix(l.text, "\ufeff"), " ")
	if l.text == "" || l.text[0] != '[' && (l.text[0] < '0' || l.text[0] > '9') {
		l.text = strings.TrimRight(l.text, " \t")
		return l
	}
	l.rank, l.text = trace.CutRankMark(l.text)
	l.text = strings.TrimSpace(l.text)
	return l
}
