package run

import (
	"cmp"
	"slices"
	"strings"
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

// Phases are all of them, in that order.
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

// MaxLaunched is how many rows a rank keeps, beside one for each kernel that holds what the other
// rows of it had. Chosen, not measured: jobs with 70 kernels have 40 to 120 rows.
const MaxLaunched = 192

// Plus is both together; nil of two that are nil.
func (l *Launched) Plus(m *Launched) *Launched {
	switch {
	case l == nil:
		return m
	case m == nil:
		return l
	}
	return &Launched{Steps: l.Steps + m.Steps, Rows: TopLaunched(slices.Concat(l.Rows, m.Rows))}
}

// TopLaunched adds up rows of one phase, place and kernel. The MaxLaunched with the most time stay;
// the others are added up by phase and kernel, so that no time of a kernel is lost.
func TopLaunched(all []LaunchedRow) []LaunchedRow {
	all = sumLaunched(all)
	if len(all) > MaxLaunched {
		rest := slices.Clone(all[MaxLaunched:])
		for i := range rest {
			rest[i].In = OtherPlaces
		}
		all = sumLaunched(slices.Concat(all[:MaxLaunched], rest))
	}
	return all
}

// sumLaunched adds up rows that are alike but for time and launches, the longest first.
func sumLaunched(all []LaunchedRow) []LaunchedRow {
	at := make(map[LaunchedRow]int, len(all))
	out := make([]LaunchedRow, 0, len(all))
	for _, row := range all {
		key := LaunchedRow{Phase: row.Phase, In: row.In, Kernel: row.Kernel}
		i, known := at[key]
		if !known {
			at[key] = len(out)
			out = append(out, row)
			continue
		}
		out[i].Time, out[i].Launches = out[i].Time+row.Time, out[i].Launches+row.Launches
	}
	order := make([]int, len(out)) // to sort rows themselves would be twenty kilobytes of program more
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		a, b := &out[i], &out[j]
		return cmp.Or(cmp.Compare(b.Time, a.Time), strings.Compare(a.Kernel, b.Kernel), strings.Compare(string(a.Phase), string(b.Phase)), strings.Compare(a.In, b.In))
	})
	sorted := make([]LaunchedRow, len(out))
	for i, at := range order {
		sorted[i] = out[at]
	}
	return sorted
}
