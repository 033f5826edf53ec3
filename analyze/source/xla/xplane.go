package xla

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"

	"perfdiff/analyze/source/build"
	"perfdiff/analyze/source/wire"
	"perfdiff/analyze/trace"
)

// Fields of the messages of xplane.proto.
const (
	spacePlanes, spaceErrors, spaceHosts                                  = 1, 2, 4
	planeLines, planeEventNames, planeStatNames, planeStats               = 3, 4, 5, 6
	lineID, lineName, lineTime, lineEvents, lineDisplayName               = 1, 2, 3, 4, 11
	eventMetadata, eventOffset, eventDuration, eventStats                 = 1, 2, 3, 4
	statMetadata, statDouble, statUnsigned, statSigned, statText, statRef = 1, 2, 3, 4, 5, 7
	mapKey, mapValue, metadataName, metadataStats                         = 1, 2, 2, 5
)

var errBroken = errors.New("no field of a protocol buffer comes where one should")

// peeked is how much of a plane is looked at for its name.
const peeked = 4 << 10

// readPlanes reads the planes of a file of so many bytes. It skips planes that are not used, such as the compiled
// programs, and holds one of the others in memory at a time.
func (b *builder) readPlanes(ctx context.Context, r io.Reader, size int64) error {
	in := bufio.NewReaderSize(r, 2*peeked)
	at := int64(0)
	for {
		key, n, err := readUvarint(in)
		if err == io.EOF && n == 0 {
			return nil
		}
		length, m, err2 := readUvarint(in)
		at += int64(n + m)
		switch {
		case err != nil || err2 != nil || length > uint64(size-at):
			return fmt.Errorf("truncated: the last plane does not end before the file does (copy it again, or %s)", again)
		case key&7 != wire.Bytes:
			return fmt.Errorf("damaged at byte %d: %w (copy it again, or %s)", at, errBroken, again)
		}
		at += int64(length)
		if err := b.readField(ctx, in, int(key>>3), int64(length)); err != nil {
			return err
		}
	}
}

// readUvarint reads a number and how many bytes it took.
func readUvarint(in *bufio.Reader) (value uint64, n int, err error) {
	for shift := 0; shift < 64; shift += 7 {
		c, err := in.ReadByte()
		if err != nil {
			return 0, n, err
		}
		n++
		if value |= uint64(c&0x7f) << shift; c < 0x80 {
			return value, n, nil
		}
	}
	return 0, n, errBroken
}

