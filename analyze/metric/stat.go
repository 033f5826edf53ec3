package metric

import (
	"cmp"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// Stats are the summaries that people know from nsys stats, of what starts within the
// kept steps: on the device within its windows, on the host within its periods.
func (r *Rank) Stats(steps []trace.Step) []run.Stat {
	device, host := keptStretches(steps, true), keptStretches(steps, false)
	t := r.Trace
	var out []run.Stat
	kernels, memory := newGroups(t.Names, r.kernelName), newGroups(t.Names, nil)
	bytes := map[string]int64{}
	at := cursor{in: device}
	for i := range t.Device {
		switch s := &t.Device[i]; {
		case !at.holds(s.Start):
		case s.Kind == trace.Kernel, s.Kind == trace.Graph:
			kernels.add(s.Name, s.End-s.Start)
		default:
			name := r.workName(s)
			memory.addNamed(name, s.End-s.Start)
			bytes[name] += s.Bytes
		}
	}
	out = append(out, kernels.stats(run.KernelTable)...)
	for _, s := range memory.stats(run.MemoryTable) {
		s.Bytes = bytes[s.Name]
		out = append(out, s)
	}
	// One table after the other: each holds its durations until it is summed up.
	calls := func(table run.Table, list []trace.Call) {
		g, at := newGroups(t.Names, nil), cursor{in: host}
		for i := range list {
			if c := &list[i]; at.holds(c.Start) {
				g.add(c.Name, c.End-c.Start)
			}
		}
		out = append(out, g.stats(table)...)
	}
	calls(run.APITable, t.API)
	calls(run.OSTable, t.OS)
	g, at := newGroups(t.Names, r.ordinary), cursor{in: host}
	for i := range t.Ranges {
		if x := &t.Ranges[i]; at.holds(x.Start) {
			g.add(x.Name, x.End-x.Start)
		}
	}
	out = append(out, g.stats(run.RangeTable)...)
	return run.Most(out)
}

// ordinary is a range's name without the numbers of its occurrence.
func (r *Rank) ordinary(id trace.NameID) string {
	return trace.Ordinary(trace.CanonicalRange(r.Trace.Names.Text(id)))
}

// stretches are those of kept steps, in order of time; they do not overlap.
type stretches []trace.Interval

func keptStretches(steps []trace.Step, device bool) (out stretches) {
	for _, s := range steps {
		lo, hi := s.HostStart, s.HostEnd
		if device {
			lo, hi = s.Start, s.End
		}
		if s.Dropped == "" && lo != trace.NoTime && hi != trace.NoTime && hi > lo {
			out = append(out, trace.Interval{Start: lo, End: hi})
		}
	}
	slices.SortFunc(out, func(a, b trace.Interval) int { return cmp.Compare(a.Start, b.Start) })
	return out
}

// cursor tells what starts in stretches, asked in order of time.
type cursor struct {
	in stretches
	at int
}

func (c *cursor) holds(t int64) bool {
	for c.at < len(c.in) && c.in[c.at].End <= t {
		c.at++
	}
	return c.at < len(c.in) && t >= c.in[c.at].Start
}

// groups collects durations by what a name is called.
type groups struct {
	names    *trace.Names
	call     func(trace.NameID) string // nil: as it is recorded
	of       []int32                   // by name, 1 + group; 0 not asked
	byCalled map[string]int32
	called   []string
	sums     []run.Durations
}

func newGroups(names *trace.Names, call func(trace.NameID) string) *groups {
	return &groups{names: names, call: call, of: make([]int32, names.Len()), byCalled: map[string]int32{}}
}

func (g *groups) add(id trace.NameID, ns int64) {
	n := g.of[id]
	if n == 0 {
		call := g.names.Text
		if g.call != nil {
			call = g.call
		}
		n = g.group(call(id)) + 1
		g.of[id] = n
	}
	g.sums[n-1].Add(ns)
}

func (g *groups) addNamed(name string, ns int64) {
	g.sums[g.group(name)].Add(ns)
}

func (g *groups) group(name string) int32 {
	n, ok := g.byCalled[name]
	if !ok {
		n = int32(len(g.called))
		g.byCalled[name], g.called, g.sums = n, append(g.called, name), append(g.sums, run.Durations{})
	}
	return n
}

func (g *groups) stats(table run.Table) []run.Stat {
	out := make([]run.Stat, len(g.called))
	for i, name := range g.called {
		out[i] = g.sums[i].Stat(table, name)
	}
	return out
}
