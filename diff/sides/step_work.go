package sides

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// What is counted of the work of a step.
const (
	WorkBytes  WorkKind = "bytes"  // copied to a device
	WorkFLOPs  WorkKind = "flops"  // by the sizes of operators' arguments
	WorkBlocks WorkKind = "blocks" // launched of the kernels that both sides run, each as most of its launches are
)

// WorkKind says which work of a step is counted.
type WorkKind string

// WorkCount is how much of one thing a step does on each side.
type WorkCount struct {
	Kind WorkKind `report:"kind"`
	Base float64  `report:"mean.baseline"`
	Cand float64  `report:"mean.candidate"`
}

// Factor returns the candidate's count over the baseline's.
func (x *WorkCount) Factor() float64 { return x.Cand / x.Base }

// StepWork says that a step of the candidate does another amount of work than one of the baseline: all counts changed
// by one factor.
type StepWork struct {
	Counts  []WorkCount `report:"counts"`
	Factor  float64     `report:"factor"`   // of the first of them, which is the unit
	PerUnit float64     `report:"per_unit"` // change of the median step time for the same work, a fraction; NaN not known
	Judged  bool        `report:"judged"`   // steps were compared for the same work, that of the baseline
}

// What tells another amount of work from the same. Chosen, not measured: batches differ by an eighth
// and more, and steps of uneven length by less; sizes of launches follow a batch, but for the
// kernels that work on parameters, and round.
const (
	leastWork                  = 1.1
	fewestBlocks, mostOfBlocks = 0.5, 1.25 // of the logarithm of the factor
)

// stepWork returns how much more or less a step of the candidate does, if two or more counts changed by one factor, or
// the launches of nearly all kernels did; nil if nothing says so. Bytes alone may be of another type, or copied twice;
// FLOPs alone are another model.
func (p *Lined) stepWork() *StepWork {
	if p.Identical || p.OtherSize || p.OtherUnit != nil || p.Loads != nil || p.Plan.Steps == 0 {
		return nil
	}
	var counts []WorkCount
	for _, of := range []struct {
		kind WorkKind
		key  run.Key
	}{{WorkBytes, run.Key{Metric: run.MemcpyBytes, Part: "h2d"}}, {WorkFLOPs, run.Key{Metric: run.FLOPs}}} {
		if b, c := p.Base.Measure(of.key).Mean, p.Cand.Measure(of.key).Mean; b > 0 && c > 0 {
			counts = append(counts, WorkCount{of.kind, b, c})
		}
	}
	blocks, even := p.blocks()
	if blocks.Base > 0 && blocks.Cand > 0 {
		counts = append(counts, blocks)
	}
	if len(counts) == 0 || len(counts) == 1 && !even || !oneWork(counts) {
		return nil
	}
	w := &StepWork{Counts: counts, Factor: counts[0].Factor()}
	w.PerUnit = p.Cand.Measure(StepTime).Median()/p.Base.Measure(StepTime).Median()/w.Factor - 1
	return w
}

// levels lists metrics in units of time, bytes and counts that do not add up over a step: of single events, of memory
// in use, and of how a job is set up.
var levels = []string{
	run.CollectiveDuration, run.ArrivalSkew, run.GapP50, run.GapP90, run.GapP99, run.TimePerToken,
	run.IOReadLatency, run.IOReadLatencyP99, run.IORequestSize, run.IOParallelReaders, run.PipelineMicroBatches,
	run.MemoryAllocatedPeak, run.MemoryReservedPeak, run.MemoryReservedMean, run.MemoryGrowth,
}

// CompareWork takes what a step of the candidate adds up to, its times, bytes and counts, for the work
// that one of the baseline does, where it does another amount. Ratios and rates stay as they are.
func (p *Lined) CompareWork() {
	if p.Work == nil {
		return
	}
	p.Work.Judged = true
	adds := map[string]bool{run.StepTime: true}
	for _, m := range p.Cand.Set.Metrics {
		adds[m.Name] = slices.Contains([]string{"s", "B", "1", "FLOP"}, m.Unit) && !slices.Contains(levels, m.Name)
	}
	for _, r := range p.Cand.Runs {
		r.curves, r.Parts = nil, nil
		for _, k := range r.Ranks {
			own := *k.Rank // the set is not changed
			own.Series = slices.Clone(own.Series)
			for i := range own.Series {
				if s := &own.Series[i]; adds[s.Metric] {
					s.Values = slices.Clone(s.Values)
					for j := range s.Values {
						s.Values[j] /= p.Work.Factor
					}
				}
			}
			k.Rank = &own
		}
	}
}

// oneWork reports whether all counts changed by one factor; blocks need only be close to it.
func oneWork(counts []WorkCount) bool {
	factor := math.Log(counts[0].Factor())
	if math.Abs(factor) < math.Log(leastWork) {
		return false
	}
	for _, x := range counts {
		by := math.Log(x.Factor())
		switch share := by / factor; {
		case x.Kind == WorkBlocks && (share < fewestBlocks || share > mostOfBlocks):
			return false
		case x.Kind != WorkBlocks && math.Abs(by-factor) > sameFactor:
			return false
		}
	}
	return true
}

// blocks compares the blocks that a step launches, over kernels whose launch shape both sides know, and reports
// whether the launches of nearly all of them changed by one factor.
func (p *Lined) blocks() (all WorkCount, even bool) {
	var each [2]map[string]float64
	p.BothAtOnce(func(i int, s *Side) { each[i] = s.blocksOf() })
	all.Kind = WorkBlocks
	f := factorOf(each[0], each[1])
	for _, name := range SortedKeys(each[0]) {
		if b, c := each[0][name], each[1][name]; b > 0 && c > 0 {
			all.Base, all.Cand = all.Base+b, all.Cand+c
		}
	}
	return all, f.known()
}

// blocksOf returns the blocks that a step launches of each compute kernel. Each launch counts with the shape that most
// launches have, on the first rank that has the kernel.
func (s *Side) blocksOf() map[string]float64 {
	shapes := map[string]trace.Shape{}
	s.EachRank(func(k *Rank) {
		for _, w := range k.Work {
			if have := shapes[w.Kernel]; !have.Known() && w.Family != "" { // none of communication
				shapes[w.Kernel] = w.Shape
			}
		}
	})
	out := map[string]float64{}
	for name, launches := range s.launchesOf() {
		if n := shapes[name].Blocks(); n > 0 {
			out[name] = launches * float64(n)
		}
	}
	return out
}
