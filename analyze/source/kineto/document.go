package kineto

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
)

// Bounds of reading a broken file.
const (
	// maxBreaks is how many broken places are skipped before the rest of the file is given up.
	maxBreaks = 1000
	// maxEvents bounds the memory that a small compressed file can ask for.
	maxEvents = 1 << 26
	// longEvent is the length from which an event is checked for others inside it. A lost quote
	// turns a text into structure and structure into text, so that the braces of later events
	// become part of this one.
	longEvent = 1 << 10
	// resyncReach is how many bytes must be seen to recognise the next whole event.
	resyncReach = 512
)

var (
	errNotTrace = errors.New("neither an object with traceEvents nor an array of events")
	errBroken   = errors.New("too many broken events")
	errTooMany  = errors.New("too many events")
)

// document reads the whole text of a trace file: the members of the header, which stand before
// or after the events, and the events.
type document struct {
	w    *window
	emit func(*event)
	head header

	found       bool             // a list of events was found
	events      int64            // whole events, of any phase
	kept        int64            // those given to emit
	start       int64            // offset of the first event
	lastEnd     int64            // offset behind the last whole event
	breaks      int              // broken places that were skipped
	skipped     int64            // bytes in them
	firstBreak  int64            // offset of the first broken place
	ended       bool             // the text came to the end of the document
	unclosed    bool             // the text is a list without its last bracket
	otherLists  int              // more lists of events behind the first, which are not read
	halfEvents  int64            // events with phase B or E, each a half of one
	unread      map[string]int64 // events of devices of kinds that are not read, by category; nil: none
	endsCleanly bool             // the text ended between two events
	stopped     error            // why reading stopped before the end of the text; nil: it did not
}

// read reads the text. Broken text is no error: d says what was lost.
func (d *document) read() error {
	d.w.byteOrderMark()
	switch d.w.peek() {
	case '[':
		d.found = true
		closed := d.readEvents()
		d.unclosed = !closed && d.endsCleanly
		d.ended = closed || d.endsCleanly // the format lets the last bracket be missing
	case '{':
		d.ended = d.w.members(d.readMember)
		for !d.ended && !d.found && d.stopped == nil && d.w.find('"', len(listKey)+16, listStart) {
			d.found = true // a header that is not JSON hides no events
			d.ended = d.readEvents() && d.readTail()
		}
	default:
		return errNotTrace
	}
	d.readOn()
	return nil
}

// readOn reads what follows the end of the document. In a good file nothing does; in a broken
// one the end was a wrong one, and whole events can follow.
func (d *document) readOn() {
	for d.ended && d.w.peek() != 0 {
		d.ended = d.resync() && (d.readEvents() && d.readTail() || d.endsCleanly)
	}
	switch err := d.w.err; {
	case d.stopped != nil || err == nil || err == io.EOF:
	case !d.ended || err == gzip.ErrChecksum:
		d.ended, d.stopped = false, err
	}
}

// readTail reads the members after the events, up to the brace of the object that holds them.
func (d *document) readTail() bool {
	for d.w.accept(',') {
		key, ok := d.w.text()
		if !ok || !d.w.accept(':') || !d.readMember(string(key)) {
			return false
		}
	}
	return d.w.accept('}')
}

// phaseKey stands once in each event. Inside a text its quotes would be escaped.
var phaseKey = []byte(`"ph"`)

const listKey = `"traceEvents"`

// listStart matches the key of the list of events with its bracket, and returns the index of
// the bracket.
func listStart(b []byte) int {
	if !bytes.HasPrefix(b, []byte(listKey)) {
		return 0
	}
	i := skipSpace(b, len(listKey))
	if i == len(b) || b[i] != ':' {
		return 0
	}
	if i = skipSpace(b, i+1); i == len(b) || b[i] != '[' {
		return 0
	}
	return i
}

// readMember reads the value of one key of the document: the list of events, or a member of the
// header.
func (d *document) readMember(key string) bool {
	if key == "traceEvents" && d.w.peek() == '[' {
		if d.found {
			d.otherLists++
			return d.w.skip()
		}
		d.found = true
		return d.readEvents()
	}
	return d.head.member(d.w, key)
}

// readEvents reads the list of events. It is false if the list does not end properly.
func (d *document) readEvents() bool {
	d.w.accept('[')
	d.start = d.w.offset()
	d.lastEnd = d.start
	e := event{heads: new(headCache)}
	for {
		for d.w.accept(',') {
		}
		switch d.w.peek() {
		case '{':
			if !d.readEvent(&e) {
				return false
			}
		case ']':
			d.w.pos++
			return true
		case 0:
			d.endsCleanly = d.w.err == io.EOF
			return false
		default:
			if !d.skipElement() {
				return false
			}
		}
	}
}

// skipElement skips an element of the list that is no object, or broken text.
func (d *document) skipElement() bool {
	if c := d.w.peek(); c == '"' || c == '[' || c == '-' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' {
		return d.w.skip()
	}
	return d.resync()
}

// countUnread counts an event of a device of a kind that is not read.
func (d *document) countUnread(category string) {
	if d.unread == nil {
		d.unread = make(map[string]int64)
	}
	if len(d.unread) < maxNamesCounted {
		d.unread[category]++
	}
}

// readEvent reads one event, which begins at the window's position.
func (d *document) readEvent(e *event) bool {
	if len(d.w.unread()) < lowWater {
		d.w.fill()
	}
	n, err := e.parse(d.w.unread())
	for err == errShort && d.w.fill() {
		n, err = e.parse(d.w.unread())
	}
	if err != nil || n > longEvent && bytes.Count(d.w.unread()[:n], phaseKey) > 1 {
		return d.resync()
	}
	if e.ph != nil {
		d.events++
		if string(e.ph) == "B" || string(e.ph) == "E" {
			d.halfEvents++
		}
	}
	if e.unread != nil && (e.ph == nil || e.isComplete()) { // of what is skipped by its category nothing more is known
		d.countUnread(string(e.unread))
	}
	if e.matters {
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

// resync skips a broken event, or one larger than the window, up to the next whole event or the
// end of the list. It is false if neither follows.
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
		d.firstBreak = from
	}
	d.breaks++
	d.skipped += d.w.offset() - from
	d.lastEnd = d.w.offset()
	return true
}

// eventBorder matches the end of an event that is followed by another event, or by the end of
// the list. It recognises these by the keys that events and documents have.
func eventBorder(b []byte) int {
	i := skipSpace(b, 1)
	if i == len(b) {
		return 0
	}
	switch b[i] {
	case ',':
		if j := skipSpace(b, i+1); j < len(b) && b[j] == '{' && startsKey(b, j+1, eventKeys) {
			return j
		}
	case ']':
		if j := skipSpace(b, i+1); j < len(b) && b[j] == ',' && startsKey(b, j+1, tailKeys) {
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
	i = skipSpace(b, i)
	for _, k := range keys {
		if bytes.HasPrefix(b[i:], []byte(k)) {
			return true
		}
	}
	return false
}

// byteOrderMark skips the mark of UTF-8.
func (w *window) byteOrderMark() {
	if w.peek() == 0xef && bytes.HasPrefix(w.unread(), []byte("\xef\xbb\xbf")) {
		w.pos += 3
	}
}
