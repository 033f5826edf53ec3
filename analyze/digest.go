package analyze

import (
	"fmt"
	"hash/crc64"
	"math"
	"os"

	"perfdiff/analyze/trace"
)

// tellsRuns is how many bits the times of a log must hold to tell it from those of another run of the job: with 16, one
// pair in 65 000 is equal by chance. Chosen, not measured.
const tellsRuns = 16

// digestLogged returns a digest of the steps of a log, which is the same where a column was added. Where so few
// different times are in it that two runs may well have the same, as with whole seconds, its text counts.
func digestLogged(l *trace.Logged) string {
	var m mixer
	var times, changes []int64
	for i, s := range l.Steps {
		m.add(s.Number, s.Time)
		times = append(times, s.Time)
		if i > 0 {
			changes = append(changes, s.Time-l.Steps[i-1].Time)
		}
	}
	if min(chanceBits(times), chanceBits(changes)) < tellsRuns {
		m.add(int64(l.Text))
	}
	return fmt.Sprintf("%016x", uint64(m))
}

// chanceBits returns how unlikely it is, as a negative binary logarithm, that values drawn like these are equal to them
// one by one: their number times the entropy of Rényi of order 2.
func chanceBits(values []int64) float64 {
	count, sum := map[int64]float64{}, 0.0
	for _, v := range values {
		count[v]++
	}
	for _, n := range count {
		sum += float64(n * n) // whole numbers, in any order the same sum
	}
	n := float64(len(values))
	return n * math.Log2(n*n/sum)
}

// fingerprint computes a digest of what a trace holds: the times, sizes and names of its activity, whatever exported
// it and in whatever order. It recognises a capture that was given twice, also as two exports of one report; a
// checksum of the files would not, and would take as long as reading them. It is no protection against someone who
// wants two captures to look alike. It is "" for a trace without activity, since two such traces look alike without
// being the same.
type fingerprint struct {
	mixer
	t     *trace.Trace
	names []uint64 // hash of each name, by id; 0: not computed yet
	spans int
}

func newFingerprint(t *trace.Trace) *fingerprint {
	return &fingerprint{t: t, names: make([]uint64, t.Names.Len())}
}

// nameHash returns the hash of a name.
func (d *fingerprint) nameHash(id trace.NameID) int64 {
	if d.names[id] == 0 {
		d.names[id] = fnv64a(fnvOffset, d.t.Names.Text(id))
	}
	return int64(d.names[id])
}

// fnv64a continues the hash h with a text (Fowler, Noll and Vo, as in package hash/fnv), without copying the text: a
// capture can have a different name for every range.
func fnv64a(h uint64, text string) uint64 {
	for i := range len(text) {
		h = (h ^ uint64(text[i])) * fnvPrime
	}
	return h
}

// The numbers of the hash by Fowler, Noll and Vo.
const (
	fnvOffset uint64 = 14695981039346656037
	fnvPrime  uint64 = 1099511628211
)

// hashRangeNames computes the hashes of the names of ranges, four at a time: each waits for one
// multiplication a byte, and four wait at once.
func (d *fingerprint) hashRangeNames() {
	var four [4]trace.NameID
	n := 0
	for i := range d.t.Ranges {
		if id := d.t.Ranges[i].Name; d.names[id] == 0 && (n == 0 || id != four[n-1]) {
			if four[n] = id; n == len(four)-1 {
				d.hashFour(&four)
				n = -1
			}
			n++
		}
	}
}

// hashFour computes the hashes of four names.
func (d *fingerprint) hashFour(ids *[4]trace.NameID) {
	text := func(i int) string { return d.t.Names.Text(ids[i]) }
	s0, s1, s2, s3 := text(0), text(1), text(2), text(3)
	both := min(len(s0), len(s1), len(s2), len(s3))
	h0, h1, h2, h3 := fnvOffset, fnvOffset, fnvOffset, fnvOffset
	for i := range both {
		h0, h1 = (h0^uint64(s0[i]))*fnvPrime, (h1^uint64(s1[i]))*fnvPrime
		h2, h3 = (h2^uint64(s2[i]))*fnvPrime, (h3^uint64(s3[i]))*fnvPrime
	}
	d.names[ids[0]], d.names[ids[1]] = fnv64a(h0, s0[both:]), fnv64a(h1, s1[both:])
	d.names[ids[2]], d.names[ids[3]] = fnv64a(h2, s2[both:]), fnv64a(h3, s3[both:])
}

// addSpan adds a span of the device. They come in order of start.
func (d *fingerprint) addSpan(s *trace.Span) {
	bytes := s.Bytes()
	if s.Class == trace.Comm { // numbers of messages depend on the order of reading
		x := d.t.Messages.Of(s)
		bytes = x.Bytes + x.Seq<<32
	}
	d.spans++
	d.mixer = d.mixer.with(s.Start).with(s.End + int64(s.Stream)<<40).with(s.Launch + bytes<<32 + d.nameHash(s.Name))
}

// digest returns the result, once all device spans were added. api and os are the numbers of calls.
func (d *fingerprint) digest(api, os int) string {
	t := d.t
	d.hashRangeNames()
	for i := range t.Ranges {
		d.add(t.Ranges[i].Start, t.Ranges[i].End, d.nameHash(t.Ranges[i].Name))
	}
	if d.spans == 0 {
		for i := range t.API {
			d.add(t.API[i].Start, t.API[i].End())
		}
		for i := range t.Ops {
			d.add(t.Ops[i].Start, t.Ops[i].End, d.nameHash(t.Ops[i].Name))
		}
	}
	for i := range t.Timed {
		d.add(t.Timed[i].Duration, t.Timed[i].Bytes, d.nameHash(t.Timed[i].Name))
	}
	for i := range t.Access {
		d.add(t.Access[i].Start, t.Access[i].End, t.Access[i].Bytes)
	}
	d.add(t.Epoch, int64(d.spans), int64(len(t.Ranges)), int64(api), int64(os))
	return fmt.Sprintf("%016x", uint64(d.mixer))
}

// mixer hashes numbers into 64 bits, with one multiplication for each.
type mixer uint64

func (m *mixer) add(values ...int64) {
	for _, v := range values {
		*m = m.with(v)
	}
}

func (m mixer) with(v int64) mixer {
	m = (m ^ mixer(v)) * 0x9e3779b97f4a7c15
	return m ^ m>>32
}

// combine returns the fingerprint of several fingerprints in the given order.
func combine(digests []string) string {
	h := crc64.New(crc64.MakeTable(crc64.ECMA))
	for _, d := range digests {
		fmt.Fprintln(h, d)
	}
	return fmt.Sprintf("%016x", h.Sum64())
}

// fileStamp identifies the state of a file: its size in bytes, and the time of its last change
// in ns. It is zero for a file that does not exist.
type fileStamp struct{ size, changed int64 }

func stampOf(path string) fileStamp {
	info, err := os.Stat(path)
	if err != nil {
		return fileStamp{}
	}
	return fileStamp{sizeOf(path, info), info.ModTime().UnixNano()}
}
