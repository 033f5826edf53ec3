package picture

import (
	"encoding/binary"
	"slices"

	"perfdiff/analyze/run"
)

// Cut is a strip that may become a part of an excerpt. Each rank proposes some of its steps, and one that all propose
// is chosen. Until the others are dropped, the cuts of all ranks are in memory together with the captures that are
// read: so a bar takes some ten bytes and not the 40 of run.StripSpan.
type Cut struct {
	Step    int64
	Rank    int
	length  int64
	omitted int
	names   []string
	tracks  []run.Track
	bars    []byte // one after the other, as numbers of few bytes
	count   int
}

// lanes is the factor by which the numbers of names and lanes are joined.
const lanes = int64(run.LaneRange) + 1

// CutOf holds a strip of a step, whose communication is not split yet.
func CutOf(s *run.Strip, step int64) Cut {
	c := Cut{Step: step, Rank: s.Rank, length: s.Length, omitted: s.Omitted, names: s.Names, tracks: s.Tracks, count: len(s.Spans)}
	before := int64(0)
	var b []byte
	for _, x := range s.Spans {
		b = binary.AppendVarint(b, x.Start-before)
		b = binary.AppendUvarint(b, uint64(x.End-x.Start))
		b = binary.AppendUvarint(b, uint64(x.Ahead))
		b = binary.AppendUvarint(b, uint64(int64(x.Name)*lanes+int64(x.Lane)))
		b = binary.AppendUvarint(b, uint64(x.Track))
		before = x.Start
	}
	c.bars = slices.Clip(slices.Clone(b))
	return c
}

// Strip returns the strip that the cut holds, whose bars are the caller's.
func (c *Cut) Strip() run.Strip {
	out := run.Strip{Rank: c.Rank, Length: c.length, Omitted: c.omitted, Names: c.names, Tracks: c.tracks}
	b := c.bars
	next := func() int64 {
		v, n := binary.Uvarint(b)
		b = b[n:]
		return int64(v)
	}
	if c.count > 0 {
		out.Spans = make([]run.StripSpan, 0, c.count)
	}
	start := int64(0)
	for range c.count {
		by, n := binary.Varint(b)
		b, start = b[n:], start+by
		x := run.StripSpan{Start: start, End: start + next(), Ahead: next()}
		joined := next()
		x.Name, x.Lane, x.Track = int32(joined/lanes), run.Lane(joined%lanes), int16(next())
		out.Spans = append(out.Spans, x)
	}
	return out
}
