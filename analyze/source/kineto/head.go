package kineto

import (
	"bytes"
	"encoding/binary"
	"strings"

	"perfdiff/analyze/flop"
	"perfdiff/analyze/trace"
)

// eventHead is the text with which events of one kind, name, process and thread begin, up to the value of their time.
// A trace of a million events has a few hundred such heads: the members in a head are read once, and later events are
// recognised by comparing the text.
type eventHead struct {
	kind             kind
	isMarker         bool
	operator         *flop.Operator // nil: its work is not counted
	startsCollective bool
	likelyComm       int8   // of a kernel: 1 yes, -1 no, 0 not asked yet
	text             string // from the first byte of the name up to the value of ts
	timeKeyAt        int    // index in text of the key of ts
	pid, tid         textRange
	args             argumentPlan
	forms            sizedForms
	host             hostFacts
}

// textRange is a part of a text, by its offsets.
type textRange struct{ from, to int }

func (s textRange) of(b []byte) []byte { return b[s.from:s.to] }

// hostFacts holds what the collector found out about events with one head.
type hostFacts struct {
	known      bool // name is set, and for calls and ranges process and thread
	name       trace.NameID
	process    int // its index
	thread     int32
	hostThread *hostThread // of operators and modules; nil: not looked up yet
	hidesInner bool        // likewise: what runs inside it is not kept, see hidesInner
}

// Bounds of what is remembered about a file.
const (
	headSets, headsPerSet = 512, 4
	maxHead               = 1 << 10
	minHeadsTried         = 4096 // from so many on no more are stored if heads are seldom met again
)

// headCache remembers the heads of a file, by hash of their names.
type headCache struct {
	sets         [headSets][headsPerSet]*eventHead
	hits, stored int
}

// bucket returns the place in the cache for heads whose name has the hash of the given one.
func (all *headCache) bucket(b []byte, name textRange) *[headsPerSet]*eventHead {
	n := name.to - name.from
	word := func(i int) uint64 { return binary.LittleEndian.Uint64(b[i:]) }
	hash := word(name.from)
	if n < 8 {
		hash &= 1<<(8*n) - 1
	} else {
		hash = (hash*0x9e3779b97f4a7c15+word(name.to-8))*0x9e3779b97f4a7c15 + word(name.from+(n-8)/2)
	}
	hash = (hash ^ uint64(n)) * 0x9e3779b97f4a7c15
	return &all.sets[hash>>55]
}

// find returns the remembered head of an event whose name is at that place in b; nil if there is
// none.
func (all *headCache) find(b []byte, name textRange, k kind) *eventHead {
	for _, h := range all.bucket(b, name) {
		if h != nil && h.kind == k && len(b)-name.from > len(h.text) && string(b[name.from:name.from+len(h.text)]) == h.text {
			all.hits++
			return h
		}
	}
	return nil
}

// add remembers the head of an event, if nothing but its name, process, thread and time was
// read so far.
func (all *headCache) add(b []byte, e *event) {
	name, value := e.nameAt, cap(b)-cap(e.ts)
	useless := all.stored > minHeadsTried && all.stored > all.hits
	if e.pid == nil || e.tid == nil || e.dur != nil || value-name.from > maxHead || useless {
		return
	}
	relative := func(v []byte) textRange { // v is a part of b
		from := cap(b) - cap(v) - name.from
		return textRange{from, from + len(v)}
	}
	h := &eventHead{kind: e.kind, isMarker: e.isMarker(), operator: e.operator(), startsCollective: e.startsCollective(), text: string(b[name.from:value])}
	h.pid, h.tid = relative(e.pid), relative(e.tid)
	h.timeKeyAt = strings.LastIndex(h.text, `"ts"`)
	all.bucket(b, name)[all.stored%headsPerSet] = h
	all.stored++
	e.head = h
}

