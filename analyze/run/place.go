package run

import (
	"cmp"
	"slices"
	"strings"
)

// HostPlace says where in the program the host was while the device was idle, if a framework's profiler recorded it.
type HostPlace struct {
	Operator string `report:"operator"` // the outermost: "aten::linear"; "" outside of operators
	Function string `report:"function"` // the innermost long one, outside of operators: "step (adamw.py)"; "" unknown
	Module   string `report:"module"`   // the innermost, without its number: "Linear"; "" outside of modules
	Time     int64  `report:"time,ns"`  // ns
}

// MaxHostPlaces is how many places a rank keeps.
const MaxHostPlaces = 24

// MergeHostPlaces adds up the times of equal places of both lists, the longest first, and at
// most MaxHostPlaces of them.
func MergeHostPlaces(a, b []HostPlace) []HostPlace {
	sums := map[HostPlace]int64{}
	for _, p := range slices.Concat(a, b) {
		key := p
		key.Time = 0
		sums[key] += p.Time
	}
	out := make([]HostPlace, 0, len(sums))
	for p, ns := range sums {
		p.Time = ns
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b HostPlace) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), strings.Compare(a.Operator, b.Operator), strings.Compare(a.Function, b.Function), strings.Compare(a.Module, b.Module))
	})
	return out[:min(MaxHostPlaces, len(out))]
}

// String returns the place as people read it: "aten::linear of module Linear".
func (p HostPlace) String() string {
	what := cmp.Or(p.Operator, p.Function)
	switch {
	case p.Module == "":
		return what
	case what == "":
		return "module " + p.Module
	}
	return what + " of module " + p.Module
}
