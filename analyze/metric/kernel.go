package metric

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"perfdiff/analyze/kernelname"
	"perfdiff/analyze/run"
	"perfdiff/analyze/source/remedy"
	"perfdiff/analyze/trace"
)

// The metrics of single kernels.
const (
	kernelTime     = run.KernelTime
	kernelLaunches = run.KernelLaunches
)

// kernelMetrics measure kernels by name.
func kernelMetrics() []Metric {
	of := func(name, unit, doc, formula string, better run.Better) Metric {
		return Metric{
			Metric: run.Metric{Name: name, Unit: unit, Better: better, Doc: doc, Part: "kernel",
				Remedy: needsDevice.Then(remedy.Of(remedy.GraphKernels)),
				Traits: run.Traits{Section: run.SectionKernels, Formula: formula}},
			Requires: trace.HasDevice,
			MadeOf:   kindOfWork,
			When:     InCapture,
			With:     kernelTime,
		}
	}
	time := of(kernelTime, "s", "Sum of the durations of a kernel's launches; in captures of more than 64 steps the mean over a 64th of them.",
		"sum over launches that start in the step, by name without numbers and hashes", run.Lower)
	time.With, time.Finish = "", func(m *measurer, into *seriesBuilder) { m.rank.kernels.put(into) }
	return []Metric{
		time,
		of(kernelLaunches, "1", "Launches of a kernel that start in the step; in captures of more than 64 steps the mean over a 64th of them.",
			"count, by name without numbers and hashes", run.Neither),
	}
}

// maxKernels bounds the kernels that are kept by name; the rest of a rank's
// are added up. Programs with more have names that number their kernels.
const (
	// maxKernelSeries is how many kernels of a rank have series by name; the rest are added up.
	// Programs with more have numbers in the names of their kernels.
	maxKernelSeries = 256
	otherKernels    = "(other kernels)"
)

// kernelSum is the time of a kernel, in ns, and how often it was launched.
type kernelSum struct{ time, launches int64 }

// kernelSums holds a rank's kernels and graph replays by canonical name. They are added up by the number of the name's
// group: names are kilobytes long, and a map of them would take longer than all other metrics.
type kernelSums struct {
	*nameGroups
	replays    map[int32]kernelSum // by number: of graphs, in the whole capture
	repeated   []run.Durations     // by number: what kept steps have in common with earlier ones
	family     []int16             // by number, less 1; 0 not asked yet
	collective []trace.NameID      // by number: collective of a communication kernel, 0 of another
	inSteps    []kernelSum         // in the windows of steps
	inStep     []kernelSum         // in the step that is added up
	touched    []int32             // kernels in it
	cells      [][]kernelCell      // by step, of the kernels in it
	before     map[int]int64       // by number: launches before the first kept step; nil: there was none yet
}

// kernelCell is how long one kernel ran in one step, and how often.
type kernelCell struct {
	time             int64
	launches, kernel int32
}

// groupNumber returns the number of the group that a kernel's name is in.
func (k *kernelSums) groupNumber(id trace.NameID) int32 {
	if n := k.groupOf[id]; n > 0 {
		return n - 1
	}
	k.groupOf[id] = k.findGroup(id)
	for len(k.family) < k.all.Len() {
		k.family, k.collective = append(k.family, 0), append(k.collective, 0)
		k.inSteps, k.inStep = append(k.inSteps, kernelSum{}), append(k.inStep, kernelSum{})
	}
	return k.groupOf[id] - 1
}

// addToStep adds launches to the step that is being measured.
func (k *kernelSums) addToStep(n int32, ns []int64) {
	x := &k.inStep[n]
	if x.launches == 0 {
		k.touched = append(k.touched, n)
	}
	x.launches += int64(len(ns))
	for _, v := range ns {
		x.time += v
	}
}

// endStep keeps what was added as the step with an index; each step is ended once.
func (k *kernelSums) endStep(at int) {
	for at >= len(k.cells) {
		k.cells = append(k.cells, nil)
	}
	k.cells[at] = make([]kernelCell, len(k.touched))
	for i, n := range k.touched {
		sum := k.inStep[n]
		k.inSteps[n].time, k.inSteps[n].launches = k.inSteps[n].time+sum.time, k.inSteps[n].launches+sum.launches
		k.cells[at][i] = kernelCell{sum.time, int32(sum.launches), n}
		k.inStep[n] = kernelSum{}
	}
	k.touched = k.touched[:0]
}

// stats returns the rows of the kernels for the kept steps.
func (k *kernelSums) stats() (out []run.Stat) {
	if k.repeated == nil {
		return k.keptStats(run.KernelTable)
	}
	var room run.Durations
	for n := range k.all.Len() {
		d := *k.all.At(n).byScope[keptSteps].sum(&room)
		if n < len(k.repeated) {
			d = d.Plus(&k.repeated[n])
		}
		if d.Count() > 0 {
			out = append(out, d.Stat(run.KernelTable, k.all.At(n).name))
		}
	}
	return out
}

