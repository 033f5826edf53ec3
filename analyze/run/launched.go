package run

import (
	"cmp"
	"slices"
	"strings"

	"perfdiff/analyze/order"
)

// Phase is which part of a step of training a kernel was launched in. "" is not known: what lies
// between the phases, and all work where the capture does not name them.
type Phase string

// The phases, in the order in which a step goes through them.
const (
	Forward   Phase = "forward"
	Backward  Phase = "backward"
	Optimizer Phase = "optimizer"
)

// Phases lists all phases, in order.
var Phases = []Phase{Forward, Backward, Optimizer}

// Launched is where the kernels of a rank were launched, added up over Steps kept steps.
type Launched struct {
	Steps int
	Rows  []LaunchedRow // the longest first, at most MaxLaunched, and one more for each kernel
}

// LaunchedRow is one kernel where it was launched in one way.
type LaunchedRow struct {
	Phase Phase `json:",omitempty"`
	// In is the innermost module that the launch lies in; without one the innermost operator or
	// range. "" is not known, OtherPlaces is several that have little time.
	In       string `json:",omitempty"`
	Kernel   string // as the series of kernels call it
	Time     int64  // ns, sum of the durations
	Launches int64
}

// OtherPlaces stands for operators, modules and ranges that have no row of their own.
const OtherPlaces = "(others)"

// MaxLaunched is how many rows a rank keeps, besides one for each kernel that sums up its other rows. Chosen, not
// measured: jobs with 70 kernels have 40 to 120 rows.
const MaxLaunched = 192

// Plus returns both together; nil if both are nil.
func (l *Launched) Plus(m *Launched) *Launched {
	switch {
	case l == nil:
		return m
	case m == nil:
		return l
	}
	return &Launched{Steps: l.Steps + m.Steps, Rows: TopLaunched(slices.Concat(l.Rows, m.Rows))}
}

// TopLaunched adds up rows with one phase, place and kernel. The MaxLaunched rows with the most time stay; the others
// are added up by phase and kernel, so that no time of a kernel is lost.
func TopLaunched(all []LaunchedRow) []LaunchedRow { return TopLaunchedOf(sumLaunched(all)) }

// TopLaunchedOf does what TopLaunched does for rows that all differ in phase, place or kernel. It may change the list.
func TopLaunchedOf(all []LaunchedRow) []LaunchedRow {
	if len(all) > MaxLaunched {
		longestFirst(all)
		for i := range all[MaxLaunched:] {
			all[MaxLaunched+i].In = OtherPlaces
		}
		all = sumLaunched(all)
	}
	sortLaunched(all)
	return all
}

// longestFirst puts the MaxLaunched rows with the most time first, and the others after them in any order: a rank can
// have a hundred thousand.
func longestFirst(all []LaunchedRow) {
	times := make([]int64, len(all))
	for i := range all {
		times[i] = -all[i].Time
	}
	least, n := -order.Select(times, MaxLaunched-1), 0
	for i := range all {
		if all[i].Time >= least { // more than MaxLaunched, where several take as long as the last
			all[n], all[i] = all[i], all[n]
			n++
		}
	}
	sortLaunched(all[:n])
}

// sumLaunched adds up rows that are alike but for time and launches.
func sumLaunched(all []LaunchedRow) []LaunchedRow {
	type key struct {
		phase      Phase
		in, kernel string
	}
	at := make(map[key]int)
	out := make([]LaunchedRow, 0, min(len(all), 2*MaxLaunched))
	for i := range all {
		row := &all[i]
		key := key{row.Phase, row.In, row.Kernel}
		i, known := at[key]
		if !known {
			at[key] = len(out)
			out = append(out, *row)
			continue
		}
		out[i].Time, out[i].Launches = out[i].Time+row.Time, out[i].Launches+row.Launches
	}
	return out
}

// sortLaunched puts the rows with the most time first.
func sortLaunched(all []LaunchedRow) {
	order := make([]int, len(all)) // to sort rows themselves would be twenty kilobytes of program more
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		a, b := &all[i], &all[j]
		return cmp.Or(cmp.Compare(b.Time, a.Time), strings.Compare(a.Kernel, b.Kernel), strings.Compare(string(a.Phase), string(b.Phase)), strings.Compare(a.In, b.In))
	})
	sorted := make([]LaunchedRow, len(all))
	for i, at := range order {
		sorted[i] = all[at]
	}
	copy(all, sorted)
}
