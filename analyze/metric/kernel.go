package metric

import (
	"cmp"
	"math"
	"slices"
	"strings"

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
			Measure:  nil, // measured beside the list of metrics, see kernels
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

// kernelSum is what one kernel did: in a step, in all steps or in the whole capture.
type kernelSum struct{ time, launches int64 }

func (k *kernelSum) add(s *trace.Span) {
	k.time += s.End - s.Start
	k.launches++
}

// kernels are a rank's kernels and graph replays by canonical name. Spans are added up
// by number: names are kilobytes long, and a map of them would take longer than all
// other metrics.
type kernels struct {
	number  []int32 // by trace.NameID, less 1; 0 not asked yet
	byName  map[string]int32
	names   []string
	family  []int16        // by number, less 1; 0 not asked yet
	capture []kernelSum    // by number: kernels alone, in the whole capture
	coll    []trace.NameID // by number: collective of a communication kernel, 0 of another
	inSteps []kernelSum    // in the windows of steps
	kept    []run.Durations
	step    []kernelSum    // in the step that is added up
	touched []int32        // kernels in it
	cells   [][]kernelCell // by step, of the kernels in it
}

// kernelCell is what a kernel did in a step.
type kernelCell struct {
	time             int64
	launches, kernel int32
}

func newKernels(names *trace.Names) kernels {
	return kernels{byName: make(map[string]int32), number: make([]int32, names.Len())}
}

// of is the number of a span's kernel.
func (k *kernels) of(id trace.NameID, r *Rank) int32 {
	if n := k.number[id]; n > 0 {
		return n - 1
	}
	name := r.kernelName(id)
	n, ok := k.byName[name]
	if !ok {
		n = int32(len(k.names))
		k.byName[name], k.names, k.family = n, append(k.names, name), append(k.family, 0)
		k.capture, k.inSteps, k.coll = append(k.capture, kernelSum{}), append(k.inSteps, kernelSum{}), append(k.coll, 0)
		if len(k.kept) == cap(k.kept) {
			k.kept = slices.Grow(k.kept, len(k.kept)+1) // append copies a long list four times over
		}
		k.step, k.kept = append(k.step, kernelSum{}), append(k.kept, run.Durations{})
	}
	k.number[id] = n + 1
	return n
}

// addStep adds up the kernels of the step at a place, each step once.
func (k *kernels) addStep(at int, s *Step) {
	for at >= len(k.cells) {
		k.cells = append(k.cells, nil)
	}
	kept := s.Window.Step.Dropped == ""
	for i := range s.Device {
		sp := &s.Device[i]
		if sp.Kind != trace.Kernel && sp.Kind != trace.Graph {
			continue
		}
		n := k.of(sp.Name, s.Rank)
		if k.step[n].launches == 0 {
			k.touched = append(k.touched, n)
		}
		k.step[n].add(sp)
		if kept {
			k.kept[n].Add(sp.End - sp.Start)
		}
	}
	k.cells[at] = make([]kernelCell, len(k.touched))
	for i, n := range k.touched {
		sum := k.step[n]
		k.inSteps[n].time, k.inSteps[n].launches = k.inSteps[n].time+sum.time, k.inSteps[n].launches+sum.launches
		k.cells[at][i] = kernelCell{sum.time, int32(sum.launches), n}
		k.step[n] = kernelSum{}
	}
	k.touched = k.touched[:0]
}

// put puts the kernels of the steps into the series.
func (k *kernels) put(c *collector) {
	row, kept := k.rows()
	sums := make([]kernelSum, len(kept)*c.n)
	for step, cells := range k.cells {
		for _, x := range cells {
			t := &sums[int(row[x.kernel])*c.n+step]
			t.time, t.launches = t.time+x.time, t.launches+int64(x.launches)
		}
	}
	for i, name := range kept {
		times, launches := filled(c.n, math.NaN()), filled(c.n, math.NaN())
		for _, step := range c.measured {
			sum := sums[i*c.n+step]
			times[step], launches[step] = seconds(sum.time), float64(sum.launches)
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

// Work is what the kernels did in the whole capture, those with the most time, once
// steps were measured.
func (r *Rank) Work() []run.Work {
	if r.lacks(kindOfWork) {
		return nil
	}
	k := &r.kernels
	var all []run.Work
	place := make([]int, len(k.names)) // in all, less 1
	for _, n := range k.mostWork() {
		sum := k.capture[n]
		w := run.Work{Kernel: k.names[n], Launches: int(sum.launches), Time: sum.time}
		if coll := k.coll[n]; coll != 0 {
			w.Collective, w.Library = r.Trace.Names.Text(coll), trace.LibraryOf(w.Kernel)
		} else {
			w.Family = trace.Family(w.Kernel, r.Trace.Families)
		}
		all = append(all, w)
		place[n] = len(all)
	}
	for id, n := range k.number { // in order of name ids: of two names alike the first counts
		if n == 0 || place[n-1] == 0 {
			continue
		}
		if s, w := r.Trace.Shapes[trace.NameID(id)], &all[place[n-1]-1]; s.Known() && !w.Shape.Known() {
			w.Shape = s
		}
	}
	return run.AddWork(all, nil)
}

// mostWork are the kernels among which are those that AddWork keeps: what communicates,
// and of the others those with the most time.
func (k *kernels) mostWork() []int32 {
	var list, others []int32
	for n, sum := range k.capture {
		switch {
		case sum.launches == 0:
		case k.coll[n] != 0:
			list = append(list, int32(n))
		default:
			others = append(others, int32(n))
		}
	}
	return append(list, k.most(others, k.capture, run.MostWork)...)
}

// rows gives each kernel its row among those that are kept: the maxKernels
// with the most time, and one for the rest where there are more.
func (k *kernels) rows() (row []int32, kept []string) {
	var order []int32
	for n, sum := range k.inSteps {
		if sum.launches > 0 {
			order = append(order, int32(n))
		}
	}
	row = make([]int32, len(k.names))
	for _, n := range order {
		row[n] = maxKernels
	}
	for place, n := range k.most(order, k.inSteps, maxKernels) {
		row[n] = int32(place)
		kept = append(kept, k.names[n])
	}
	if len(order) > maxKernels {
		kept = append(kept, otherKernels)
	}
	return row, kept
}

// most are the so many kernels of a list with the most time of sums, which come first; of
// equal ones the first by name. The list can have a million.
func (k *kernels) most(list []int32, sums []kernelSum, many int) []int32 {
	if len(list) > many {
		times := make([]int64, len(list))
		for i, n := range list {
			times[i] = sums[n].time
		}
		least := trace.Select(times, len(times)-many)
		list = slices.DeleteFunc(list, func(n int32) bool { return sums[n].time < least })
	}
	slices.SortFunc(list, func(a, b int32) int {
		if c := cmp.Compare(sums[b].time, sums[a].time); c != 0 {
			return c
		}
		return strings.Compare(k.names[a], k.names[b])
	})
	return list[:min(many, len(list))]
}
