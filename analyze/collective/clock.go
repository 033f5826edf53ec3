package collective

import (
	"cmp"
	"math"
	"slices"
)

// Clocks is how the clocks of hosts agree, from the ends of collectives: one ends on
// all its ranks at about the same moment (the assumption of JAX-Toolbox and HTA),
// while wall clocks of nodes agree to milliseconds only.
type Clocks struct {
	Hosts    []HostClock // in order of name
	Apart    []string    // hosts, in order, of which only the wall clock is known
	Residual int64       // ns: median distance of an end from the others' once clocks are aligned
	// HostResidual is that distance between ranks of one host, whose clock they
	// share; 0 also where no host has several.
	HostResidual int64
	Used         int // collectives that it stands on; 0: clocks are not aligned
	Matched      int // kernels that were matched with all others of their collective
	Kernels      int // communication kernels in all
	PointToPoint int // point-to-point kernels without their peer's
	Unsplit      int // kernels that were matched, and of which waiting cannot be told from transfer
}

// HostClock is the clock of one host. Ranks of a host share a clock and are kept
// rigid.
type HostClock struct {
	Host   string
	Offset int64   // ns that it is ahead of the median host, in the middle of the run
	Drift  float64 // ns a second by which it gets ahead; 0 where the run is too short to tell
}

// The least that clocks are aligned on, and a drift is fitted to. Chosen, not measured: a
// median takes three, and a line a second and more of them.
const (
	leastEnds  = 3
	driftEnds  = 10
	driftSpan  = 1e9     // ns
	mostPoints = 200     // of the fit, evenly taken
	mostEnds   = 1 << 17 // of a residual, evenly taken
)

// aligned is what arrivals are judged by.
type aligned struct {
	clock  []HostClock // by host
	known  []bool      // by host: it is aligned with the others
	center int64       // ns, of the drift
	inside []int64     // by host: how far arrivals there must be apart to be told apart
	across int64       // likewise of aligned hosts
}

// never is what arrivals whose clocks are not aligned must be apart.
const never = math.MaxInt64

// certain is how many residuals moments must be apart to be told apart.
const certain = 3

// setHosts numbers the hosts.
func (m *matcher) setHosts(hosts []string) {
	if hosts == nil {
		return
	}
	m.hosts = slices.Compact(sorted(hosts))
	m.host = make([]int, len(hosts))
	for i, h := range hosts {
		m.host[i], _ = slices.BinarySearch(m.hosts, h)
	}
	m.last, m.first = make([]int64, len(m.hosts)), make([]int64, len(m.hosts))
}

// apart is by how much the arrivals of two ranks must differ to be told apart.
func (m *matcher) apart(a, b int32) int64 {
	if m.host == nil {
		return never
	}
	c := &m.clocks
	switch x, y := m.host[a], m.host[b]; {
	case x == y:
		return c.inside[x]
	case c.known[x] && c.known[y]:
		return c.across
	}
	return never
}

// seenEnds are the ends of a collective.
type seenEnds struct {
	group
	at int64 // ns, the middle of all hosts' middles
}

// align finds each host's offset and drift, and what remains. Only collectives
// that all ranks end at once are used and, where there are several hosts, only those
// that run on more than one say how these agree.
func (m *matcher) align(c *Clocks) {
	if m.host == nil {
		return
	}
	var used []seenEnds
	var inside []int64
	points := make([][]point, len(m.hosts))
	f := finder{m: m, ends: make([][]int64, len(m.hosts)), middle: make([]int64, len(m.hosts))}
	shared := 0 // collectives of which a host has several ranks
	for _, g := range m.groups {
		if g.way != together || !f.find(g) {
			continue
		}
		before := len(inside)
		inside = f.distances(inside)
		if len(inside) > before {
			shared++
		}
		if len(f.hosts) == 1 && len(m.hosts) > 1 {
			continue
		}
		used = append(used, seenEnds{g, f.at})
		for _, h := range f.hosts {
			points[h] = append(points[h], point{f.at, f.middle[h] - f.at})
		}
	}
	m.clocks = aligned{clock: make([]HostClock, len(m.hosts)), known: make([]bool, len(m.hosts)), inside: make([]int64, len(m.hosts)), across: never}
	if shared >= leastEnds {
		c.HostResidual = middle(thinned(inside))
	}
	for h, name := range m.hosts {
		switch m.clocks.inside[h] = clockSlack; {
		case shared >= leastEnds:
			m.clocks.inside[h] = certain * c.HostResidual
		case name == "":
			m.clocks.inside[h] = never // not known to be one host
		}
	}
	if len(used) >= leastEnds {
		m.fit(c, used, points)
	}
	for h, name := range m.hosts {
		if !m.clocks.known[h] {
			c.Apart = append(c.Apart, name)
		}
	}
}

