package metric

import (
	"cmp"
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// The metrics of single kernels.
const (
	kernelTime     = "kernel_time"
	kernelLaunches = "kernel_launches"
)

// kernelMetrics measure kernels by name.
func kernelMetrics() []Metric {
	of := func(name, unit, doc string, better run.Better) Metric {
		return Metric{
			Metric: run.Metric{Name: name, Unit: unit, Better: better, Doc: doc, Part: "kernel",
				Needs: needsDevice + "; inside graph replays with --cuda-graph-trace=node"},
			Requires: trace.HasDevice,
			Measure:  nil, // measured for all steps at once, see kernelSums
		}
	}
	return []Metric{
		of(kernelTime, "s", "Sum of the durations of a kernel's launches; in captures of more than 64 steps the mean over a 64th of them.", run.Lower),
		of(kernelLaunches, "1", "Launches of a kernel that start in the step; in captures of more than 64 steps the mean over a 64th of them.", run.Neither),
	}
}

// maxKernels bounds the kernels that are kept by name; the rest of a rank's
// are added up. Programs with more have names that number their kernels.
const (
	maxKernels   = 256
	otherKernels = "(other kernels)"
)

// kernelSum is what one kernel did in one step.
type kernelSum struct{ time, launches int64 }

// kernelSums are a rank's kernels by canonical name. Spans are added up by
// number: names are kilobytes long, and a map of them would take longer than
// all other metrics.
type kernelSums struct {
	byName map[string]int32
	number []int32 // by trace.NameID, less 1; 0 not asked yet
	names  []string
	total  []kernelSum
}

// of is the number of a span's kernel.
func (k *kernelSums) of(id trace.NameID, r *Rank) int32 {
	if n := k.number[id]; n > 0 {
		return n - 1
	}
	name := r.kernelName(id)
	n, ok := k.byName[name]
	if !ok {
		n = int32(len(k.names))
		k.byName[name] = n
		k.names, k.total = append(k.names, name), append(k.total, kernelSum{})
	}
	k.number[id] = n + 1
	return n
}

// kernels measures the kernels of steps, whose spans are in windows by step;
// nil is a step without a window.
func (r *Rank) kernels(c *collector, windows [][]trace.Span) {
	k := kernelSums{byName: make(map[string]int32), number: make([]int32, r.Trace.Names.Len())}
	eachKernel(windows, func(_ int, s *trace.Span) {
		t := &k.total[k.of(s.Name, r)]
		t.time += s.End - s.Start
		t.launches++
	})
	row, kept := k.rows()
	sums := make([]kernelSum, len(kept)*c.n)
	eachKernel(windows, func(step int, s *trace.Span) {
		t := &sums[int(row[k.number[s.Name]-1])*c.n+step]
		t.time += s.End - s.Start
		t.launches++
	})
	for i, name := range kept {
		times, launches := filled(c.n, math.NaN()), filled(c.n, math.NaN())
		for step, w := range windows {
			if w != nil {
				times[step], launches[step] = seconds(sums[i*c.n+step].time), float64(sums[i*c.n+step].launches)
			}
		}
		c.add(run.Key{Metric: kernelTime, Part: name}, inStretches(times, 1e-9))
		c.add(run.Key{Metric: kernelLaunches, Part: name}, inStretches(launches, 0))
	}
}

// kernelStretches is how many different values a kernel's series has at most. A job has
// hundreds of kernels, and nothing asks for one of them in a single step of thousands:
// their noise alone would make a saved summary of such a run several times larger.
const kernelStretches = 64

// inStretches is v, in steps, where there are more than kernelStretches of them with the
// mean of each stretch of steps in its place, so that sums over stretches stay; to is
// what the mean is rounded to, 0 nothing.
func inStretches(v []float64, to float64) []float64 {
	length := (len(v) + kernelStretches - 1) / kernelStretches
	for from := 0; length > 1 && from < len(v); from += length {
		part := v[from:min(from+length, len(v))]
		sum, n := 0.0, 0
		for _, x := range part {
			if !math.IsNaN(x) {
				sum, n = sum+x, n+1
			}
		}
		mean := sum / float64(n)
		if to > 0 {
			mean = float64(math.Round(mean/to) * to)
		}
		for i, x := range part {
			if !math.IsNaN(x) {
				part[i] = mean
			}
		}
	}
	return v
}

// Work is what the kernels did in the whole capture, those with the most time.
func (r *Rank) Work() []run.Work {
	k := kernelSums{byName: make(map[string]int32), number: make([]int32, r.Trace.Names.Len())}
	for i := range r.Trace.Device {
		if s := &r.Trace.Device[i]; s.Kind == trace.Kernel {
			t := &k.total[k.of(s.Name, r)]
			t.time += s.End - s.Start
			t.launches++
		}
	}
	all := make([]run.Work, len(k.names))
	for i, name := range k.names {
		all[i] = run.Work{Kernel: name, Launches: int(k.total[i].launches), Time: k.total[i].time}
		if _, comm := trace.Collective(name); !comm {
			all[i].Family = trace.Family(name, r.Trace.Families)
		}
	}
	for id, n := range k.number { // in order of name ids: of two names alike the first counts
		if s := r.Trace.Shapes[trace.NameID(id)]; n > 0 && s.Known() && !all[n-1].Shape.Known() {
			all[n-1].Shape = s
		}
	}
	return run.AddWork(all, nil)
}

// eachKernel calls f for each kernel and graph replay of the steps.
func eachKernel(windows [][]trace.Span, f func(step int, s *trace.Span)) {
	for step, spans := range windows {
		for i := range spans {
			if s := &spans[i]; s.Kind == trace.Kernel || s.Kind == trace.Graph {
				f(step, s)
			}
		}
	}
}

// rows gives each kernel its row among those that are kept: the maxKernels
// with the most time, and one for the rest where there are more.
func (k *kernelSums) rows() (row []int32, kept []string) {
	order := make([]int32, len(k.names))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(-cmp.Compare(k.total[a].time, k.total[b].time), cmp.Compare(k.names[a], k.names[b]))
	})
	row = make([]int32, len(k.names))
	for place, i := range order {
		row[i] = int32(min(place, maxKernels))
		if place < maxKernels {
			kept = append(kept, k.names[i])
		}
	}
	if len(order) > maxKernels {
		kept = append(kept, otherKernels)
	}
	return row, kept
}
