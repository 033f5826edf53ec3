package metric

import (
	"cmp"
	"slices"

	"perfdiff/analyze/interval"
	"perfdiff/analyze/trace"
)

// flow is what was read or written in a step, from one source.
type flow struct {
	bytes   float64
	burst   float64 // bytes while reading goes on
	time    int64   // ns in which it does
	readers float64 // threads at once meanwhile; 0 not known
}

// flows holds the flows of a step that were asked for, by source and operation, and its requests.
type flows struct {
	sampled, accessed [trace.OpWrite + 1]*flow
	requests          *requests
	times             []float64 // room of the step before
}

// accessed returns what the rank's file accesses moved in the step; an access that crosses an edge counts by the share
// of its time inside. Accesses that moved no bytes do not count as reading.
func (s *Step) accessed(op trace.Op) *flow {
	if f := s.reads.accessed[op]; f != nil {
		return f
	}
	f := accessedIn(s.Rank, op, s.Step.Start, s.Step.End)
	s.reads.accessed[op] = &f
	return &f
}

func accessedIn(r *Rank, op trace.Op, lo, hi int64) (f flow) {
	x := readers{until: lo}
	list := r.touching(lo, hi)
	for i := range list { // copying one costs more than all else here
		a := &list[i]
		if a.Op != op || a.Bytes == 0 {
			continue
		}
		f.bytes += float64(interval.Share(a.Start, a.End, lo, hi) * float64(a.Bytes))
		x.add(a.Thread, max(a.Start, lo), min(a.End, hi))
	}
	f.time, f.readers, f.burst = x.time, x.atOnce(), f.bytes
	return f
}

// fullRate tells samples with reading from others: a sample counts if its rate is at least this share of the rate at
// which the middle byte of the step was read. So a trickle between bursts does not count, and one sample far above the
// others decides nothing. Chosen, not measured: the story o-direct holds that a burst is found to 5 %.
const fullRate = 0.5

// sampled returns what the counters of the node's volumes moved in the step.
func (s *Step) sampled(op trace.Op) *flow {
	if f := s.reads.sampled[op]; f != nil {
		return f
	}
	f := sampledIn(s.Rank.volumes(op), s.Step.Start, s.Step.End)
	s.reads.sampled[op] = &f
	return &f
}

func sampledIn(samples []trace.Sample, lo, hi int64) (f flow) {
	type stretch struct {
		bytes, rate float64
		ns          int64
	}
	var all []stretch
	for _, x := range samplesTouching(samples, lo, hi) {
		bytes := float64(interval.Share(x.Start, x.End, lo, hi) * x.Value)
		f.bytes += bytes
		if ns := min(x.End, hi) - max(x.Start, lo); bytes > 0 && ns > 0 {
			all = append(all, stretch{bytes, x.Value / float64(x.End-x.Start), ns})
		}
	}
	slices.SortFunc(all, func(a, b stretch) int { return cmp.Compare(b.rate, a.rate) })
	half, sum := f.bytes/2, 0.0
	least := 0.0
	for _, x := range all {
		if sum += x.bytes; sum >= half && least == 0 {
			least = fullRate * x.rate
		}
		if x.rate >= least {
			f.burst += x.bytes
			f.time += x.ns
		}
	}
	return f
}

// volumes returns the samples of all of the node's volumes together.
func (r *Rank) volumes(op trace.Op) []trace.Sample {
	if r.sampledVolumes == nil {
		r.sampledVolumes = map[trace.Op][]trace.Sample{}
		for op, kind := range volumeKinds {
			var of [][]trace.Sample
			for _, c := range r.Trace.Counters {
				if c.Kind == kind {
					of = append(of, c.Samples)
				}
			}
			r.sampledVolumes[op] = together(of)
		}
	}
	return r.sampledVolumes[op]
}

var volumeKinds = map[trace.Op]trace.CounterKind{trace.OpRead: trace.StorageRead, trace.OpWrite: trace.StorageWrite}

// together adds up counters that were sampled at different times: the sum has the edges of all of them.
func together(of [][]trace.Sample) []trace.Sample {
	if len(of) == 1 {
		return of[0]
	}
	var edges []int64
	for _, samples := range of {
		for _, x := range samples {
			edges = append(edges, x.Start, x.End)
		}
	}
	slices.Sort(edges)
	edges = slices.Compact(edges)
	var out []trace.Sample
	for i := 1; i < len(edges); i++ {
		out = append(out, trace.Sample{Start: edges[i-1], End: edges[i]})
	}
	for _, samples := range of {
		at := 0
		for _, x := range samples {
			for ; at < len(out) && out[at].End <= x.Start; at++ {
			}
			for k := at; k < len(out) && out[k].Start < x.End; k++ {
				out[k].Value += float64(interval.Share(x.Start, x.End, out[k].Start, out[k].End) * x.Value)
			}
		}
	}
	return out
}
