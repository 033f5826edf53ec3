package metric

import "perfdiff/analyze/trace"

// stepSums are sums over a step's work on the device that several metrics need. They are made
// at most once for a step, in the memory of the step before.
type stepSums struct {
	made        bool
	copied      []copySumOfDirection // by direction
	collectives []collectiveSum      // in the order in which they first occur
	place       map[trace.NameID]int
}

// copySumOfDirection holds the time, in ns, and the bytes of copies in one direction, "h2d", or of those from or to
// memory of the host that is not pinned: "h2d pageable".
type copySumOfDirection struct {
	direction   string
	time, bytes int64
}

// collectiveSum holds how long the kernels of one collective took and what they sent. Kernels with messages of unknown
// size count neither in bytes nor in sentTime.
type collectiveSum struct {
	name            trace.NameID
	time            int64     // ns, sum of durations
	durations       []float64 // s, in any order
	before          []float64 // scratch: gaps that end with a kernel
	bytes, sentTime float64   // B, s
	bus, busTime    float64   // bytes times factor, and the time of those kernels whose factor is known
}

// workSums returns the sums of a step; they are made at the first call.
func (s *Step) workSums() *stepSums {
	x := &s.sums
	if x.made {
		return x
	}
	x.made, x.copied, x.collectives = true, x.copied[:0], x.collectives[:0]
	clear(x.place)
	for _, sp := range s.copied {
		name := sp.Copy.String()
		x.direction(name).add(sp)
		if host := sp.Copy.Host(); host == trace.HostPageable || host == trace.HostManaged {
			x.direction(name + " " + host.String()).add(sp)
		}
	}
	for _, sp := range s.comms {
		x.collective(s.Trace.Messages.Coll(sp)).add(s, sp)
	}
	return x
}

func (c *copySumOfDirection) add(sp *trace.Span) {
	c.time += sp.End - sp.Start
	c.bytes += sp.Bytes()
}

// direction returns the sum of a direction, or of its copies with one kind of the host's memory. There are six
// directions.
func (x *stepSums) direction(name string) *copySumOfDirection {
	for i := range x.copied {
		if x.copied[i].direction == name {
			return &x.copied[i]
		}
	}
	x.copied = append(x.copied, copySumOfDirection{direction: name})
	return &x.copied[len(x.copied)-1]
}

// collective returns the sum of a collective.
func (x *stepSums) collective(name trace.NameID) *collectiveSum {
	if n := len(x.collectives); n > 0 && x.collectives[n-1].name == name {
		return &x.collectives[n-1]
	}
	at, ok := x.place[name]
	if !ok {
		if at = len(x.collectives); at < cap(x.collectives) {
			x.collectives = x.collectives[:at+1]
		} else {
			x.collectives = append(x.collectives, collectiveSum{})
		}
		used := x.collectives[at]
		x.collectives[at] = collectiveSum{name: name, durations: used.durations[:0], before: used.before[:0]}
		if x.place == nil {
			x.place = map[trace.NameID]int{}
		}
		x.place[name] = at
	}
	return &x.collectives[at]
}

// add counts a kernel of a step.
func (c *collectiveSum) add(s *Step, sp *trace.Span) {
	took := seconds(sp.End - sp.Start)
	c.time += sp.End - sp.Start
	c.durations = append(c.durations, took)
	m := s.Trace.Messages.Of(sp)
	if m.Bytes == 0 {
		return
	}
	bytes := float64(m.Bytes)
	c.bytes += bytes
	c.sentTime += took
	if f := trace.BusFactor(s.Trace.Names.Text(m.Coll), m.Ranks); f > 0 {
		c.bus += float64(bytes * f)
		c.busTime += took
	}
}
