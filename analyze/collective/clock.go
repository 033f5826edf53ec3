package collective

import (
	"cmp"
	"math"
	"slices"

	"perfdiff/analyze/order"
	"perfdiff/analyze/run"
)

// The least data to align clocks, and the most values for a fit. Chosen, not measured: a median takes three, and a
// line a second and more of them.
const (
	minEnds         = 3       // collectives, for an offset
	minDriftEnds    = 10      // collectives, for a drift
	minDriftSpan    = 1e9     // ns, from the first of these to the last
	maxFitPoints    = 200     // points that a drift is fitted to, taken evenly from all
	maxResidualEnds = 1 << 17 // distances that a residual is the median of, taken evenly from all
)

// alignment holds what is known of clocks, to compare the arrivals of ranks.
type alignment struct {
	clock            []run.HostClock // by host
	isAligned        []bool          // by host: its clock is aligned with the others
	center           int64           // ns, the middle of the run, at which drifts are 0
	leastApart       []int64         // ns, by host: what two arrivals on it must differ by to be told apart
	leastApartAcross int64           // ns: the same for arrivals on two aligned hosts
}

// neverApart is the least difference where clocks are not aligned: no two arrivals can be told
// apart.
const neverApart = math.MaxInt64

// residualFactor is how many residuals two moments must differ by to be told apart.
const residualFactor = 3

// setHosts gives each host a number, in order of name.
func (m *matcher) setHosts(hosts []string) {
	if hosts == nil {
		return
	}
	m.hosts = slices.Compact(sortedCopy(hosts))
	m.hostOf = make([]int, len(hosts))
	for i, h := range hosts {
		m.hostOf[i], _ = slices.BinarySearch(m.hosts, h)
	}
	m.last, m.first = make([]int64, len(m.hosts)), make([]int64, len(m.hosts))
}

// leastApart returns by how much the arrivals of ranks a and b must differ, in ns, to be told apart.
func (m *matcher) leastApart(a, b int32) int64 {
	if m.hostOf == nil {
		return neverApart
	}
	c := &m.clocks
	switch x, y := m.hostOf[a], m.hostOf[b]; {
	case x == y:
		return c.leastApart[x]
	case c.isAligned[x] && c.isAligned[y]:
		return c.leastApartAcross
	}
	return neverApart
}

// collectiveEnd is a collective and the moment of its end.
type collectiveEnd struct {
	kernelGroup
	at int64 // ns, median over hosts of the median end on each
}

// align finds the offset and drift of each host's clock, and by how much ends differ afterwards. A collective ends on
// all of its ranks at about the same moment (JAX-Toolbox and HTA assume the same), so the ends of collectives show how
// clocks differ; the wall clocks of nodes alone agree to milliseconds only. It uses only collectives that all ranks
// end at the same time. How hosts agree with each other is learned from collectives on several hosts.
func (m *matcher) align(c *run.Clocks) {
	if m.hostOf == nil {
		return
	}
	var used []collectiveEnd
	var inside []int64
	points := make([][]clockPoint, len(m.hosts))
	f := endFinder{m: m, ends: make([][]int64, len(m.hosts)), middle: make([]int64, len(m.hosts))}
	shared := 0 // collectives of which a host has several ranks
	for _, g := range m.groups {
		if g.dependence != endTogether || !f.find(g) {
			continue
		}
		before := len(inside)
		inside = f.appendDistances(inside)
		if len(inside) > before {
			shared++
		}
		if len(f.hosts) == 1 && len(m.hosts) > 1 {
			continue
		}
		used = append(used, collectiveEnd{g, f.at})
		for _, h := range f.hosts {
			points[h] = append(points[h], clockPoint{f.at, f.middle[h] - f.at})
		}
	}
	m.clocks = alignment{clock: make([]run.HostClock, len(m.hosts)), isAligned: make([]bool, len(m.hosts)), leastApart: make([]int64, len(m.hosts)), leastApartAcross: neverApart}
	if shared >= minEnds {
		c.HostResidual = order.LowerMedian(thinOut(inside))
	}
	for h, name := range m.hosts {
		switch m.clocks.leastApart[h] = clockSlack; {
		case shared >= minEnds:
			m.clocks.leastApart[h] = residualFactor * c.HostResidual
		case name == "":
			m.clocks.leastApart[h] = neverApart // not known to be one host
		}
	}
	if len(used) >= minEnds {
		m.fit(c, used, points)
	}
	for h, name := range m.hosts {
		if !m.clocks.isAligned[h] {
			c.NotAligned = append(c.NotAligned, name)
		}
	}
}

