package metric

import (
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
	device.walk(len(t.Device), func(i int) int64 { return t.Device[i].Start }, func(i int) {
		s := &t.Device[i]
		switch s.Kind {
		case trace.Kernel, trace.Graph:
			kernels.add(s.Name, s.End-s.Start)
		default:
			name := r.workName(s)
			memory.addNamed(name, s.End-s.Start)
			bytes[name] += s.Bytes
		}
	})
	out = append(out, kernels.stats(run.KernelTable)...)
	for _, s := range memory.stats(run.MemoryTable) {
		s.Bytes = bytes[s.Name]
		out = append(out, s)
	}
	for _, x := range []struct {
		table run.Table
		call  func(trace.NameID) string
		n     int
		at    func(int) (id trace.NameID, start, end int64)
	}{
		{run.APITable, nil, len(t.API), func(i int) (trace.NameID, int64, int64) { return t.API[i].Name, t.API[i].Start, t.API[i].End }},
		{run.OSTable, nil, len(t.OS), func(i int) (trace.NameID, int64, int64) { return t.OS[i].Name, t.OS[i].Start, t.OS[i].End }},
		{run.RangeTable, r.ordinary, len(t.Ranges), func(i int) (trace.NameID, int64, int64) { return t.Ranges[i].Name, t.Ranges[i].Start, t.Ranges[i].End }},
	} {
		g := newGroups(t.Names, x.call) // one table after the other: each holds all of its durations
		host.walk(x.n, func(i int) int64 { _, start, _ := x.at(i); return start }, func(i int) {
			id, start, end := x.at(i)
			g.add(id, end-start)
		})
		out = append(out, g.stats(x.table)...)
	}
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
	slices.SortFunc(out, func(a, b trace.Interval) int {
		if a.Start < b.Start {
			return -1
		}
		return 1
	})
	return out
}

// walk calls f for each of n things, in order of start, that starts in a stretch.
func (s stretches) walk(n int, start func(int) int64, f func(int)) {
	at := 0
	for i := range n {
		t := start(i)
		for at < len(s) && s[at].End <= t {
			at++
		}
		if at == len(s) {
			return
		}
		if t >= s[at].Start {
			f(i)
		}
	}
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
