package rocpd

import (
	"cmp"
	"slices"
	"strings"

	"perfdiff/analyze/kernelname"
	"perfdiff/analyze/trace"
)

// Kernels of RCCL are all called Generic. What one does says the call of RCCL during which it
// was launched, or at the end of a group the calls in it.

// rcclCall is a call of RCCL during which kernels are launched.
type rcclCall struct {
	start, end int64
	coll       string // "" where the calls of a group differ
}

// nameCollectives gives the generic kernels of a process the collectives that were called.
func (r *reader) nameCollectives(p *process) {
	calls := r.rcclCalls(p)
	for _, d := range p.devices {
		for i := range d.spans {
			s := &d.spans[i]
			if len(calls) == 0 || s.Class != trace.Comm || s.Launch == trace.NoTime || r.names.Text(r.messages.Coll(s)) != "Generic" {
				continue
			}
			if coll := during(calls, s.Launch); coll != "" {
				s.SetMessage(r.messages.Add(trace.Message{Coll: r.names.ID(coll)}))
			}
		}
	}
}

// rcclCalls returns the RCCL calls of a process, in order of start.
func (r *reader) rcclCalls(p *process) (all []rcclCall) {
	var ranges []trace.Range
	for _, x := range p.ranges {
		if x.Domain != 0 {
			ranges = append(ranges, x)
		}
	}
	slices.SortFunc(ranges, func(a, b trace.Range) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	type group struct {
		depth int
		colls []string
	}
	open := make(map[int32]*group) // by thread
	for _, x := range ranges {
		name := r.names.Text(x.Name)
		g := open[x.Thread]
		if g == nil {
			g = new(group)
			open[x.Thread] = g
		}
		coll := kernelname.CollectiveName(strings.TrimPrefix(name, "nccl"))
		switch {
		case name == "ncclGroupStart":
			g.depth++
		case name == "ncclGroupEnd":
			if g.depth = max(0, g.depth-1); g.depth == 0 {
				all = append(all, rcclCall{x.Start, x.End, common(g.colls)})
				g.colls = nil
			}
		case coll == "Generic": // of no collective
		case g.depth > 0:
			g.colls = append(g.colls, coll)
		default:
			all = append(all, rcclCall{x.Start, x.End, coll})
		}
	}
	return all
}

// common returns the one that all are, "" where they differ.
func common(colls []string) string {
	if len(colls) == 0 || slices.ContainsFunc(colls, func(c string) bool { return c != colls[0] }) {
		return ""
	}
	return colls[0]
}

// during returns the collective whose call is under way at a time, "" if there is none or if calls of several threads
// differ.
func during(calls []rcclCall, at int64) (coll string) {
	const depth = 8 // as many may be under way at once
	behind, _ := slices.BinarySearchFunc(calls, at, func(c rcclCall, at int64) int {
		if c.start <= at {
			return -1
		}
		return 1
	})
	for _, c := range calls[max(0, behind-depth):behind] {
		switch {
		case c.end <= at:
		case coll != "" && coll != c.coll:
			return ""
		default:
			coll = c.coll
		}
	}
	return coll
}