// parseHead reads the members "ph", "cat" and "name" if they come first, in the form in which profilers write them. It
// returns the index after what it read, 1 if there is none.
func (e *event) parseHead(b []byte) (i int) {
	if len(b) < 4*maxHead {
		return 1
	}
	at := skipSpace(b, 1)
	if at > maxHead || string(b[at:at+5]) != `"ph":` {
		return 1
	}
	at = skipBlank(b, at+5)
	if b[at] != '"' || b[at+1] == '\\' || b[at+1] == '"' || b[at+2] != '"' || b[at+3] != ',' {
		return 1
	}
	e.ph = b[at+1 : at+2]
	if i = at + 4; !e.isComplete() {
		return i
	}
	cat, next := firstText(b, i, `"cat":`)
	k, known := categoryOf(cat.of(b))
	if next == 0 || !known {
		return i
	}
	e.kind, e.hasCat = k, true
	i = next
	name, next := firstText(b, i, `"name":`)
	if next == 0 || k == kindOther {
		return i
	}
	e.name, e.nameAt = name.of(b), name
	return next
}

// skipBlank returns the index after b[i] if that is a blank, else i.
func skipBlank(b []byte, i int) int {
	if b[i] == ' ' {
		return i + 1
	}
	return i
}

// firstText returns the value of the member at b[i], if it has this key and is a text without an escaped quote, and is
// followed by more members. next is the index after its comma, 0 if it is another member.
func firstText(b []byte, i int, key string) (v textRange, next int) {
	i = skipSpace(b, i)
	if len(b)-i < 2*maxHead || string(b[i:i+len(key)]) != key {
		return v, 0
	}
	if i = skipBlank(b, i+len(key)); b[i] != '"' {
		return v, 0
	}
	n := bytes.IndexByte(b[i+1:i+maxHead], '"')
	if v = (textRange{i + 1, i + 1 + n}); n < 0 || b[v.to-1] == '\\' || b[v.to+1] != ',' {
		return textRange{}, 0
	}
	return v, v.to + 2
}

// parseKnownHead recognises what follows the name, if its head is remembered, and reads time and duration. i is the
// index after the name's comma; the result is the index after what was read.
func (e *event) parseKnownHead(b []byte, i int) int {
	if e.heads == nil {
		return i
	}
	h, from := e.heads.find(b, e.nameAt, e.kind), e.nameAt.from
	if e.head = h; h == nil {
		e.newHead = true
		return i
	}
	e.pid, e.tid = b[from+h.pid.from:from+h.pid.to], b[from+h.tid.from:from+h.tid.to]
	at := from + len(h.text)
	end := 0
	if e.start, end = micros(b, at); end == 0 {
		return from + h.timeKeyAt
	}
	e.ts, e.hasStart = b[at:end], true
	i = skipSpace(b, end+1)
	if len(b)-i < 64 || string(b[i:i+6]) != `"dur":` {
		return i
	}
	at = skipBlank(b, i+6)
	if e.length, end = micros(b, at); end == 0 {
		return i
	}
	e.dur, e.hasLength = b[at:end], true
	return end + 1
}

// micros reads the decimal microseconds at b[i] up to a comma, in ns, exactly as nanoseconds
// does. end is the index of the comma, 0 for any other text.
func micros(b []byte, i int) (ns int64, end int) {
	if len(b)-i < 64 {
		return 0, 0
	}
	from := i
	var us uint64
	for i-from < 16 {
		v, ok := eightDigits(binary.LittleEndian.Uint64(b[i:]))
		if !ok {
			break
		}
		us, i = us*100_000_000+v, i+8
	}
	for ; b[i]-'0' <= 9 && i-from < 17; i++ {
		us = us*10 + uint64(b[i]-'0')
	}
	if i == from || us > maxMicros {
		return 0, 0
	}
	ns = int64(us * 1000)
	if b[i] == '.' {
		scale := int64(100)
		for i++; b[i]-'0' <= 9 && scale > 0; i++ { // more decimals are for others
			ns += int64(b[i]-'0') * scale
			scale /= 10
		}
	}
	if b[i] != ',' {
		return 0, 0
	}
	return ns, i
}

// eightDigits returns the number whose decimal digits are the eight bytes of v, the first digit in
// the lowest byte.
func eightDigits(v uint64) (n uint64, ok bool) {
	const zeros, sixes, high = 0x3030303030303030, 0x0606060606060606, 0xf0f0f0f0f0f0f0f0
	if v&high != zeros || (v+sixes)&high != zeros {
		return 0, false
	}
	v = v & 0x0f0f0f0f0f0f0f0f * (10<<8 + 1) >> 8 // pairs of digits, then four
	v = v & 0x00ff00ff00ff00ff * (100<<16 + 1) >> 16
	return v & 0x0000ffff0000ffff * (10_000<<32 + 1) >> 32, true
}