// finder finds the ends of a collective by host.
type finder struct {
	m      *matcher
	hosts  []int // those of the collective, in order
	ends   [][]int64
	middle []int64 // of the ends, by host
	at     int64
	all    []int64
}

// find is false if a rank's wall clock is not known.
func (f *finder) find(g group) bool {
	for _, h := range f.hosts {
		f.ends[h] = f.ends[h][:0]
	}
	f.hosts, f.all = f.hosts[:0], f.all[:0]
	for _, x := range f.m.members[g.from:g.to] {
		s, h := f.m.span(x), f.m.host[x.rank]
		if s.UTC == 0 {
			return false
		}
		if len(f.ends[h]) == 0 {
			f.hosts = append(f.hosts, h)
		}
		f.ends[h] = append(f.ends[h], s.UTC)
	}
	for _, h := range f.hosts {
		f.middle[h] = middle(f.ends[h])
		f.all = append(f.all, f.middle[h])
	}
	f.at = middle(f.all)
	return true
}

// distances adds how far the ends on each host are from the middle one; of two, from
// each other, since one of them is the middle.
func (f *finder) distances(to []int64) []int64 {
	for _, h := range f.hosts {
		switch ends := f.ends[h]; {
		case len(ends) == 2:
			to = append(to, distance(ends[0], ends[1]))
		case len(ends) > 2:
			for _, end := range ends {
				to = append(to, distance(end, f.middle[h]))
			}
		}
	}
	return to
}

// point is where a host's clock was once.
type point struct{ at, away int64 }

// fit finds the offset and drift of hosts with enough points, and the residual.
func (m *matcher) fit(c *Clocks, used []seenEnds, points [][]point) {
	from, to := used[0].at, used[0].at
	for i := range used {
		from, to = min(from, used[i].at), max(to, used[i].at)
	}
	k := &m.clocks
	k.center = from + (to-from)/2
	for h, p := range points {
		if len(p) < leastEnds {
			continue
		}
		away := make([]int64, len(p))
		for i := range p {
			away[i] = p[i].away
		}
		k.clock[h], k.known[h] = HostClock{Host: m.hosts[h], Offset: middle(away)}, true
		if len(p) >= driftEnds && to-from >= driftSpan {
			k.clock[h].Drift = slope(p, k.center)
		}
		c.Hosts = append(c.Hosts, k.clock[h])
	}
	c.Used = len(used)
	if len(m.hosts) == 1 {
		c.Residual = c.HostResidual
		return
	}
	var left []int64
	for i := range used {
		all := m.members[used[i].from:used[i].to]
		if len(all) == 2 {
			left = append(left, distance(m.end(all[0]), m.end(all[1])))
			continue
		}
		for _, x := range all {
			left = append(left, distance(m.end(x), used[i].at))
		}
	}
	c.Residual = middle(thinned(left))
	k.across = certain * max(c.Residual, c.HostResidual)
}

// end is when a kernel ended, by the clock of the median host.
func (m *matcher) end(x member) int64 {
	s, k := m.span(x), &m.clocks
	h := &k.clock[m.host[x.rank]]
	return s.UTC - h.Offset - int64(math.Round(h.Drift*float64(s.UTC-k.center)*1e-9))
}

// slope is the median slope between points (Theil and Sen), in ns a second, of at
// most mostPoints.
func slope(p []point, center int64) float64 {
	every := (len(p) + mostPoints - 1) / mostPoints
	var all []float64
	for i := 0; i < len(p); i += every {
		for j := i + every; j < len(p); j += every {
			x, y := float64(float64(p[i].at-center)*1e-9), float64(float64(p[j].at-center)*1e-9)
			if d := y - x; d != 0 {
				all = append(all, float64(p[j].away-p[i].away)/d)
			}
		}
	}
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[len(all)/2]
}

func distance(a, b int64) int64 { return max(a-b, b-a) }

// thinned leaves at most mostEnds, evenly taken.
func thinned(v []int64) []int64 {
	every := (len(v) + mostEnds - 1) / mostEnds
	if every < 2 {
		return v
	}
	out := make([]int64, 0, mostEnds)
	for i := 0; i < len(v); i += every {
		out = append(out, v[i])
	}
	return out
}

// middle is the lower median, 0 of nothing; v is put in order.
func middle(v []int64) int64 {
	if len(v) == 0 {
		return 0
	}
	slices.Sort(v)
	return v[(len(v)-1)/2]
}

func sorted[T cmp.Ordered](v []T) []T {
	v = slices.Clone(v)
	slices.Sort(v)
	return v
}
