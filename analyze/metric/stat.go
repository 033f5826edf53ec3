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
	kernels, memory := newGroups(t.Names, trace.CanonicalKernel), newGroups(t.Names, nil)
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
	api := newGroups(t.Names, nil)
	host.walk(len(t.API), func(i int) int64 { return t.API[i].Start }, func(i int) { api.add(t.API[i].Name, t.API[i].End-t.API[i].Start) })
	system := newGroups(t.Names, nil)
	host.walk(len(t.OS), func(i int) int64 { return t.OS[i].Start }, func(i int) { system.add(t.OS[i].Name, t.OS[i].End-t.OS[i].Start) })
	ranges := newGroups(t.Names, func(name string) string { return trace.Ordinary(trace.CanonicalRange(name)) })
	host.walk(len(t.Ranges), func(i int) int64 { return t.Ranges[i].Start }, func(i int) { ranges.add(t.Ranges[i].Name, t.Ranges[i].End-t.Ranges[i].Start) })
	return run.Most(slices.Concat(out, api.stats(run.APITable), system.stats(run.OSTable), ranges.stats(run.RangeTable)))
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
	call     func(string) string
	of       []int32 // by name, 1 + group; 0 not asked
	byCalled map[string]int32
	called   []string
	values   [][]int64
}

func newGroups(names *trace.Names, call func(string) string) *groups {
	return &groups{names: names, call: call, of: make([]int32, names.Len()), byCalled: map[string]int32{}}
}

func (g *groups) add(id trace.NameID, ns int64) {
	n := g.of[id]
	if n == 0 {
		name := g.names.Text(id)
		if g.call != nil {
			name = g.call(name)
		}
		n = g.group(name) + 1
		g.of[id] = n
	}
	g.values[n-1] = append(g.values[n-1], ns)
}

func (g *groups) addNamed(name string, ns int64) {
	n := g.group(name)
	g.values[n] = append(g.values[n], ns)
}

func (g *groups) group(name string) int32 {
	n, ok := g.byCalled[name]
	if !ok {
		n = int32(len(g.called))
		g.byCalled[name], g.called, g.values = n, append(g.called, name), append(g.values, nil)
	}
	return n
}

func (g *groups) stats(table run.Table) []run.Stat {
	out := make([]run.Stat, len(g.called))
	for i, name := range g.called {
		out[i] = run.StatOf(table, name, g.values[i])
	}
	return out
}
