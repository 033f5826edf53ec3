package kineto

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"math"
)

const (
	// maxBreaks is how many broken places are skipped before the rest of a
	// file is given up.
	maxBreaks = 1000
	// maxEvents bounds what a small compressed file can make of memory.
	maxEvents = 1 << 26
	// longEvent is from which length an event is asked whether it swallowed others: a
	// lost quote makes texts of what is none, braces of the events behind it included.
	longEvent = 1 << 10
	// resyncReach is how much text a look for the next whole event needs.
	resyncReach = 512
)

var (
	errNotTrace = errors.New("neither an object with traceEvents nor an array of events")
	errBroken   = errors.New("too many broken events")
	errTooMany  = errors.New("too many events")
)

// document reads the whole of one trace file: the members of the header,
// which stand before or after the events, and the events.
type document struct {
	w    *window
	emit func(*event)
	head header

	found   bool  // there was a list of events
	events  int64 // events read whole, of any phase
	kept    int64 // those given to emit
	start   int64 // offset of the first event
	lastEnd int64 // offset behind the last whole event
	breaks  int   // broken places that were skipped
	skipped int64 // bytes in them
	first   int64 // offset of the first of them
	ended   bool  // the document came to its own end
	open    bool  // it is a list whose last bracket is missing
	others  int   // lists of events behind the first, which are not read
	halves  int64 // events that are the begin or the end of one
	clean   bool  // the text ended behind an event, not in one
	stopped error // why reading stopped before, if not at the end of the text
}

// read never fails on broken text; what was lost is in d.
func (d *document) read() error {
	d.w.byteOrderMark()
	switch d.w.next() {
	case '[':
		d.found = true
		closed := d.list()
		d.open = !closed && d.clean
		d.ended = closed || d.clean // the format lets the last bracket be missing
	case '{':
		d.ended = d.w.members(d.topLevel)
		for !d.ended && !d.found && d.stopped == nil && d.w.find('"', len(listKey)+16, listStart) {
			d.found = true // a header that is not JSON hides no events
			d.ended = d.list() && d.tail()
		}
	default:
		return errNotTrace
	}
	d.finish()
	return nil
}

// finish looks at what follows the document's end, where nothing should: in a
// broken text the end was none, and whole events can follow.
func (d *document) finish() {
	for d.ended && d.w.next() != 0 {
		d.ended = d.resync() && (d.list() && d.tail() || d.clean)
	}
	switch err := d.w.err; {
	case d.stopped != nil || err == nil || err == io.EOF:
	case !d.ended || err == gzip.ErrChecksum:
		d.ended, d.stopped = false, err
	}
}

// tail reads the members behind the events as those of an object whose brace
// has been consumed.
func (d *document) tail() bool {
	for d.w.accept(',') {
		key, ok := d.w.text()
		if !ok || !d.w.accept(':') || !d.topLevel(string(key)) {
			return false
		}
	}
	return d.w.accept('}')
}

// phaseKey is what each event has once; within a text its quotes are escaped.
var phaseKey = []byte(`"ph"`)

const listKey = `"traceEvents"`

// listStart matches the key of the events up to their bracket.
func listStart(b []byte) int {
	if !bytes.HasPrefix(b, []byte(listKey)) {
		return 0
	}
	i := space(b, len(listKey))
	if i == len(b) || b[i] != ':' {
		return 0
	}
	if i = space(b, i+1); i == len(b) || b[i] != '[' {
		return 0
	}
	return i
}

func (d *document) topLevel(key string) bool {
	if key == "traceEvents" && d.w.next() == '[' {
		if d.found {
			d.others++
			return d.w.skip()
		}
		d.found = true
		return d.list()
	}
	return d.head.member(d.w, key)
}

