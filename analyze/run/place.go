package run

import (
	"cmp"
	"slices"
	"strings"
)

// Place is where in the program the host was while the device was idle, of what the
// profiler of a framework records.
type Place struct {
	Operator string // the outermost: "aten::linear"; "" outside of operators
	Function string // the innermost long one, outside of operators: "step (adamw.py)"; "" unknown
	Module   string // the innermost, without its number: "Linear"; "" outside of modules
	Time     int64  // ns
}

// MostPlaces is how many places a rank remembers.
const MostPlaces = 24

// AddPlaces are the places of both lists, each once, the longest first.
func AddPlaces(a, b []Place) []Place {
	sums := map[Place]int64{}
	for _, p := range slices.Concat(a, b) {
		key := p
		key.Time = 0
		sums[key] += p.Time
	}
	out := make([]Place, 0, len(sums))
	for p, ns := range sums {
		p.Time = ns
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b Place) int {
		return cmp.Or(cmp.Compare(b.Time, a.Time), strings.Compare(a.Operator, b.Operator), strings.Compare(a.Function, b.Function), strings.Compare(a.Module, b.Module))
	})
	return out[:min(MostPlaces, len(out))]
}

// String is the place in words: "aten::linear of module Linear".
func (p Place) String() string {
	what := cmp.Or(p.Operator, p.Function)
	switch {
	case p.Module == "":
		return what
	case what == "":
		return "module " + p.Module
	}
	return what + " of module " + p.Module
}
