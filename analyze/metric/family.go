package metric

import (
	"math"

	"perfdiff/analyze/kernelname"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// familySplit splits the compute time of each step by family of kernel. Where kernels run side
// by side, the time counts for the one that began first, so that the families add up to
// compute_time exactly.
type familySplit struct {
	rank    *Rank
	steps   []trace.Step
	order   []int // the steps with a window in order of time
	at      int   // in order: the first that ends behind what was covered
	covered int64 // until when the time was given away
	numbers familyNumbers
	sums    [][]int64 // ns, by step and family

	from, to int64   // when only one step is there, as mostly
	alone    []int64 // its sums
}

func newFamilySplit(r *Rank, steps []trace.Step, order []int) *familySplit {
	return &familySplit{rank: r, steps: steps, order: order, covered: trace.NoTime,
		numbers: familyNumbers{byName: map[string]int16{}}, sums: make([][]int64, len(steps)), from: math.MaxInt64}
}

// assign adds the part of a span that no earlier span covers to the steps that it touches. Spans come in order of
// start. kernel is the number of its name, or -1 for the replay of a graph.
func (f *familySplit) assign(s *trace.Span, kernel int32) {
	steps, order := f.steps, f.order
	lo := max(s.Start, f.covered)
	f.covered = s.End
	if lo >= f.from && s.End > f.from && s.End <= f.to {
		if n := f.numbers.number(f.rank, kernel); n < len(f.alone) {
			f.alone[n] += s.End - lo
			return
		}
	}
	for f.at < len(order) && steps[order[f.at]].End <= lo {
		f.at++
	}
	for k := f.at; k < len(order) && steps[order[k]].Start < s.End; k++ {
		st, n := &steps[order[k]], f.numbers.number(f.rank, kernel)
		sum := f.sums[order[k]]
		if n >= len(sum) {
			sum = append(sum, make([]int64, n+8-len(sum))...)
			f.sums[order[k]] = sum
		}
		if part := min(s.End, st.End) - max(lo, st.Start); part > 0 {
			sum[n] += part // no step ends the walk: one that is left out can lie over others
		}
	}
	f.findAlone()
}

// findAlone finds from when to when only the first step can get time, of those that end after what was covered.
func (f *familySplit) findAlone() {
	f.from, f.to = math.MaxInt64, math.MinInt64
	if f.at == len(f.order) {
		return
	}
	st := &f.steps[f.order[f.at]]
	f.from, f.to, f.alone = st.Start, st.End, f.sums[f.order[f.at]]
	if f.at+1 < len(f.order) {
		f.to = min(f.to, f.steps[f.order[f.at+1]].Start)
	}
}

// put writes the compute time of the steps by family into the series.
func (f *familySplit) put(c *seriesBuilder) {
	at := make([]seriesPlace, len(f.numbers.names))
	for i, of := range f.sums {
		for n, ns := range of {
			if n < len(f.numbers.names) {
				c.putAt(&at[n], run.ComputeTime, f.numbers.names[n], i, seconds(ns))
			}
		}
	}
}

// familyNumbers numbers the families of a trace in the order in which they appear.
type familyNumbers struct {
	byName map[string]int16
	names  []string
	graph  int16 // 1 + number of replays
}

// number returns the number of a kernel's family; kernel -1 stands for the replay of a graph.
func (f *familyNumbers) number(r *Rank, kernel int32) int {
	known := &f.graph
	if kernel >= 0 {
		known = &r.kernels.family[kernel]
	}
	if *known == 0 {
		family := "graph"
		if kernel >= 0 {
			family = kernelname.Family(r.kernels.all.At(int(kernel)).name, r.Trace.Families)
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
