package metric

import (
	"perfdiff/analyze/trace"
)

// families splits the compute time of each step by the family of its kernels.
// Where kernels run side by side, the time belongs to the one that began first,
// so that the families add up to the union exactly.
func (r *Rank) families(c *collector, steps []trace.Step) {
	order := inOrder(steps, c.measured)
	family := make([]int16, r.Trace.Names.Len()) // 1 + number; 0 not asked
	byName, names := map[string]int16{}, []string{}
	number := func(s *trace.Span) int16 {
		if s.Kind != trace.Graph && family[s.Name] > 0 {
			return family[s.Name] - 1
		}
		name := "graph"
		if s.Kind != trace.Graph {
			name = trace.Family(trace.CanonicalKernel(r.Trace.Names.Text(s.Name)), r.Trace.Families)
		}
		n, ok := byName[name]
		if !ok {
			n = int16(len(names))
			byName[name], names = n, append(names, name)
		}
		if s.Kind != trace.Graph {
			family[s.Name] = n + 1
		}
		return n
	}
	sums := make([][]int64, len(steps))
	covered, at := int64(trace.NoTime), 0
	for i := range r.Trace.Device {
		s := &r.Trace.Device[i]
		if s.Class != trace.Compute && s.Class != trace.ClassUnknown || s.End <= covered {
			continue
		}
		lo := max(s.Start, covered)
		covered = s.End
		for at < len(order) && steps[order[at]].End <= lo {
			at++
		}
		for k := at; k < len(order) && steps[order[k]].Start < s.End; k++ {
			st := &steps[order[k]]
			if part := min(s.End, st.End) - max(lo, st.Start); part > 0 {
				n := int(number(s))
				for len(sums[order[k]]) <= n {
					sums[order[k]] = append(sums[order[k]], 0)
				}
				sums[order[k]][n] += part
			}
		}
	}
	for i, of := range sums {
		for n, ns := range of {
			c.put("compute_time", names[n], i, seconds(ns))
		}
	}
}
