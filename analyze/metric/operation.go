package metric

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"perfdiff/analyze/flop"
	"perfdiff/analyze/kernelname"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// operations ties the operators whose work is counted to the kernels that they launched.
type operations struct {
	*trace.Trace
	list   []operation
	of     []int32 // by span of the device: 1 + index in list of the operator that launched it; 0: none
	peak   flop.Peak
	isPeak bool // it is known
}

// operation is an operator with its kernels, in addition to what the trace says.
type operation struct {
	time  int64            // ns, sum of the durations of its kernels
	span  int32            // index of the longest of them, which its work counts for; -1: it launched none
	typ   trace.NumberType // that its work is done in, as far as known
	known bool             // what it computes
}

// newOperations ties them, nil where no sizes were recorded.
func newOperations(r *Rank) *operations {
	t := r.Trace
	if !t.Recorded.Has(trace.HasSizes | trace.HasLaunches) {
		return nil
	}
	o := &operations{Trace: t, list: make([]operation, len(t.Operations)), of: make([]int32, len(t.Device))}
	for i := range o.list {
		work := o.work(int32(i))
		o.list[i] = operation{span: -1, typ: work.Type, known: work.FLOPs > 0}
	}
	o.tie()
	o.setTypes()
	for _, f := range t.Facts {
		if f.Key == trace.FactGPU {
			o.peak, o.isPeak = flop.PeakOf(f.Value)
		}
	}
	return o
}

// work returns the work of an operator.
func (o *operations) work(operator int32) *trace.Work { return &o.Works[o.Operations[operator].Work] }

// tie finds for each kernel the operator that is open on the thread of its launch. Operators of one thread do not
// overlap.
func (o *operations) tie() {
	t := o.Trace
	order := make([]int32, 0, len(t.Device)) // kernels by launch
	for i := range t.Device {
		if s := &t.Device[i]; s.Class == trace.Compute && s.Launch != trace.NoTime {
			order = append(order, int32(i))
		}
	}
	byLaunch := func(a, b int32) int {
		return cmp.Or(cmp.Compare(t.Device[a].Launch, t.Device[b].Launch), cmp.Compare(a, b))
	}
	if !slices.IsSortedFunc(order, byLaunch) {
		slices.SortFunc(order, byLaunch)
	}
	var threads openOperators
	for i := range t.Operations {
		on := threads.of(t.Operations[i].Thread)
		*on = append(*on, int32(i))
	}
	calls := t.API
	for _, i := range order {
		s := &t.Device[i]
		if calls = calls[nextCall(calls, s.Launch):]; len(calls) == 0 || calls[0].Start != s.Launch {
			continue
		}
		on := threads.of(t.Names.Caller(calls[0]).Thread)
		for len(*on) > 0 && t.Operations[(*on)[0]].End <= s.Launch {
			*on = (*on)[1:]
		}
		if len(*on) > 0 && t.Operations[(*on)[0]].Start <= s.Launch {
			o.add((*on)[0], i)
		}
	}
}

// openOperators holds the operators that had not ended before the launches so far, by thread and index.
type openOperators struct {
	all    map[int32]*[]int32
	last   *[]int32 // of the thread asked for last
	thread int32
}

// of returns the open operators of a thread.
func (x *openOperators) of(thread int32) *[]int32 {
	if x.last != nil && x.thread == thread {
		return x.last
	}
	if x.all == nil {
		x.all = map[int32]*[]int32{}
	}
	if x.all[thread] == nil {
		x.all[thread] = new([]int32)
	}
	x.last, x.thread = x.all[thread], thread
	return x.last
}

// add ties a kernel to an operator.
func (o *operations) add(operator, span int32) {
	x, length := &o.list[operator], o.Device[span].End-o.Device[span].Start
	o.of[span] = operator + 1
	x.time += length
	if x.span < 0 || length > o.Device[x.span].End-o.Device[x.span].Start {
		x.span = span
	}
}

