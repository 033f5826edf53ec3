package metric

import (
	"perfdiff/analyze/trace"
)

// families splits the compute time of each step by the family of its kernels.
// Where kernels run side by side, the time belongs to the one that began first,
// so that the families add up to the union exactly. order are the steps with a window
// in order of time.
func (r *Rank) families(c *collector, steps []trace.Step, order []int) {
	f := familyNumbers{rank: r, of: make([]int16, r.Trace.Names.Len()), byName: map[string]int16{}}
	sums := make([][]int64, len(steps))
	covered, at := int64(trace.NoTime), 0
	for i := range r.Trace.Device {
		s := &r.Trace.Device[i]
		if s.End <= covered || s.Class != trace.Compute && s.Class != trace.ClassUnknown {
			continue
		}
		lo := max(s.Start, covered)
		covered = s.End
		for at < len(order) && steps[order[at]].End <= lo {
			at++
		}
		for k := at; k < len(order) && steps[order[k]].Start < s.End; k++ {
			st, n := &steps[order[k]], f.number(s)
			sum := sums[order[k]]
			if n >= len(sum) {
				sum = append(sum, make([]int64, n+8-len(sum))...)
				sums[order[k]] = sum
			}
			if part := min(s.End, st.End) - max(lo, st.Start); part > 0 {
				sum[n] += part
			}
			if s.End <= st.End {
				break
			}
		}
	}
	for i, of := range sums {
		for n, ns := range of {
			if n < len(f.names) {
				c.put("compute_time", f.names[n], i, seconds(ns))
			}
		}
	}
}

// familyNumbers numbers the families of a trace in order of appearance.
type familyNumbers struct {
	rank   *Rank
	of     []int16 // by name, 1 + number; 0 not asked
	byName map[string]int16
	names  []string
	graph  int // 1 + number of replays
}

func (f *familyNumbers) number(s *trace.Span) int {
	if s.Kind == trace.Graph {
		if f.graph == 0 {
			f.graph = int(f.add("graph")) + 1
		}
		return f.graph - 1
	}
	n := f.of[s.Name]
	if n == 0 {
		n = f.add(trace.Family(f.rank.kernelName(s.Name), f.rank.Trace.Families)) + 1
		f.of[s.Name] = n
	}
	return int(n) - 1
}

func (f *familyNumbers) add(name string) int16 {
	n, ok := f.byName[name]
	if !ok {
		n = int16(len(f.names))
		f.byName[name], f.names = n, append(f.names, name)
	}
	return n
}