// readField reads a field of the whole file.
func (b *builder) readField(ctx context.Context, in *bufio.Reader, number int, length int64) error {
	wanted := number == spaceHosts || number == spaceErrors
	if number == spacePlanes {
		head, _ := in.Peek(int(min(length, peeked)))
		wanted = b.wants(nameOfPlane(head))
	}
	if !wanted {
		_, err := io.CopyN(io.Discard, in, length)
		return err
	}
	if err := build.Fit(ctx, b.room, length); err != nil {
		return err
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(in, text); err != nil {
		return fmt.Errorf("cannot be read: %w", trace.WithoutPath(err))
	}
	switch number {
	case spaceHosts:
		if b.host == "" {
			b.host = trace.Tidy(string(text))
		}
	case spaceErrors:
		b.errors++
	default:
		return b.readPlane(ctx, text)
	}
	return nil
}

// planeWords are the names of a plane's events and stats, by id.
type planeWords struct {
	events byID[eventWord]
	stats  byID[statWord]
}

// eventWord is the name of an event, with the stats that all events of that name have.
type eventWord struct {
	*word
	stats [][]byte
}

// statWord is a kind of stat, and its name, to which values refer as texts.
type statWord struct {
	kind statKind
	name string
}

// byID holds values by ids that count up, and by any others.
type byID[V any] struct {
	few []V
	far map[int64]V
}

// mostFew is the number of ids that have a place of their own.
const mostFew = 1 << 16

func (x *byID[V]) set(id int64, v V) {
	if id < 0 || id >= mostFew {
		if x.far == nil {
			x.far = make(map[int64]V)
		}
		x.far[id] = v
		return
	}
	if more := int(id) + 1 - len(x.few); more > 0 {
		x.few = append(x.few, make([]V, more)...)
	}
	x.few[id] = v
}

func (x *byID[V]) at(id int64) V {
	if uint64(id) < uint64(len(x.few)) {
		return x.few[id]
	}
	return x.far[id]
}

// readPlane reads a plane: first the names of its events, which come after them.
func (b *builder) readPlane(ctx context.Context, text []byte) error {
	var words planeWords
	name := nameOfPlane(text)
	var stats [][]byte
	m := wire.Message{Rest: text}
	for f, ok := m.Next(); ok; f, ok = m.Next() {
		switch {
		case f.Wire != wire.Bytes:
		case f.Number == planeEventNames:
			id, value := mapEntry(f.Bytes)
			name, stats := metadata(value)
			words.events.set(id, eventWord{b.word(name), stats})
		case f.Number == planeStatNames:
			id, value := mapEntry(f.Bytes)
			name, _ := metadata(value)
			words.stats.set(id, statWord{statKinds[name], name})
		case f.Number == planeStats:
			stats = append(stats, f.Bytes)
		}
	}
	if m.Broken {
		return fmt.Errorf("damaged: plane %q: %w (copy it again, or %s)", trace.Tidy(name), errBroken, again)
	}
	p := b.plane(name)
	b.readPlaneStats(p, stats, &words)
	m = wire.Message{Rest: text}
	for f, ok := m.Next(); ok; f, ok = m.Next() {
		if f.Number != planeLines || f.Wire != wire.Bytes {
			continue
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := b.readLine(ctx, p, f.Bytes, &words); err != nil {
			return fmt.Errorf("damaged: plane %q: %w (copy it again, or %s)", trace.Tidy(name), err, again)
		}
	}
	return nil
}

// mapEntry returns the key and the value of an entry of a map.
func mapEntry(entry []byte) (id int64, value []byte) {
	m := wire.Message{Rest: entry}
	for f, ok := m.Next(); ok; f, ok = m.Next() {
		switch f.Number {
		case mapKey:
			id = int64(f.Value)
		case mapValue:
			value = f.Bytes
		}
	}
	return id, value
}

// metadata returns the name in the metadata of an event or a stat, and the stats of an event's.
func metadata(text []byte) (name string, stats [][]byte) {
	m := wire.Message{Rest: text}
	for f, ok := m.Next(); ok; f, ok = m.Next() {
		switch {
		case f.Number == metadataName && f.Wire == wire.Bytes:
			name = string(f.Bytes)
		case f.Number == metadataStats && f.Wire == wire.Bytes:
			stats = append(stats, f.Bytes)
		}
	}
	return name, stats
}

// readPlaneStats reads what a plane says about its device or the capture.
func (b *builder) readPlaneStats(p *plane, stats [][]byte, words *planeWords) {
	for _, s := range stats {
		kind, value := statOf(s, words)
		switch kind {
		case statGPUName:
			p.Name = trace.Tidy(value.text)
		case statMemorySize:
			p.Memory = value.number
		case statProfileStart:
			b.began = value.number
		}
	}
}

// readLine reads the events of a line.
func (b *builder) readLine(ctx context.Context, p *plane, text []byte, words *planeWords) error {
	var id, at int64
	var name, display string
	events := 0
	m := wire.Message{Rest: text}
	for f, ok := m.Next(); ok; f, ok = m.Next() {
		switch f.Number {
		case lineID:
			id = int64(f.Value)
		case lineName:
			name = string(f.Bytes)
		case lineDisplayName:
			display = string(f.Bytes)
		case lineTime:
			at = int64(f.Value)
		case lineEvents:
			events++
		}
	}
	if m.Broken {
		return errBroken
	}
	if display != "" {
		name = display
	}
	l := b.line(p, id, name)
	if l.kind == lineOther {
		return nil
	}
	if err := build.Fit(ctx, b.room, int64(events)*build.SpanBytes); err != nil {
		return err
	}
	m = wire.Message{Rest: text}
	var e event
	for f, ok := m.Next(); ok; f, ok = m.Next() {
		if f.Number != lineEvents || f.Wire != wire.Bytes {
			continue
		}
		if events--; events&(1<<16-1) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if !e.read(f.Bytes, at, words) {
			return errBroken
		}
		b.add(l, &e)
	}
	return nil
}

// read reads an event of a line that began at a time, in ns.
func (e *event) read(text []byte, at int64, words *planeWords) bool {
	*e = event{}
	var id int64
	var offset, duration int64 // ps
	m := wire.Message{Rest: text}
	for f, ok := m.Next(); ok; f, ok = m.Next() {
		switch f.Number {
		case eventMetadata:
			id = int64(f.Value)
		case eventOffset:
			offset = int64(f.Value)
		case eventDuration:
			duration = int64(f.Value)
		case eventStats:
			e.stat(statOf(f.Bytes, words))
		}
	}
	named := words.events.at(id)
	e.word = named.word
	for _, s := range named.stats {
		e.stat(statOf(s, words))
	}
	e.timeless = duration < 0 || duration > maxPicos || offset > maxPicos || offset < -maxPicos ||
		at < -build.MaxTime || at > build.MaxTime
	if !e.timeless {
		e.start, e.end = at+nanos(offset), at+nanos(offset+duration)
	}
	return !m.Broken
}

// maxPicos limits times in ps, so that no difference of two overflows: 26 days.
const maxPicos int64 = 1 << 61

// nanos returns picoseconds within maxPicos in ns, rounded to the nearest.
func nanos(ps int64) int64 {
	if ps < 0 {
		return -nanos(-ps)
	}
	return (ps + 500) / 1000
}

// statOf reads a stat: what it is, and its value as a number and as a text where it has one.
func statOf(text []byte, words *planeWords) (kind statKind, value statValue) {
	m := wire.Message{Rest: text}
	for f, ok := m.Next(); ok; f, ok = m.Next() {
		switch f.Number {
		case statMetadata:
			if kind = words.stats.at(int64(f.Value)).kind; kind == statOther {
				return kind, value
			}
		case statUnsigned, statSigned:
			value.number = int64(f.Value)
		case statText:
			value.text = string(f.Bytes)
			value.number, _ = strconv.ParseInt(value.text, 10, 64)
		case statRef:
			value.text = words.stats.at(int64(f.Value)).name
		}
	}
	return kind, value
}