// setTypes sets the number type of each operator's work. Where it was not recorded, it is the type of most of the
// other work; float32 matrices are multiplied in TF32 if the kernel's name says so.
func (o *operations) setTypes() {
	var sums [trace.NumberTypes]float64
	tf32 := map[trace.NameID]bool{} // by kernel's name, as far as asked
	for i := range o.list {
		if x := &o.list[i]; x.known && x.span >= 0 {
			name := o.Device[x.span].Name
			uses, asked := tf32[name]
			if !asked {
				uses = usesTF32(o.Names.Text(name))
				tf32[name] = uses
			}
			if uses && x.typ == trace.Float32 {
				x.typ = trace.TensorFloat32
			}
			sums[x.typ] += o.work(int32(i)).FLOPs
		}
	}
	most := trace.UnknownType
	for typ := most + 1; typ < trace.NumberTypes; typ++ {
		if sums[typ] > sums[most] || most == trace.UnknownType && sums[typ] > 0 {
			most = typ
		}
	}
	for i := range o.list {
		if o.list[i].typ == trace.UnknownType {
			o.list[i].typ = most
		}
	}
}

// usesTF32 reports whether a kernel multiplies float32 in TF32, as cuBLAS, cuDNN and CUTLASS name
// theirs: "…_tf32f32_…", "cutlass_80_tensorop_s1688gemm_…".
func usesTF32(kernel string) bool {
	return strings.Contains(kernel, "tf32") || strings.Contains(kernel, "s1688")
}

// mayMultiply reports whether kernels of a family may multiply matrices. The work of other kernels is not counted, so
// no FLOPs are missing for their time.
func mayMultiply(family string) bool {
	switch family {
	case "normalization", "elementwise", "reduction", "optimizer", "memory movement":
		return false
	}
	return true
}

// leastKnown is the share of the time of kernels that may multiply matrices for which FLOPs must be known before their
// sum is a step's. Chosen, not measured: what is missing makes a sum too small by about its share.
const leastKnown = 0.8

// knownShare returns for which share of the time of these kernels the FLOPs are known, over the kept steps; NaN: there
// are none.
func (o *operations) knownShare(r *Rank, steps []trace.Step) float64 {
	known, all := int64(0), int64(0)
	may := map[trace.NameID]bool{}
	for i := range steps {
		if st := &steps[i]; st.Dropped == "" && st.HasWindow() {
			from := startingAt(r.Trace.Device, st.Start, spanStart)
			to := from + startingAt(r.Trace.Device[from:], st.End, spanStart)
			k, a := o.knownTime(r, from, to, may)
			known, all = known+k, all+a
		}
	}
	if all == 0 {
		return math.NaN()
	}
	return float64(known) / float64(all)
}

// knownTime returns the time, in ns, of the spans [from, to) that may multiply matrices, and the part of it with known
// FLOPs.
func (o *operations) knownTime(r *Rank, from, to int, may map[trace.NameID]bool) (known, all int64) {
	for i := from; i < to; i++ {
		s := &r.Trace.Device[i]
		length := s.End - s.Start
		if n := o.of[i]; n > 0 {
			all += length
			if o.list[n-1].known {
				known += length
			}
			continue
		}
		if s.Class != trace.Compute && s.Class != trace.ClassUnknown {
			continue
		}
		counts, asked := may[s.Name]
		if !asked {
			counts = s.Kind == trace.Graph || mayMultiply(kernelname.Family(r.kernelName(s.Name), r.Trace.Families))
			may[s.Name] = counts
		}
		if counts {
			all += length
		}
	}
	return known, all
}

// whyUnknown says why FLOPs are not used, "" where enough of them are known.
func whyUnknown(share float64) string {
	if math.IsNaN(share) || share >= leastKnown {
		return ""
	}
	return fmt.Sprintf("sizes of the arguments of all that multiplies matrices: they are known for %.0f %% of the time of such kernels, and %.0f %% are needed",
		math.Floor(100*share), 100*leastKnown)
}

// addTo adds the work of operators to the kernels that did it. place returns the index of a span's kernel, negative if
// it is not kept.
func (o *operations) addTo(all []run.KernelWork, place func(*trace.Span) int, device []trace.Span) {
	if o == nil {
		return
	}
	for i := range o.list {
		x := &o.list[i]
		if x.span < 0 || !x.known {
			continue
		}
		if n := place(&device[x.span]); n >= 0 {
			all[n].FLOPs, all[n].Counted = all[n].FLOPs+o.work(int32(i)).FLOPs, all[n].Counted+1
		}
	}
}
