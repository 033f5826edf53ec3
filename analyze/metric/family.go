package metric

import (
	"perfdiff/analyze/trace"
)

// wholeCapture walks through all device work: it adds up what each kernel does in the capture,
// and splits the compute time of each step by the family of its kernels. Where kernels
// run side by side, the time belongs to the one that began first, so that the families
// add up to the union exactly. order are the steps with a window in order of time.
func (r *Rank) wholeCapture(c *collector, steps []trace.Step, order []int) {
	f := familyNumbers{byName: map[string]int16{}}
	sums := make([][]int64, len(steps))
	covered, at := int64(trace.NoTime), 0
	for i := range r.Trace.Device {
		s := &r.Trace.Device[i]
		kernel := int32(-1)
		if s.Kind == trace.Kernel {
			kernel = r.kernels.of(s.Name, r)
			r.kernels.capture[kernel].add(s)
			if s.Class == trace.Comm {
				r.kernels.coll[kernel] = s.Coll
			}
		}
		if s.End <= covered || s.Class != trace.Compute && s.Class != trace.ClassUnknown {
			continue
		}
		lo := max(s.Start, covered)
		covered = s.End
		for at < len(order) && steps[order[at]].End <= lo {
			at++
		}
		for k := at; k < len(order) && steps[order[k]].Start < s.End; k++ {
			st, n := &steps[order[k]], f.number(r, kernel)
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
	byName map[string]int16
	names  []string
	graph  int16 // 1 + number of replays
}

// number is that of a kernel's family; -1 is a graph's replay.
func (f *familyNumbers) number(r *Rank, kernel int32) int {
	known := &f.graph
	if kernel >= 0 {
		known = &r.kernels.family[kernel]
	}
	if *known == 0 {
		family := "graph"
		if kernel >= 0 {
			family = trace.Family(r.kernels.names[kernel], r.Trace.Families)
		}
		*known = f.add(family) + 1
	}
	return int(*known) - 1
}

func (f *familyNumbers) add(name string) int16 {
	n, ok := f.byName[name]
	if !ok {
		n = int16(len(f.names))
		f.byName[name], f.names = n, append(f.names, name)
	}
	return n
}
