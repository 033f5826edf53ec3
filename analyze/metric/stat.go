package metric

import (
	"cmp"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// Stats are the summaries that people know from nsys stats, of what starts within the
// kept steps: on the device within its windows, on the host within its periods. The
// steps were measured before.
func (r *Rank) Stats(steps []trace.Step) []run.Stat {
	host, t := keptPeriods(steps), r.Trace
	out := r.keptDeviceStats()
	// One table after the other: each holds its durations until it is summed up.
	for _, table := range []struct {
		name run.Table
		list []trace.Call
	}{{run.APITable, t.API}, {run.OSTable, t.OS}} {
		g := newGroups(t.Names, nil)
		for _, p := range host {
			g.calls(startingIn(table.list, p.Start, p.End, callStart))
		}
		out = append(out, g.stats(table.name, (*run.Durations).Stat)...)
	}
	return run.Most(append(out, r.keptRangeStats(host)...))
}

// keptDeviceStats are the kernels and what moves memory within the kept steps.
func (r *Rank) keptDeviceStats() []run.Stat {
	var out []run.Stat
	for n, name := range r.kernels.names {
		if s := r.kernels.kept[n].Stat(run.KernelTable, name); s.Count > 0 && !r.lacks(kindOfWork) {
			out = append(out, s)
		}
	}
	if !r.lacks(trace.Copies) {
		out = append(out, r.copies.stats((*run.Durations).Stat)...)
	}
	return out
}

// keptRangeStats are the ranges that start within the periods of kept steps.
func (r *Rank) keptRangeStats(host []trace.Interval) []run.Stat {
	g := newGroups(r.Trace.Names, r.ordinary)
	for _, p := range host {
		for _, x := range startingIn(r.Trace.Ranges, p.Start, p.End, rangeStart) {
			g.add(x.Name, x.End-x.Start)
		}
	}
	return g.stats(run.RangeTable, (*run.Durations).Stat)
}

// summing is how durations become a row of a table.
type summing func(*run.Durations, run.Table, string) run.Stat

// ordinary is a range's name without the numbers of its occurrence.
func (r *Rank) ordinary(id trace.NameID) string {
	return trace.Ordinary(trace.CanonicalRange(r.Trace.Names.Text(id)))
}

// keptPeriods are those of kept steps on the host, in order of time; what two have in
// common is the first one's.
func keptPeriods(steps []trace.Step) (out []trace.Interval) {
	for _, s := range steps {
		if s.Dropped == "" && s.HostStart != trace.NoTime && s.HostEnd != trace.NoTime && s.HostEnd > s.HostStart {
			out = append(out, trace.Interval{Start: s.HostStart, End: s.HostEnd})
		}
	}
	slices.SortFunc(out, func(a, b trace.Interval) int { return cmp.Compare(a.Start, b.Start) })
	for i := 1; i < len(out); i++ {
		out[i].Start = max(out[i].Start, out[i-1].End)
		out[i].End = max(out[i].Start, out[i].End)
	}
	return out
}

// copySums are the copies and sets by what they are called.
type copySums []copySum

type copySum struct {
	name      string // of the direction; "" of sets
	durations run.Durations
	bytes     int64
}

// add counts those of a step.
func (c *copySums) add(spans []trace.Span) {
	for i := range spans {
		s := &spans[i]
		if s.Kind == trace.Kernel || s.Kind == trace.Graph {
			continue
		}
		name := ""
		if s.Kind == trace.Memcpy {
			name = s.Copy.String()
		}
		at := slices.IndexFunc(*c, func(x copySum) bool { return x.name == name })
		if at < 0 {
			at = len(*c)
			*c = append(*c, copySum{name: name})
		}
		x := &(*c)[at]
		x.durations.Add(s.End - s.Start)
		x.bytes += s.Bytes
	}
}

func (c copySums) stats(sum summing) []run.Stat {
	var out []run.Stat
	for i := range c {
		name := setName
		if c[i].name != "" {
			name = copyName + c[i].name
		}
		s := sum(&c[i].durations, run.MemoryTable, name)
		s.Bytes = c[i].bytes
		out = append(out, s)
	}
	return out
}

// groups collects durations by what a name is called. A name that occurs once, as each of
// a hundred thousand may, takes a place in a list and no Durations.
type groups struct {
	names    *trace.Names
	call     func(trace.NameID) string // nil: as it is recorded
	of       []int32                   // by name, 1 + group; 0 not asked
	byCalled map[string]int32          // groups that are called as no name is
	all      []group
	many     []run.Durations
}

// group is what is called alike.
type group struct {
	called string
	ns     int64 // of the only one
	many   int32 // 1 + place of several; onlyOne of one; 0 of none yet
}

const onlyOne = -1

func newGroups(names *trace.Names, call func(trace.NameID) string) *groups {
	return &groups{names: names, call: call, of: make([]int32, names.Len()), byCalled: map[string]int32{}}
}

func (g *groups) add(id trace.NameID, ns int64) {
	if g.of[id] == 0 {
		g.of[id] = g.group(id)
	}
	switch x := &g.all[g.of[id]-1]; x.many {
	case 0:
		x.ns, x.many = ns, onlyOne
	case onlyOne:
		var d run.Durations
		d.Add(x.ns)
		d.Add(ns)
		g.many = append(g.many, d)
		x.many = int32(len(g.many))
	default:
		g.many[x.many-1].Add(ns)
	}
}

// calls adds calls.
func (g *groups) calls(list []trace.Call) {
	for i := range list {
		g.add(list[i].Name, list[i].End-list[i].Start)
	}
}

// group is 1 + the group of a name. What is called as it is recorded is found by its
// number, since most are and texts are long.
func (g *groups) group(id trace.NameID) int32 {
	text := g.names.Text(id)
	called := text
	if g.call != nil {
		called = g.call(id)
	}
	if called == text {
		return g.added(called)
	}
	if own, ok := g.names.Find(called); ok && g.call(own) == called {
		if g.of[own] == 0 {
			g.of[own] = g.added(called)
		}
		return g.of[own]
	}
	if g.byCalled[called] == 0 {
		g.byCalled[called] = g.added(called)
	}
	return g.byCalled[called]
}

// added is 1 + a new group.
func (g *groups) added(called string) int32 {
	g.all = append(g.all, group{called: called})
	return int32(len(g.all))
}

func (g *groups) stats(table run.Table, sum summing) []run.Stat {
	out := make([]run.Stat, len(g.all))
	for i, x := range g.all {
		var one run.Durations
		d := &one
		switch {
		case x.many > 0:
			d = &g.many[x.many-1]
		case x.many == onlyOne:
			one.Add(x.ns)
		}
		out[i] = sum(d, table, x.called)
	}
	return out
}
