package cause

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"strings"

	"perfdiff/analyze/group"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff/sides"
)

// GroupChange is ranks that communicate with each other, on both sides. Groups of the same ranks
// are one: the names and ids of communicators differ from run to run.
type GroupChange struct {
	Ranks     []int      `report:"ranks"`
	Label     string     `report:"label"`     // of the ranks: "0-3"
	Size      int        `report:"size"`      // ranks in all, those that are not known too; 0 unknown
	Purpose   string     `report:"purpose"`   // as the program describes it; "" not recorded
	Dimension string     `report:"dimension"` // of parallelism that it serves; "" unknown, or not the same on both sides
	Uses      []GroupUse `report:"uses"`
	// Base and Cand are what it does on each side, as means over runs, ranks and kept steps.
	Base GroupLoad `report:"sides.baseline"`
	Cand GroupLoad `report:"sides.candidate"`
}

// GroupUse is one kind of call of a group, and how many a rank makes in a step on each side.
type GroupUse struct {
	Collective string  `report:"collective"`
	Type       string  `report:"type"` // of data, as recorded; "" unknown
	Size       string  `report:"size"` // class of the message; "" unknown
	Base       float64 `report:"calls.baseline"`
	Cand       float64 `report:"calls.candidate"`
}

// GroupLoad is what a rank does in a group in a mean step, in seconds. Without calls the side has no such group.
type GroupLoad struct {
	Calls    float64 `report:"calls"`
	Time     float64 `report:"time"` // Exposed: without compute beside it
	Exposed  float64 `report:"exposed"`
	Wait     float64 `report:"wait"` // NaN: not told apart in all of its kernels
	Transfer float64 `report:"transfer"`
	// Bandwidth is bytes a second of the bus in the transfers, and Algorithm those of the
	// messages (nccl-tests, doc/PERFORMANCE.md); NaN unknown.
	Bandwidth float64 `report:"bandwidth"`
	Algorithm float64 `report:"algorithm"`
}

// groupKey is a group's ranks, and its place among the groups of the same ranks.
type groupKey struct {
	label string
	nth   int
}

// sideGroups returns the groups of a side, in the order in which its runs name them first, and each with what every
// run says of it.
func sideGroups(s *sides.Side) (order []groupKey, found map[groupKey][]*run.Group) {
	found = map[groupKey][]*run.Group{}
	for _, r := range s.Runs {
		nth := map[string]int{}
		for i := range r.Source.Groups {
			g := &r.Source.Groups[i]
			label := group.Key(g.Ranks)
			at := groupKey{label, nth[label]}
			nth[label]++
			if found[at] == nil {
				order = append(order, at)
			}
			found[at] = append(found[at], g)
		}
	}
	return order, found
}

// groupChanges returns the groups of both sides, by dimension and ranks.
func groupChanges(p *Causes) []GroupChange {
	order, base := sideGroups(p.Base)
	more, cand := sideGroups(p.Cand)
	for _, at := range more {
		if base[at] == nil {
			order = append(order, at)
		}
	}
	var out []GroupChange
	for _, at := range order {
		both := slices.Concat(base[at], cand[at])
		last := both[len(both)-1]
		g := GroupChange{Ranks: last.Ranks, Label: at.label, Size: last.Size, Purpose: last.Purpose, Dimension: last.Dimension, Uses: usesOf(base[at], cand[at]),
			Base: loadOf(base[at]), Cand: loadOf(cand[at])}
		if slices.ContainsFunc(both, func(x *run.Group) bool { return x.Dimension != last.Dimension }) {
			g.Dimension = ""
		}
		if slices.ContainsFunc(both, func(x *run.Group) bool { return x.Purpose != last.Purpose }) {
			g.Purpose = ""
		}
		out = append(out, g)
	}
	sort.SliceStable(out, func(i, j int) bool {
		a, b := &out[i], &out[j]
		return group.Compare(a.Ranks, b.Ranks, group.Dimension(a.Dimension), group.Dimension(b.Dimension)) < 0
	})
	return out
}

// usesOf returns the uses of a group on both sides, in order of collective, type and size.
func usesOf(base, cand []*run.Group) (out []GroupUse) {
	add := func(runs []*run.Group, calls func(*GroupUse) *float64) {
		for _, g := range runs {
			for _, u := range g.Uses {
				i := slices.IndexFunc(out, func(x GroupUse) bool { return x.Collective == u.Collective && x.Type == u.Type && x.Size == u.Size })
				if i < 0 {
					i = len(out)
					out = append(out, GroupUse{Collective: u.Collective, Type: u.Type, Size: u.Size})
				}
				*calls(&out[i]) += float64(u.Calls) / float64(max(1, u.Steps)) / float64(len(runs))
			}
		}
	}
	add(base, func(u *GroupUse) *float64 { return &u.Base })
	add(cand, func(u *GroupUse) *float64 { return &u.Cand })
	sort.SliceStable(out, func(i, j int) bool {
		a, b := &out[i], &out[j]
		return cmp.Or(strings.Compare(a.Collective, b.Collective), strings.Compare(a.Type, b.Type)) < 0
	})
	return out
}

// loadOf returns the load of a group in a mean step of a rank, as the mean over runs.
func loadOf(runs []*run.Group) (out GroupLoad) {
	for _, g := range runs {
		x := oneLoad(g)
		n := float64(len(runs))
		out.Calls += x.Calls / n
		out.Time, out.Exposed = out.Time+x.Time/n, out.Exposed+x.Exposed/n
		out.Wait, out.Transfer = out.Wait+x.Wait/n, out.Transfer+x.Transfer/n
		out.Bandwidth, out.Algorithm = out.Bandwidth+x.Bandwidth/n, out.Algorithm+x.Algorithm/n
	}
	return out
}

func oneLoad(g *run.Group) (out GroupLoad) {
	steps, moved, bytes, transfer := 0, 0.0, 0.0, int64(0)
	split := true
	for _, u := range g.Uses {
		steps = max(steps, u.Steps)
		out.Calls += float64(u.Calls)
		out.Time, out.Exposed = out.Time+float64(u.Time), out.Exposed+float64(u.Exposed)
		out.Wait, out.Transfer = out.Wait+float64(u.Wait), out.Transfer+float64(u.Transfer)
		split = split && u.Split == u.Calls
		if f := trace.BusFactor(u.Collective, int32(g.Size)); f > 0 && u.Bytes > 0 {
			moved, bytes = moved+float64(u.Bytes*f), bytes+u.Bytes
			transfer += u.Transfer
		}
	}
	n := max(1, float64(steps))
	out.Calls /= n
	for _, ns := range []*float64{&out.Time, &out.Exposed, &out.Wait, &out.Transfer} {
		*ns /= n * 1e9
	}
	out.Bandwidth, out.Algorithm = math.NaN(), math.NaN()
	if !split {
		out.Wait, out.Transfer = math.NaN(), math.NaN()
	} else if transfer > 0 {
		seconds := float64(transfer) * 1e-9
		out.Bandwidth, out.Algorithm = moved/seconds, bytes/seconds
	}
	return out
}

// sameDimensions reports whether the groups of the same ranks serve the same dimension in all runs of both sides. If
// not, the time of one dimension would be compared with that of another.
func sameDimensions(p *Causes) bool {
	_, base := sideGroups(p.Base)
	_, cand := sideGroups(p.Cand)
	for at, groups := range base {
		both := slices.Concat(groups, cand[at])
		if slices.ContainsFunc(both, func(g *run.Group) bool { return g.Dimension != both[0].Dimension }) {
			return false
		}
	}
	return true
}
