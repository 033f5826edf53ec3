package kineto

import (
	"bytes"
	"encoding/binary"
	"strings"

	"perfdiff/analyze/trace"
)

// head is how events of one kind, name, process and thread begin, up to the value of
// their time. A trace of a million events has some hundred: what the members in it say
// is read once, and known of the others by comparing the text.
type head struct {
	kind     kind
	marker   bool
	text     string // from the first byte of the name to the value of ts
	key      int    // where the key of ts is in it
	pid, tid stretch
	args     plan
	host     hostFacts
}

// stretch is a part of a text.
type stretch struct{ from, to int }

func (s stretch) of(b []byte) []byte { return b[s.from:s.to] }

// hostFacts are what the collector makes of a head.
type hostFacts struct {
	known   bool // the name, and of calls and ranges what follows
	name    trace.NameID
	process int // its index
	thread  int32
	on      *hostThread // of operators and modules, nil while it is not known
	calls   bool        // likewise: it hides what runs within it
}

// Bounds of what is remembered of a file: heads that do not come again are no use.
const (
	headSets, headWays = 512, 4
	longestHead        = 1 << 10
	fewHeads           = 4096
)

// heads are the heads of a file, by their names.
type heads struct {
	sets        [headSets][headWays]*head
	found, kept int
}

// at is the place of a name in b.
func (all *heads) at(b []byte, name stretch) *[headWays]*head {
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

// find is the head of the event whose name is there, nil for one that is not known.
func (all *heads) find(b []byte, name stretch, k kind) *head {
	for _, h := range all.at(b, name) {
		if h != nil && h.kind == k && len(b)-name.from > len(h.text) && string(b[name.from:name.from+len(h.text)]) == h.text {
			all.found++
			return h
		}
	}
	return nil
}

// add remembers the head of an event of which name, process, thread and time were read,
// and nothing else.
func (all *heads) add(b []byte, e *event) {
	name, value := e.named, cap(b)-cap(e.ts)
	useless := all.kept > fewHeads && all.kept > all.found
	if e.pid == nil || e.tid == nil || e.dur != nil || value-name.from > longestHead || useless {
		return
	}
	relative := func(v []byte) stretch { // v is a part of b
		from := cap(b) - cap(v) - name.from
		return stretch{from, from + len(v)}
	}
	h := &head{kind: e.kind, marker: e.marker(), text: string(b[name.from:value])}
	h.pid, h.tid = relative(e.pid), relative(e.tid)
	h.key = strings.LastIndex(h.text, `"ts"`)
	all.at(b, name)[all.kept%headWays] = h
	all.kept++
	e.head = h
}

// begin reads the members that profilers write first, in the form in which they write
// them: "ph", "cat" and "name", and for a head that is known all up to the times. It
// returns the index behind those that it read, which is 1 where there are none.
func (e *event) begin(b []byte) (i int) {
	if len(b) < 4*longestHead {
		return 1
	}
	at := space(b, 1)
	if at > longestHead || string(b[at:at+5]) != `"ph":` {
		return 1
	}
	at = optional(b, at+5)
	if b[at] != '"' || b[at+1] == '\\' || b[at+1] == '"' || b[at+2] != '"' || b[at+3] != ',' {
		return 1
	}
	e.ph = b[at+1 : at+2]
	if i = at + 4; !e.complete() {
		return i
	}
	cat, next := firstText(b, i, `"cat":`)
	k, known := categoryOf(string(cat.of(b)))
	if next == 0 || !known {
		return i
	}
	e.kind, e.hasCat = k, true
	i = next
	name, next := firstText(b, i, `"name":`)
	if next == 0 || k == kindOther {
		return i
	}
	e.name, e.named = name.of(b), name
	return next
}

// optional passes over a blank.
func optional(b []byte, i int) int {
	if b[i] == ' ' {
		return i + 1
	}
	return i
}

// firstText is the value of the member at b[i] if its key is that one, its value a text
// without escapes of quotes, and more follows; next is 0 else.
func firstText(b []byte, i int, key string) (v stretch, next int) {
	i = space(b, i)
	if len(b)-i < 2*longestHead || string(b[i:i+len(key)]) != key {
		return v, 0
	}
	if i = optional(b, i+len(key)); b[i] != '"' {
		return v, 0
	}
	n := bytes.IndexByte(b[i+1:i+longestHead], '"')
	if v = (stretch{i + 1, i + 1 + n}); n < 0 || b[v.to-1] == '\\' || b[v.to+1] != ',' {
		return stretch{}, 0
	}
	return v, v.to + 2
}

// proceed reads what follows on a name that begin has read, as far as the head is known:
// i is the index behind the name's comma, and what is returned that behind what was read.
func (e *event) proceed(b []byte, i int) int {
	if e.heads == nil {
		return i
	}
	h, from := e.heads.find(b, e.named, e.kind), e.named.from
	if e.head = h; h == nil {
		e.fresh = true
		return i
	}
	e.pid, e.tid = b[from+h.pid.from:from+h.pid.to], b[from+h.tid.from:from+h.tid.to]
	at := from + len(h.text)
	end := 0
	if e.start, end = micros(b, at); end == 0 {
		return from + h.key
	}
	e.ts, e.started = b[at:end], true
	i = space(b, end+1)
	if len(b)-i < 64 || string(b[i:i+6]) != `"dur":` {
		return i
	}
	at = optional(b, i+6)
	if e.length, end = micros(b, at); end == 0 {
		return i
	}
	e.dur, e.lasted = b[at:end], true
	return end + 1
}

// micros reads the decimal microseconds at b[i] as nanoseconds does, where a comma
// follows; end is 0 for any other text.
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

// eightDigits is the number whose decimal digits are the bytes of v, the first the lowest.
func eightDigits(v uint64) (n uint64, ok bool) {
	const zeros, sixes, high = 0x3030303030303030, 0x0606060606060606, 0xf0f0f0f0f0f0f0f0
	if v&high != zeros || (v+sixes)&high != zeros {
		return 0, false
	}
	v = v & 0x0f0f0f0f0f0f0f0f * (10<<8 + 1) >> 8 // pairs of digits, then four
	v = v & 0x00ff00ff00ff00ff * (100<<16 + 1) >> 16
	return v & 0x0000ffff0000ffff * (10_000<<32 + 1) >> 32, true
}
