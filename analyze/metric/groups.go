package metric

import (
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// part is where a duration is: within the kept steps, or outside of them. Both are added
// up apart and are together the whole capture's.
type part int

const (
	kept part = iota
	outside
)

// groups collects durations by what a name is called, by part. A name that occurs once, as
// each of a hundred thousand may, takes a place in a list and no Durations.
type groups struct {
	names    *trace.Names
	call     func(trace.NameID) string // nil: as it is recorded
	of       []int32                   // by name, 1 + group; 0 not asked
	byCalled map[string]int32          // groups that are called as no name is
	all      trace.Pages[group]
	room     []run.Durations // for the next that occur again
}

// group is what is called alike.
type group struct {
	called string
	in     [2]durations // by part
}

// durations are those of a group in one part.
type durations struct {
	one  bool
	ns   int64          // of the only one
	many *run.Durations // nil: one or none
}

func (d *durations) total() int64 {
	if d.many != nil {
		return d.many.Total()
	}
	return d.ns
}

func (d *durations) count() int64 {
	switch {
	case d.many != nil:
		return d.many.Count()
	case d.one:
		return 1
	}
	return 0
}

// sum are the durations; what is not to be kept of one or none is put into room.
func (d *durations) sum(room *run.Durations) *run.Durations {
	if d.many != nil {
		return d.many
	}
	if *room = (run.Durations{}); d.one {
		room.Add(d.ns)
	}
	return room
}

// both are the durations of both parts.
func (g *group) both() run.Durations {
	var a, b run.Durations
	return g.in[kept].sum(&a).Plus(g.in[outside].sum(&b))
}

func newGroups(names *trace.Names, call func(trace.NameID) string) *groups {
	return &groups{names: names, call: call, of: make([]int32, names.Len()), byCalled: map[string]int32{}}
}

func (g *groups) add(id trace.NameID, ns int64, in part) {
	if g.of[id] == 0 {
		g.of[id] = g.group(id)
	}
	g.addTo(g.of[id]-1, ns, in)
}

// addTo adds to the group at a place.
func (g *groups) addTo(at int32, ns int64, in part) {
	x := &g.all.At(int(at)).in[in]
	if x.many == nil {
		if !x.one {
			x.ns, x.one = ns, true
			return
		}
		x.many = g.newMany()
		x.many.Add(x.ns)
	}
	x.many.Add(ns)
}

// addAll adds many to the group at a place.
func (g *groups) addAll(at int32, ns []int64, in part) {
	x := &g.all.At(int(at)).in[in]
	if x.many == nil && len(ns)+int(x.count()) > 1 {
		x.many = g.newMany()
		if x.one {
			x.many.Add(x.ns)
		}
	}
	if x.many == nil {
		x.ns, x.one = ns[0], true
		return
	}
	x.many.AddAll(ns)
}

// mostRoom is how many Durations are made at once.
const mostRoom = 128

func (g *groups) newMany() *run.Durations {
	if len(g.room) == 0 {
		g.room = make([]run.Durations, min(mostRoom, 8+g.all.Len()/4))
	}
	d := &g.room[0]
	g.room = g.room[1:]
	return d
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
	g.all.Add(group{called: called})
	return int32(g.all.Len())
}

// inKept are the rows of a table within the kept steps, those with the most time.
func (g *groups) inKept(table run.Table) []run.Stat {
	var out []run.Stat
	var room run.Durations
	for _, i := range leading(g.all.Len(), run.MostStats, func(i int) int64 { return g.all.At(i).in[kept].total() }) {
		if d := g.all.At(i).in[kept].sum(&room); d.Count() > 0 {
			out = append(out, d.Stat(table, g.all.At(i).called))
		}
	}
	return out
}

// someOthers is how many rows are summed up with their median beside those that a table of
// the whole capture keeps: the median of the others is that of the one with most calls,
// which seldom is one with less time.
const someOthers = 64

// inCapture are the rows of a table in the whole capture, those with the most time, and
// what the others are together.
func (g *groups) inCapture(table run.Table) []run.Stat {
	first := leading(g.all.Len(), run.MostWhole+someOthers, func(i int) int64 {
		return g.all.At(i).in[kept].total() + g.all.At(i).in[outside].total()
	})
	out := run.Topmost(g.spreads(table, first))
	if len(first) == g.all.Len() {
		return out
	}
	rest, most := g.besides(first)
	others := slices.IndexFunc(out, func(s run.Stat) bool { return s.Name == run.Others })
	if others < 0 || most > out[others].Count {
		return run.Topmost(g.spreads(table, leading(g.all.Len(), g.all.Len(), nil)))
	}
	sum := out[others].Plus(rest.Sum(table, run.Others))
	sum.Median, sum.Quartiles = out[others].Median, out[others].Quartiles
	out[others] = sum
	return out
}

// spreads are the rows of some groups in the whole capture.
func (g *groups) spreads(table run.Table, of []int) (out []run.Stat) {
	for _, i := range of {
		if d := g.all.At(i).both(); d.Count() > 0 {
			out = append(out, d.Spread(table, g.all.At(i).called))
		}
	}
	return out
}

// besides are the sums of all groups but some, which are in order, and the most durations
// that one of them has.
func (g *groups) besides(some []int) (sum run.Durations, most int64) {
	var room run.Durations
	for i := range g.all.Len() {
		if len(some) > 0 && some[0] == i {
			some = some[1:]
			continue
		}
		x := g.all.At(i)
		sum.AddSums(x.in[kept].sum(&room))
		sum.AddSums(x.in[outside].sum(&room))
		most = max(most, x.in[kept].count()+x.in[outside].count())
	}
	return sum, most
}

// leading are the places of the n largest totals of many, those equal to the last of them
// included, in order of place.
func leading(many, n int, total func(i int) int64) []int {
	var least int64
	if many > n {
		totals := make([]int64, many)
		for i := range totals {
			totals[i] = -total(i)
		}
		least = -trace.Select(totals, n-1)
	}
	out := make([]int, 0, min(many, 2*n))
	for i := range many {
		if many <= n || total(i) >= least {
			out = append(out, i)
		}
	}
	return out
}
