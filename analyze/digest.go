package analyze

import (
	"fmt"
	"hash/crc64"
	"hash/fnv"
	"os"

	"perfdiff/analyze/trace"
)

// digest is a fingerprint of what a trace holds: the times, sizes and names of
// its activity, whoever exported it and in whatever order. It recognises a
// capture that was given twice; it is no proof against someone who wants two
// captures to look alike. A checksum of the file would take as long as reading
// its tables, and would not know two exports of one report for the same. "" of a trace
// without any activity: two of these are alike, and still two captures.
func digest(t *trace.Trace) string {
	if len(t.Device)+len(t.Ranges)+len(t.API)+len(t.Ops)+len(t.Access)+len(t.OS) == 0 {
		return ""
	}
	d := newFingerprint(t)
	d.device(t.Device)
	return d.of(len(t.API), len(t.OS))
}

// fingerprint is a digest that is being made.
type fingerprint struct {
	mixer
	t     *trace.Trace
	names []uint64 // by id; 0 not asked
	spans int
}

func newFingerprint(t *trace.Trace) *fingerprint {
	return &fingerprint{t: t, names: make([]uint64, t.Names.Len())}
}

// name is what stands for a name.
func (d *fingerprint) name(id trace.NameID) int64 {
	if d.names[id] == 0 {
		h := fnv.New64a()
		h.Write([]byte(d.t.Names.Text(id)))
		d.names[id] = h.Sum64()
	}
	return int64(d.names[id])
}

// device takes device work, in order of start over all calls.
func (d *fingerprint) device(spans []trace.Span) {
	for i := range spans {
		s, bytes := &spans[i], spans[i].Bytes
		if s.Class == trace.Comm { // numbers of messages depend on the order of reading
			x := d.t.Messages.Of(s)
			bytes = x.Bytes + x.Seq<<32
		}
		d.add(s.Start, s.End+int64(s.Stream)<<40, s.Launch+bytes<<32+d.name(s.Name))
	}
	d.spans += len(spans)
}

// of is the digest, once all device work was taken. Of the calls the numbers are given.
func (d *fingerprint) of(api, os int) string {
	t := d.t
	for i := range t.Ranges {
		d.add(t.Ranges[i].Start, t.Ranges[i].End, d.name(t.Ranges[i].Name))
	}
	if d.spans == 0 {
		for i := range t.API {
			d.add(t.API[i].Start, t.API[i].End)
		}
		for i := range t.Ops {
			d.add(t.Ops[i].Start, t.Ops[i].End, d.name(t.Ops[i].Name))
		}
	}
	for i := range t.Access {
		d.add(t.Access[i].Start, t.Access[i].End, t.Access[i].Bytes)
	}
	d.add(t.Epoch, int64(d.spans), int64(len(t.Ranges)), int64(api), int64(os))
	return fmt.Sprintf("%016x", uint64(d.mixer))
}

// mixer mixes numbers into 64 bits, each step one multiplication.
type mixer uint64

func (m *mixer) add(values ...int64) {
	h := uint64(*m)
	for _, v := range values {
		h = (h ^ uint64(v)) * 0x9e3779b97f4a7c15
		h ^= h >> 32
	}
	*m = mixer(h)
}

// combine is the fingerprint of a set of fingerprints in the order given.
func combine(digests []string) string {
	h := crc64.New(crc64.MakeTable(crc64.ECMA))
	for _, d := range digests {
		fmt.Fprintln(h, d)
	}
	return fmt.Sprintf("%016x", h.Sum64())
}

// stamp tells a file from what it was before: size in bytes and time of the
// last change in nanoseconds, zero for one that is gone.
type stamp struct{ size, changed int64 }

func stampOf(path string) stamp {
	info, err := os.Stat(path)
	if err != nil {
		return stamp{}
	}
	return stamp{size(path, info), info.ModTime().UnixNano()}
}