// endFinder finds when a collective ended on each host. It is used again for the next one.
type endFinder struct {
	m     *matcher
	hosts []int // indices of the hosts of the collective, in order
	// ns, by host
	ends   [][]int64
	middle []int64 // ns, by host: the median end
	// ns, the median of these over hosts
	at          int64
	hostMiddles []int64
}

// find looks at one collective. It is false if the wall clock of a rank is not known.
func (f *endFinder) find(g kernelGroup) bool {
	for _, h := range f.hosts {
		f.ends[h] = f.ends[h][:0]
	}
	f.hosts, f.hostMiddles = f.hosts[:0], f.hostMiddles[:0]
	for _, x := range f.m.members[g.from:g.to] {
		s, h := f.m.span(x), f.m.hostOf[x.rank]
		if s.UTC == 0 {
			return false
		}
		if len(f.ends[h]) == 0 {
			f.hosts = append(f.hosts, h)
		}
		f.ends[h] = append(f.ends[h], s.UTC)
	}
	for _, h := range f.hosts {
		slices.Sort(f.ends[h]) // thinOut takes their distances evenly
		f.middle[h] = order.Lower(f.ends[h])
		f.hostMiddles = append(f.hostMiddles, f.middle[h])
	}
	f.at = order.LowerMedian(f.hostMiddles)
	return true
}

// appendDistances appends to a list, for each end, its distance in ns from the median end on its host. If there are
// two ends only the distance between them counts, since one of them is the median.
func (f *endFinder) appendDistances(to []int64) []int64 {
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

// clockPoint is how far a host's clock was ahead of the others at one moment, both in ns.
type clockPoint struct{ at, ahead int64 }

// fit finds the offset and drift of the hosts with enough points, and the residual over all
// hosts.
func (m *matcher) fit(c *run.Clocks, used []collectiveEnd, points [][]clockPoint) {
	from, to := used[0].at, used[0].at
	for i := range used {
		from, to = min(from, used[i].at), max(to, used[i].at)
	}
	k := &m.clocks
	k.center = from + (to-from)/2
	for h, p := range points {
		if len(p) < minEnds {
			continue
		}
		away := make([]int64, len(p))
		for i := range p {
			away[i] = p[i].ahead
		}
		k.clock[h], k.isAligned[h] = run.HostClock{Host: m.hosts[h], Offset: order.LowerMedian(away)}, true
		if len(p) >= minDriftEnds && to-from >= minDriftSpan {
			k.clock[h].Drift = medianSlope(p, k.center)
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
			left = append(left, distance(m.endTime(all[0]), m.endTime(all[1])))
			continue
		}
		for _, x := range all {
			left = append(left, distance(m.endTime(x), used[i].at))
		}
	}
	c.Residual = order.LowerMedian(thinOut(left))
	k.leastApartAcross = residualFactor * max(c.Residual, c.HostResidual)
}

// endTime returns when a kernel ended in ns, by the clock of the median host.
func (m *matcher) endTime(x member) int64 {
	s, k := m.span(x), &m.clocks
	h := &k.clock[m.hostOf[x.rank]]
	return s.UTC - h.Offset - int64(math.Round(h.Drift*float64(s.UTC-k.center)*1e-9))
}

// medianSlope returns the median of the slopes between pairs of points (the estimator of Theil and
// Sen), in ns a second, over at most maxFitPoints points. Of an even number of slopes the upper
// one of the two in the middle is taken.
func medianSlope(p []clockPoint, center int64) float64 {
	every := (len(p) + maxFitPoints - 1) / maxFitPoints
	var all []float64
	for i := 0; i < len(p); i += every {
		for j := i + every; j < len(p); j += every {
			x, y := float64(float64(p[i].at-center)*1e-9), float64(float64(p[j].at-center)*1e-9)
			if d := y - x; d != 0 {
				all = append(all, float64(p[j].ahead-p[i].ahead)/d)
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

// thinOut keeps at most maxResidualEnds of the values, evenly taken.
func thinOut(v []int64) []int64 {
	every := (len(v) + maxResidualEnds - 1) / maxResidualEnds
	if every < 2 {
		return v
	}
	out := make([]int64, 0, maxResidualEnds)
	for i := 0; i < len(v); i += every {
		out = append(out, v[i])
	}
	return out
}

func sortedCopy[T cmp.Ordered](v []T) []T {
	v = slices.Clone(v)
	slices.Sort(v)
	return v
}
