package metric

import (
	"math"

	"perfdiff/analyze/run"
	"perfdiff/analyze/source/remedy"
	"perfdiff/analyze/trace"
)

var needsSizes = remedy.Of(remedy.ArgumentSizes)

// flopsMetrics returns the metrics of the work of operators, by the sizes of their arguments, and of how fast it is
// done.
func flopsMetrics() []Metric {
	of := func(name, unit, subject, doc, formula string, better run.Better) Metric {
		return Metric{
			Metric: run.Metric{Name: name, Unit: unit, Better: better, Doc: doc, Part: "family", Remedy: needsSizes,
				Traits: run.Traits{Subject: subject, Section: run.SectionKernels, Formula: formula, Noise: run.NoiseOfWork}},
			Requires: trace.HasSizes,
			MadeOf:   kindOfWork | trace.Calls | trace.Operators | trace.Sizes,
			When:     InCapture,
			With:     run.FLOPs,
			Absent:   math.NaN(),
		}
	}
	flops := of(run.FLOPs, "FLOP", "The work of a step", "Floating-point operations of matrix products, convolutions and attention; of a family, of the operators whose longest kernel is of it. An addition and a multiplication are two.",
		"sum over operators whose longest kernel starts in the step, by the sizes of their arguments; PyTorch: torch/utils/flop_counter.py", run.Neither)
	flops.With, flops.Finish = "", func(m *measurer, into *seriesBuilder) { m.flops.put(m, into) }
	known := of(run.FLOPsKnown, "ratio", "The share of the time whose FLOPs are known", "Of the time of kernels that may multiply matrices, the share of those whose FLOPs are known. Elementwise kernels, reductions, normalizations, optimizers and copies are no such kernels.",
		"time of the kernels of counted operators / that, and the time of kernels of other families", run.Neither)
	known.Part, known.MadeOf = "", kindOfWork|trace.Calls|trace.Operators
	use := of(run.ModelFLOPsUse, "ratio", "Model FLOPs utilization", "Share of what the device can compute at most in the time of the step that the work of operators is (MFU). What a backward pass computes again counts.",
		"flops / (step_time × peak of the device for the type of the numbers, dense, by its data sheet)", run.Higher)
	use.Part, use.Main, use.WhereRecorded = "", true, true
	use.Remedy = needsSizes.Then(remedy.Same(", on a device whose peak is known"))
	bandwidth := of(run.MemoryBandwidthShare, "ratio", "The share of the memory bandwidth", "Share of what the memory of the device can move at most, while kernels of counted operators run, that their arguments and results are, read or written once each. What runs in a cache can exceed it.",
		"elements of arguments and results × their size / (time of the kernels × peak bandwidth of the device, by its data sheet)", run.Higher)
	bandwidth.Remedy = use.Remedy
	return []Metric{
		flops,
		of(run.FLOPsRate, "FLOP/s", "The rate of the work", "Floating-point operations over the time of the kernels that do them.",
			"flops / sum of the durations of the kernels of the operators that are counted", run.Higher),
		use,
		bandwidth,
		known,
	}
}

// workSum is work of operators in a step.
type workSum struct {
	flops, bytes float64
	time         int64   // ns, of their kernels
	bytesTime    int64   // of those of them whose bytes are known
	atPeak       float64 // s that the work takes at the peak of the device; NaN not known
}

func (w *workSum) add(operator int32, o *operations) {
	x, work := &o.list[operator], o.work(operator)
	w.flops += work.FLOPs
	w.time += x.time
	if work.Bytes > 0 {
		w.bytes += work.Bytes
		w.bytesTime += x.time
	}
	if peak := o.peak.FLOPs[x.typ]; peak > 0 && x.typ != trace.UnknownType {
		w.atPeak += work.FLOPs / peak
	} else {
		w.atPeak = math.NaN()
	}
}

// flopsOfSteps adds up the work of operators in steps, by family.
type flopsOfSteps struct {
	*operations
	families   *familyNumbers
	all        []workSum   // by step
	byFamily   [][]workSum // by step and number of the family
	known      []float64   // by step
	mayCompute map[trace.NameID]bool
}

// newFLOPs prepares adding up; nil where no sizes were recorded. Where too little of the work is
// known the capture loses the sizes.
func newFLOPs(r *Rank, steps []trace.Step, families *familyNumbers) *flopsOfSteps {
	o := r.operations
	if o == nil || r.lacks(kindOfWork|trace.Calls|trace.Operators) {
		return nil
	}
	if why := whyUnknown(o.knownShare(r, steps)); why != "" {
		r.Trace.Lose(trace.Sizes, why)
	}
	return &flopsOfSteps{operations: o, families: families, mayCompute: map[trace.NameID]bool{},
		all: make([]workSum, len(steps)), byFamily: make([][]workSum, len(steps)), known: filled(len(steps), math.NaN())}
}

// addStep adds the spans [from, to) of the step with an index.
func (f *flopsOfSteps) addStep(r *Rank, at, from, to int) {
	if f == nil {
		return
	}
	for i := from; i < to; i++ {
		n := f.of[i]
		if n == 0 || f.list[n-1].span != int32(i) || !f.list[n-1].known {
			continue
		}
		f.all[at].add(n-1, f.operations)
		family := f.families.number(r, r.kernels.groupNumber(r.Trace.Device[i].Name))
		for family >= len(f.byFamily[at]) {
			f.byFamily[at] = append(f.byFamily[at], workSum{})
		}
		f.byFamily[at][family].add(n-1, f.operations)
	}
	if known, all := f.knownTime(r, from, to, f.mayCompute); all > 0 {
		f.known[at] = float64(known) / float64(all)
	}
}

// put writes the work of the steps into the series.
func (f *flopsOfSteps) put(m *measurer, into *seriesBuilder) {
	if f == nil {
		return
	}
	for _, i := range into.measuredSteps {
		into.put(run.FLOPsKnown, "", i, f.known[i])
		if !(f.known[i] > 0) {
			continue
		}
		all := &f.all[i]
		if step := seconds(m.steps[i].End - m.steps[i].Start); f.isPeak && !math.IsNaN(all.atPeak) {
			into.put(run.ModelFLOPsUse, "", i, all.atPeak/step)
		}
		f.putSums(into, "", i, all)
		for n := range f.byFamily[i] {
			if x := &f.byFamily[i][n]; x.time > 0 {
				f.putSums(into, f.families.names[n], i, x)
			}
		}
	}
}

// putSums writes the work of a step, or of a family in it.
func (f *flopsOfSteps) putSums(into *seriesBuilder, part string, i int, x *workSum) {
	into.put(run.FLOPs, part, i, x.flops)
	if x.time > 0 {
		into.put(run.FLOPsRate, part, i, x.flops/seconds(x.time))
	}
	if f.isPeak && x.bytesTime > 0 {
		into.put(run.MemoryBandwidthShare, part, i, x.bytes/(seconds(x.bytesTime)*f.peak.Bandwidth))
	}
}
