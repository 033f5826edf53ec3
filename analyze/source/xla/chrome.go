package xla

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"

	"perfdiff/analyze/source/build"
	"perfdiff/analyze/trace"
)

// chromeEvent is an event of a trace for viewers. Processes are planes, threads their lines, and
// the stats of an event stand as texts in its arguments.
type chromeEvent struct {
	Phase string          `json:"ph"`
	Pid   int64           `json:"pid"`
	Tid   int64           `json:"tid"`
	Start json.Number     `json:"ts"`
	Dur   json.Number     `json:"dur"`
	Name  string          `json:"name"`
	Args  json.RawMessage `json:"args"`
}

// eachArgument hands over the members of an object that is known to be JSON, values as texts.
func eachArgument(object []byte, take func(key, value string)) {
	rest := bytes.TrimLeft(object, " \t\r\n")
	if len(rest) == 0 || rest[0] != '{' {
		return
	}
	rest = rest[1:]
	for {
		var key, value []byte
		rest = bytes.TrimLeft(rest, " \t\r\n,")
		if key, rest = cutValue(rest); len(key) == 0 || key[0] != '"' {
			return
		}
		rest = bytes.TrimLeft(rest, " \t\r\n:")
		value, rest = cutValue(rest)
		take(textOf(key), textOf(value))
	}
}

// cutValue cuts the value of JSON at the beginning of a text, nothing at the end of an object.
func cutValue(text []byte) (value, rest []byte) {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
			if depth == 0 {
				end := min(i+1, len(text))
				return text[:end], text[end:]
			}
		case c == '{' || c == '[':
			depth++
		case (c == '}' || c == ']') && depth > 1:
			depth--
		case (c == '}' || c == ']') && depth == 1:
			return text[:i+1], text[i+1:]
		case depth == 0 && (c == ',' || c == '}' || c == ']' || c == ' ' || c == '\n' || c == '\t' || c == '\r'):
			return text[:i], text[i:]
		}
	}
	return text, nil
}

// textOf returns a value as text, a string without its quotes.
func textOf(value []byte) string {
	if len(value) < 2 || value[0] != '"' {
		return string(value)
	}
	if bytes.IndexByte(value, '\\') < 0 {
		return string(value[1 : len(value)-1])
	}
	var s string
	if json.Unmarshal(value, &s) != nil {
		return ""
	}
	return s
}

// named returns the name in the arguments of an event that names a process or a thread.
func (x *chromeEvent) named() (name string) {
	eachArgument(x.Args, func(key, value string) {
		if key == "name" {
			name = value
		}
	})
	return name
}

// maxEvent limits the bytes of an event, so that none takes more memory: in a real trace they have some hundred.
const maxEvent = 16 << 20

var errLong = errors.New("an event is longer than can be")

// bounded returns so many bytes and then an error, until it is told to return more.
type bounded struct {
	r    io.Reader
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errLong
	}
	n, err := b.r.Read(p[:min(int64(len(p)), b.left)])
	b.left -= int64(n)
	return n, err
}

// capOf are how many events a trace for viewers holds at most: a million, five million since 2025
// (kMaxEvents of xplane_to_trace_events.cc).
var capOf = map[int64]bool{1_000_000: true, 5_000_000: true}

// readTrace reads a trace for viewers. Names of planes and lines stand before the events.
func (b *builder) readTrace(ctx context.Context, r io.Reader, _ int64) error {
	text, end, err := trace.Inflate(bufio.NewReaderSize(r, 1<<16))
	if err != nil {
		return cannotRead(err)
	}
	defer end()
	limit := &bounded{text, maxEvent}
	d := json.NewDecoder(limit)
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return cannotRead(cmpErr(err))
	}
	for d.More() {
		limit.left = maxEvent
		key, err := d.Token()
		if err != nil {
			return cannotRead(err)
		}
		if key == "traceEvents" {
			if err := b.readEvents(ctx, d, limit); err != nil {
				return err
			}
			continue
		}
		var ignored json.RawMessage
		if err := d.Decode(&ignored); err != nil {
			return cannotRead(err)
		}
	}
	_, err = d.Token()
	return cannotRead(err)
}

var errNoObject = errors.New("the text is no object")

func cmpErr(err error) error {
	if err == nil {
		return errNoObject
	}
	return err
}

// cannotRead returns the error about an incomplete trace; nil for none.
func cannotRead(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("truncated: the trace does not end before the file does (copy it again, or %s)", again)
	}
	return fmt.Errorf("cannot be read: %w (copy it again, or %s)", trace.WithoutPath(err), again)
}

// readEvents reads the list of events.
func (b *builder) readEvents(ctx context.Context, d *json.Decoder, limit *bounded) error {
	if t, err := d.Token(); err != nil || t != json.Delim('[') {
		return cannotRead(cmpErr(err))
	}
	planes, lines := make(map[int64]*plane), make(map[[2]int64]*line)
	names := make(map[[2]int64]string)
	complete := int64(0)
	room := int64(0)
	for d.More() {
		limit.left = maxEvent
		var x chromeEvent
		if err := d.Decode(&x); err != nil {
			return cannotRead(err)
		}
		at := [2]int64{x.Pid, x.Tid}
		switch {
		case x.Phase == "M" && x.Name == "process_name":
			name := x.named()
			b.wants(name)
			planes[x.Pid] = b.plane(name)
		case x.Phase == "M" && x.Name == "thread_name":
			names[at] = x.named()
		case x.Phase == "X":
			if complete++; complete*build.SpanBytes > room {
				room += 8 << 20
				if err := build.Fit(ctx, b.room, 8<<20); err != nil {
					return err
				}
			}
			p := planes[x.Pid]
			if p == nil {
				continue
			}
			if lines[at] == nil {
				lines[at] = b.line(p, x.Tid, names[at])
			}
			if lines[at].kind != lineOther {
				e := x.event()
				e.word = b.word(x.Name)
				b.add(lines[at], &e)
			}
		}
	}
	if capOf[complete] {
		b.capped = complete
	}
	_, err := d.Token()
	return cannotRead(err)
}

// event returns the event in the words of both files, without its name.
func (x *chromeEvent) event() (e event) {
	start, ok := micros(x.Start)
	dur, ok2 := micros(x.Dur)
	e.timeless = !ok || !ok2 || dur < 0 || start < -1e12 || start+dur > 1e16
	if !e.timeless {
		e.start, e.end = int64(math.Round(start*1000)), int64(math.Round(float64(start+dur)*1000))
	}
	eachArgument(x.Args, func(key, value string) {
		if kind := statKinds[key]; kind != statOther {
			v := statValue{text: value}
			v.number, _ = strconv.ParseInt(v.text, 10, 64)
			e.stat(kind, v)
		}
	})
	return e
}

// micros returns the microseconds of a number.
func micros(n json.Number) (float64, bool) {
	v, err := strconv.ParseFloat(string(n), 64)
	return v, err == nil
}
