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

// split are the durations of one name, by part.
type split [2]run.Durations

// all are those of the whole capture.
func (x *split) all() run.Durations { return x[kept].Plus(&x[outside]) }

func (x *split) total() int64 { return x[kept].Total() + x[outside].Total() }

// groups collects durations by what a name is called. A name that occurs once, as each of
// a hundred thousand may, takes a place in a list and no Durations.
type groups struct {
	names    *trace.Names
	call     func(trace.NameID) string // nil: as it is recorded
	of       []int32                   // by name, 1 + group; 0 not asked
	byCalled map[string]int32          // groups that are called as no name is
	all      []group
	many     []split
}

// group is what is called alike.
type group struct {
	called string
	ns     int64 // of the only one
	many   int32 // 1 + place of several; onlyOne of one; 0 of none yet
	in     part  // of the only one
}

const onlyOne = -1

func newGroups(names *trace.Names, call func(trace.NameID) string) *groups {
	return &groups{names: names, call: call, of: make([]int32, names.Len()), byCalled: map[string]int32{}}
}

func (g *groups) add(id trace.NameID, ns int64, in part) {
	if g.of[id] == 0 {
		g.of[id] = g.group(id)
	}
	switch x := &g.all[g.of[id]-1]; x.many {
	case 0:
		x.ns, x.in, x.many = ns, in, onlyOne
	case onlyOne:
		var d split
		d[x.in].Add(x.ns)
		d[in].Add(ns)
		g.many = append(g.many, d)
		x.many = int32(len(g.many))
	default:
		g.many[x.many-1][in].Add(ns)
	}
}

// calls adds calls.
func (g *groups) calls(list []trace.Call, in part) {
	for i := range list {
		g.add(list[i].Name, list[i].End-list[i].Start, in)
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

// at are the durations of the group at a place; one is where those of a single one are
// put.
func (g *groups) at(i int, one *split) *split {
	x := &g.all[i]
	if x.many > 0 {
		return &g.many[x.many-1]
	}
	*one = split{}
	if x.many == onlyOne {
		one[x.in].Add(x.ns)
	}
	return one
}

// inKept are the rows of a table within the kept steps, those with the most time.
func (g *groups) inKept(table run.Table) []run.Stat {
	first := leading(len(g.all), run.MostStats, func(i int) int64 {
		switch x := &g.all[i]; {
		case x.many > 0:
			return g.many[x.many-1][kept].Total()
		case x.in == kept:
			return x.ns
		}
		return 0
	})
	var out []run.Stat
	var one split
	for _, i := range first {
		if d := &g.at(i, &one)[kept]; d.Count() > 0 {
			out = append(out, d.Stat(table, g.all[i].called))
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
	first := leading(len(g.all), run.MostWhole+someOthers, func(i int) int64 {
		if x := &g.all[i]; x.many > 0 {
			return g.many[x.many-1].total()
		}
		return g.all[i].ns
	})
	out := run.Topmost(g.spreads(table, first))
	if len(first) == len(g.all) {
		return out
	}
	rest, most := g.besides(first)
	others := slices.IndexFunc(out, func(s run.Stat) bool { return s.Name == run.Others })
	if others < 0 || most > out[others].Count {
		return run.Topmost(g.spreads(table, leading(len(g.all), len(g.all), nil)))
	}
	sum := out[others].Plus(rest.Sum(table, run.Others))
	sum.Median, sum.Quartiles = out[others].Median, out[others].Quartiles
	out[others] = sum
	return out
}

// spreads are the rows of some groups in the whole capture.
func (g *groups) spreads(table run.Table, of []int) (out []run.Stat) {
	var one split
	for _, i := range of {
		if d := g.at(i, &one).all(); d.Count() > 0 {
			out = append(out, d.Spread(table, g.all[i].called))
		}
	}
	return out
}

// besides are the sums of all groups but some, which are in order, and the most durations
// that one of them has.
func (g *groups) besides(some []int) (sum run.Durations, most int64) {
	var one split
	for i := range g.all {
		if len(some) > 0 && some[0] == i {
			some = some[1:]
			continue
		}
		d := g.at(i, &one)
		sum.AddSums(&d[kept])
		sum.AddSums(&d[outside])
		most = max(most, d[kept].Count()+d[outside].Count())
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
