package picture

import (
	"perfdiff/analyze/order"
	"perfdiff/analyze/run"
)

// longest says of lengths, in the order in which bars stand, which ones are among the longest: of
// equal ones the first.
type longest struct {
	least int64 // of them
	equal int   // how many of that length are among them, and were not asked for yet
}

// longestOf returns the n longest of more lengths, which it moves.
func longestOf(lengths []int64, n int) longest {
	out := longest{order.Select(lengths, len(lengths)-n), n}
	for _, length := range lengths {
		if length > out.least {
			out.equal--
		}
	}
	return out
}

// has reports whether the next length is among them.
func (l *longest) has(length int64) bool {
	if length != l.least {
		return length > l.least
	}
	l.equal--
	return l.equal >= 0
}

// Trim returns a strip with its longest bars, at most so many, like a painter with that limit.
func Trim(s run.Strip, bars int) run.Strip {
	var c barChooser
	return c.longest(s, bars)
}

// barChooser chooses the longest bars of strips, one strip after the other in the same memory.
type barChooser struct {
	lengths []int64
	newName []int32 // 1 + that of a name among those that are needed
}

// longest returns a strip with its n longest bars, of equal ones the first, and with the names that
// they need.
func (c *barChooser) longest(s run.Strip, n int) run.Strip {
	if len(s.Spans) < n || len(s.Spans) == n && s.Omitted == 0 {
		return s
	}
	c.lengths = c.lengths[:0]
	for _, x := range s.Spans {
		c.lengths = append(c.lengths, x.End-x.Start)
	}
	stay := longestOf(c.lengths, n)
	out := run.Strip{Rank: s.Rank, Length: s.Length, Tracks: s.Tracks, Omitted: s.Omitted + len(s.Spans) - n, Spans: make([]run.StripSpan, 0, n)}
	if cap(c.newName) < len(s.Names) {
		c.newName = make([]int32, len(s.Names))
	}
	place := c.newName[:len(s.Names)]
	clear(place)
	for _, x := range s.Spans {
		if !stay.has(x.End - x.Start) {
			continue
		}
		if place[x.Name] == 0 {
			if out.Names == nil {
				out.Names = make([]string, 0, min(n, len(s.Names)))
			}
			out.Names = append(out.Names, s.Names[x.Name])
			place[x.Name] = int32(len(out.Names))
		}
		x.Name = place[x.Name] - 1
		out.Spans = append(out.Spans, x)
	}
	return out
}