// list reads the events. It reports whether their end was reached.
func (d *document) list() bool {
	d.w.accept('[')
	d.start = d.w.offset()
	d.lastEnd = d.start
	e := event{heads: new(heads)}
	for {
		for d.w.accept(',') {
		}
		switch d.w.next() {
		case '{':
			if !d.one(&e) {
				return false
			}
		case ']':
			d.w.pos++
			return true
		case 0:
			d.clean = d.w.err == io.EOF
			return false
		default:
			if !d.other() {
				return false
			}
		}
	}
}

// other passes over an element that is no object, or over broken text.
func (d *document) other() bool {
	if c := d.w.next(); c == '"' || c == '[' || c == '-' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' {
		return d.w.skip()
	}
	return d.resync()
}

// one reads one event.
func (d *document) one(e *event) bool {
	if len(d.w.ahead()) < lowWater {
		d.w.more()
	}
	n, err := e.parse(d.w.ahead())
	for err == errShort && d.w.more() {
		n, err = e.parse(d.w.ahead())
	}
	if err != nil || n > longEvent && bytes.Count(d.w.ahead()[:n], phaseKey) > 1 {
		return d.resync()
	}
	if e.ph != nil {
		d.events++
		if string(e.ph) == "B" || string(e.ph) == "E" {
			d.halves++
		}
	}
	if e.want {
		if d.kept++; d.kept > maxEvents {
			d.stopped = errTooMany
			return false
		}
		d.emit(e)
	}
	d.w.pos += n
	d.lastEnd = d.w.offset()
	return true
}

// resync moves from a broken or an oversized event to the next whole one or to
// the end of the list. Where neither follows, the text ends in the event.
func (d *document) resync() bool {
	from := d.w.offset()
	if d.breaks == maxBreaks {
		d.stopped = errBroken
		return false
	}
	d.w.pos++
	if !d.w.find('}', resyncReach, eventBorder) {
		return false
	}
	if d.breaks == 0 {
		d.first = from
	}
	d.breaks++
	d.skipped += d.w.offset() - from
	d.lastEnd = d.w.offset()
	return true
}

// eventBorder matches the end of an event which another event or the end of
// the list follows, by the keys that events and documents have.
func eventBorder(b []byte) int {
	i := space(b, 1)
	if i == len(b) {
		return 0
	}
	switch b[i] {
	case ',':
		if j := space(b, i+1); j < len(b) && b[j] == '{' && startsKey(b, j+1, eventKeys) {
			return j
		}
	case ']':
		if j := space(b, i+1); j < len(b) && b[j] == ',' && startsKey(b, j+1, tailKeys) {
			return i
		}
	}
	return 0
}

var (
	eventKeys = []string{`"ph"`, `"cat"`, `"name"`, `"ts"`, `"pid"`, `"tid"`, `"id"`, `"s"`, `"bp"`, `"dur"`, `"args"`}
	tailKeys  = []string{`"traceName"`, `"displayTimeUnit"`, `"baseTimeNanoseconds"`, `"distributedInfo"`, `"INFO"`,
		`"WARNING"`, `"ERROR"`, `"STATUS"`, `"schemaVersion"`, `"deviceProperties"`}
)

func startsKey(b []byte, i int, keys []string) bool {
	i = space(b, i)
	for _, k := range keys {
		if bytes.HasPrefix(b[i:], []byte(k)) {
			return true
		}
	}
	return false
}

// lost is the share of the text that was not read, where left is the share of
// the file that the source had not given yet. Of a file that was cut, how much
// is missing cannot be known; its broken last event still makes it more than 0.
func (d *document) lost(left float64) float64 {
	total := float64(max(d.w.off+int64(d.w.end), 1))
	gone := float64(d.skipped)
	if !d.ended {
		gone += math.Max(total-float64(d.lastEnd), 1)
	}
	return math.Min(1-float64((1-math.Min(gone/total, 1))*(1-left)), 1)
}

// byteOrderMark skips the mark of UTF-8.
func (w *window) byteOrderMark() {
	if w.next() == 0xef && bytes.HasPrefix(w.ahead(), []byte("\xef\xbb\xbf")) {
		w.pos += 3
	}
}
