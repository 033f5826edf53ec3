package metric

import (
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// scope is where a duration is: within the kept steps, or outside of them. Both are added
// up apart and are together the whole capture's.
type scope int

const (
	keptSteps scope = iota
	outsideSteps
)

// nameGroups collects durations by what a name is called, by part. A name that occurs once, as
// each of a hundred thousand may, takes a place in a list and no Durations.
type nameGroups struct {
	names   *trace.Names
	nameOf  func(trace.NameID) string // nil: as it is recorded
	groupOf []int32                   // by name, 1 + group; 0 not asked
	byName  map[string]int32          // groups that are called as no name is
	all     trace.Pages[nameGroup]
	spare   []run.Durations // for the next that occur again
}

// nameGroup is what is called alike.
type nameGroup struct {
	name    string
	byScope [2]durations // by part
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

// all are the durations of both parts.
func (g *nameGroup) all() run.Durations {
	var a, b run.Durations
	return g.byScope[keptSteps].sum(&a).Plus(g.byScope[outsideSteps].sum(&b))
}

func newNameGroups(names *trace.Names, call func(trace.NameID) string) *nameGroups {
	return &nameGroups{names: names, nameOf: call, groupOf: make([]int32, names.Len()), byName: map[string]int32{}}
}

func (g *nameGroups) add(id trace.NameID, ns int64, in scope) {
	if g.groupOf[id] == 0 {
		g.groupOf[id] = g.findGroup(id)
	}
	g.addToGroup(g.groupOf[id]-1, ns, in)
}

// addToGroup adds to the group at a place.
func (g *nameGroups) addToGroup(at int32, ns int64, in scope) {
	x := &g.all.At(int(at)).byScope[in]
	if x.many == nil {
		if !x.one {
			x.ns, x.one = ns, true
			return
		}
		x.many = g.newDurations()
		x.many.Add(x.ns)
	}
	x.many.Add(ns)
}

// addAllToGroup adds many to the group at a place.
func (g *nameGroups) addAllToGroup(at int32, ns []int64, in scope) {
	x := &g.all.At(int(at)).byScope[in]
	if x.many == nil && len(ns)+int(x.count()) > 1 {
		x.many = g.newDurations()
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

// spareDurations is how many Durations are made at once.
const spareDurations = 128

func (g *nameGroups) newDurations() *run.Durations {
	if len(g.spare) == 0 {
		g.spare = make([]run.Durations, min(spareDurations, 8+g.all.Len()/4))
	}
	d := &g.spare[0]
	g.spare = g.spare[1:]
	return d
}

// findGroup is 1 + the group of a name. What is called as it is recorded is found by its
// number, since most are and texts are long.
func (g *nameGroups) findGroup(id trace.NameID) int32 {
	text := g.names.Text(id)
	called := text
	if g.nameOf != nil {
		called = g.nameOf(id)
	}
	if called == text {
		return g.addGroup(called)
	}
	if own, ok := g.names.Find(called); ok && g.nameOf(own) == called {
		if g.groupOf[own] == 0 {
			g.groupOf[own] = g.addGroup(called)
		}
		return g.groupOf[own]
	}
	if g.byName[called] == 0 {
		g.byName[called] = g.addGroup(called)
	}
	return g.byName[called]
}

// addGroup is 1 + a new group.
func (g *nameGroups) addGroup(called string) int32 {
	g.all.Add(nameGroup{name: called})
	return int32(g.all.Len())
}

// keptStats are the rows of a table within the kept steps, those with the most time.
func (g *nameGroups) keptStats(table run.Table) []run.Stat {
	var out []run.Stat
	var room run.Durations
	for _, i := range placesOfLargest(g.all.Len(), run.MaxStats, func(i int) int64 { return g.all.At(i).byScope[keptSteps].total() }) {
		if d := g.all.At(i).byScope[keptSteps].sum(&room); d.Count() > 0 {
			out = append(out, d.Stat(table, g.all.At(i).name))
		}
	}
	return out
}

// othersWithMedian is how many rows are summed up with their median beside those that a table of
// the whole capture keeps: the median of the others is that of the one with most calls,
// which seldom is one with less time.
const othersWithMedian = 64

// captureStats are the rows of a table in the whole capture, those with the most time, and
// what the others are together.
func (g *nameGroups) captureStats(table run.Table) []run.Stat {
	first := placesOfLargest(g.all.Len(), run.MaxWholeStats+othersWithMedian, func(i int) int64 {
		return g.all.At(i).byScope[keptSteps].total() + g.all.At(i).byScope[outsideSteps].total()
	})
	out := run.TopStatsAndOthers(g.statsWithQuartiles(table, first))
	if len(first) == g.all.Len() {
		return out
	}
	rest, most := g.sumOfOthers(first)
	others := slices.IndexFunc(out, func(s run.Stat) bool { return s.Name == run.Others })
	if others < 0 || most > out[others].Count {
		return run.TopStatsAndOthers(g.statsWithQuartiles(table, placesOfLargest(g.all.Len(), g.all.Len(), nil)))
	}
	sum := out[others].Plus(rest.StatWithoutMedian(table, run.Others))
	sum.Median, sum.Quartiles = out[others].Median, out[others].Quartiles
	out[others] = sum
	return out
}

// statsWithQuartiles are the rows of some groups in the whole capture.
func (g *nameGroups) statsWithQuartiles(table run.Table, of []int) (out []run.Stat) {
	for _, i := range of {
		if d := g.all.At(i).all(); d.Count() > 0 {
			out = append(out, d.StatWithQuartiles(table, g.all.At(i).name))
		}
	}
	return out
}

// sumOfOthers are the sums of all groups but some, which are in order, and the most durations
// that one of them has.
func (g *nameGroups) sumOfOthers(some []int) (sum run.Durations, most int64) {
	var room run.Durations
	for i := range g.all.Len() {
		if len(some) > 0 && some[0] == i {
			some = some[1:]
			continue
		}
		x := g.all.At(i)
		sum.AddWithoutMedian(x.byScope[keptSteps].sum(&room))
		sum.AddWithoutMedian(x.byScope[outsideSteps].sum(&room))
		most = max(most, x.byScope[keptSteps].count()+x.byScope[outsideSteps].count())
	}
	return sum, most
}

// placesOfLargest are the places of the n largest totals of many, those equal to the last of them
// included, in order of place.
func placesOfLargest(many, n int, total func(i int) int64) []int {
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
