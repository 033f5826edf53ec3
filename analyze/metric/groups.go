package metric

import (
	"slices"

	"perfdiff/analyze/order"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// scope says where in a capture a duration counts: within the kept steps or outside of them.
// They are added up separately, and together are the whole capture.
type scope int

const (
	keptSteps scope = iota
	outsideSteps
)

// nameGroups adds up durations by group of name: names that are called alike are one group. A
// name that occurs only once, and there can be a hundred thousand of these, takes an entry in a
// list and no Durations.
type nameGroups struct {
	names   *trace.Names
	nameOf  func(trace.NameID) string // nil: as it is recorded
	groupOf []int32                   // by name, 1 + group; 0 not asked
	byName  map[string]int32          // groups that are called as no name is
	all     trace.Pages[nameGroup]
	spare   []run.Durations // for the next that occur again

	kept, whole []run.Stat // rows of the table for the kept steps and for the whole capture, by sumUp
}

// nameGroup is one group.
type nameGroup struct {
	name    string
	byScope [2]durations // by part
}

// durations holds the durations of one group in one scope.
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

// sum returns all of them as Durations. If there is none or one, they are made in room.
func (d *durations) sum(room *run.Durations) *run.Durations {
	if d.many != nil {
		return d.many
	}
	if *room = (run.Durations{}); d.one {
		room.Add(d.ns)
	}
	return room
}

// all returns the durations of both scopes, which may be made in room.
func (g *nameGroup) all(room *run.Durations) *run.Durations {
	var a, b run.Durations
	return g.byScope[keptSteps].sum(&a).PlusIn(room, g.byScope[outsideSteps].sum(&b))
}

func newNameGroups(names *trace.Names, call func(trace.NameID) string) *nameGroups {
	return &nameGroups{names: names, nameOf: call, groupOf: make([]int32, names.Len()), byName: map[string]int32{}}
}

func (g *nameGroups) add(id trace.NameID, ns int64, in scope) {
	g.addToGroup(g.group(id)-1, ns, in)
}

// group returns 1 + the number of a name's group.
func (g *nameGroups) group(id trace.NameID) int32 {
	if g.groupOf[id] == 0 {
		g.groupOf[id] = g.findGroup(id)
	}
	return g.groupOf[id]
}

// addToGroup adds a duration to the group with a number.
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

// addAllToGroup adds durations to the group with a number.
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

// spareDurations is how many Durations are allocated at once.
const spareDurations = 128

func (g *nameGroups) newDurations() *run.Durations {
	if len(g.spare) == 0 {
		g.spare = make([]run.Durations, min(spareDurations, 8+g.all.Len()/4))
	}
	d := &g.spare[0]
	g.spare = g.spare[1:]
	return d
}

// findGroup returns 1 + the number of a name's group and makes the group if it is new. Most names are their own
// group's name and are found by number, since texts are long.
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

// addGroup adds a group and returns 1 + its number.
func (g *nameGroups) addGroup(called string) int32 {
	g.all.Add(nameGroup{name: called})
	return int32(g.all.Len())
}

// sumUp makes the rows of a table from all that was added.
func (g *nameGroups) sumUp(table run.Table) {
	g.kept, g.whole = g.keptStats(table), g.captureStats(table)
}

// keptStats returns the rows of a table for the kept steps: those with the most time.
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

// othersWithMedian is how many rows, after those that a table of the whole capture keeps, are summed up as others with
// their median. The median of the others is that of the row with most calls, which seldom has little time; if it has,
// all rows are searched.
const othersWithMedian = 64

// captureStats returns the rows of a table for the whole capture: those with the most time, and one for all others
// together.
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

// statsWithQuartiles returns the rows of some groups for the whole capture.
func (g *nameGroups) statsWithQuartiles(table run.Table, of []int) (out []run.Stat) {
	var room run.Durations
	for _, i := range of {
		if d := g.all.At(i).all(&room); d.Count() > 0 {
			out = append(out, d.StatWithQuartiles(table, g.all.At(i).name))
		}
	}
	return out
}

// sumOfOthers adds up all groups except some, whose numbers are sorted. most is the largest number of durations in any
// one group.
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

// placesOfLargest returns the sorted indices of the n largest totals of many, and of all that equal the last of them.
func placesOfLargest(many, n int, total func(i int) int64) []int {
	out := make([]int, 0, min(many, 2*n))
	if many <= n {
		for i := range many {
			out = append(out, i)
		}
		return out
	}
	totals := make([]int64, many)
	for i := range totals {
		totals[i] = -total(i)
	}
	least := order.Select(slices.Clone(totals), n-1)
	for i, t := range totals {
		if t <= least {
			out = append(out, i)
		}
	}
	return out
}