// captureSum returns the time and launches of a kernel in the whole capture, without replays.
func (k *kernelSums) captureSum(n int) kernelSum {
	in, replays := &k.all.At(n).byScope, k.replays[int32(n)]
	return kernelSum{in[keptSteps].total() + in[outsideSteps].total() - replays.time, in[keptSteps].count() + in[outsideSteps].count() - replays.launches}
}

// put writes the kernels of the steps into the series.
func (k *kernelSums) put(c *seriesBuilder) {
	row, names := k.rows()
	sums := make([]kernelSum, len(names)*c.n)
	for step, cells := range k.cells {
		for _, x := range cells {
			t := &sums[int(row[x.kernel])*c.n+step]
			t.time, t.launches = t.time+x.time, t.launches+int64(x.launches)
		}
	}
	for i, name := range names {
		times, launches := c.unknownValues(), c.unknownValues()
		for _, step := range c.measuredSteps {
			sum := sums[i*c.n+step]
			times[step], launches[step] = seconds(sum.time), float64(sum.launches)
		}
		c.add(run.Key{Metric: kernelTime, Part: name}, stretchMeans(times, 1e-9))
		c.add(run.Key{Metric: kernelLaunches, Part: name}, stretchMeans(launches, 0))
	}
}

// maxKernelValues is how many different values the series of a kernel may have. A job has hundreds of kernels, and
// nobody asks about one of them in a single step out of thousands: their noise would make a saved summary several
// times larger.
const maxKernelValues = 64

// stretchMeans returns v with the mean of each stretch of steps in place of its values, where there
// are more than maxKernelValues steps: the sum over a stretch stays what it was. Means are
// rounded to multiples of to; 0 does not round.
func stretchMeans(v []float64, to float64) []float64 {
	length := (len(v) + maxKernelValues - 1) / maxKernelValues
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

// KernelWork returns what kernels did in the whole capture: those with the most time, once steps were measured.
func (r *Rank) KernelWork() []run.KernelWork {
	if r.lacks(kindOfWork) {
		return nil
	}
	k := &r.kernels
	var all []run.KernelWork
	place := make([]int, k.all.Len()) // in all, less 1
	for _, n := range k.topForWork() {
		sum := k.captureSum(n)
		w := run.KernelWork{Kernel: k.all.At(n).name, Launches: int(sum.launches), Time: sum.time}
		if k.before != nil {
			w.Before = 1 + int(k.before[n])
		}
		if coll := k.collective[n]; coll != 0 {
			w.Collective, w.Library = r.Trace.Names.Text(coll), kernelname.LibraryOf(w.Kernel)
		} else {
			w.Family = kernelname.Family(w.Kernel, r.Trace.Families)
		}
		all = append(all, w)
		place[n] = len(all)
	}
	for id, n := range k.groupOf { // in order of name ids: of two names alike the first counts
		if n == 0 || place[n-1] == 0 {
			continue
		}
		if s, w := r.Trace.Shapes[trace.NameID(id)], &all[place[n-1]-1]; s.Known() && !w.Shape.Known() {
			w.Shape = s
		}
	}
	r.operations.addTo(all, func(s *trace.Span) int { return place[k.groupNumber(s.Name)] - 1 }, r.Trace.Device)
	return run.MergeKernelWork(all, nil)
}

// topForWork returns the kernels that MergeKernelWork may keep: all that communicate, and of the others those with the
// most time.
func (k *kernelSums) topForWork() []int {
	var list, others []int
	for n := range k.all.Len() {
		switch {
		case k.captureSum(n).launches == 0:
		case k.collective[n] != 0:
			list = append(list, n)
		default:
			others = append(others, n)
		}
	}
	return append(list, k.top(others, run.MaxKernelWork, func(n int) int64 { return k.captureSum(n).time })...)
}

// rows gives each kernel the row that its series is: one each for the maxKernelSeries with the
// most time, and one for all others.
func (k *kernelSums) rows() (row []int32, names []string) {
	var order []int
	for n, sum := range k.inSteps {
		if sum.launches > 0 {
			order = append(order, n)
		}
	}
	row = make([]int32, k.all.Len())
	for _, n := range order {
		row[n] = maxKernelSeries
	}
	for place, n := range k.top(order, maxKernelSeries, func(n int) int64 { return k.inSteps[n].time }) {
		row[n] = int32(place)
		names = append(names, k.all.At(n).name)
	}
	if len(order) > maxKernelSeries {
		names = append(names, otherKernels)
	}
	return row, names
}

// top puts the many kernels of list with the most time first and returns them; of equal ones
// those first in order of name. The list can have a million.
func (k *kernelSums) top(list []int, many int, time func(n int) int64) []int {
	var out []int
	for _, i := range placesOfLargest(len(list), many, func(i int) int64 { return time(list[i]) }) {
		out = append(out, list[i])
	}
	slices.SortFunc(out, func(a, b int) int {
		if c := cmp.Compare(time(b), time(a)); c != 0 {
			return c
		}
		return strings.Compare(k.all.At(a).name, k.all.At(b).name)
	})
	return out[:min(many, len(out))]
}
