package metric

import (
	"slices"

	"perfdiff/analyze/pipeline"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// batchCount is how many micro-batches a step has, and how many parts of the model each stage; 0
// unknown.
type batchCount struct {
	batches, chunks int
	schedule        string
	kept            bool // the step is kept on a rank
}

// countBatches counts the micro-batches of each step, by its number: as ranges say, if those of all ranks agree with
// each other and with the messages; else as messages say.
func (s *stagedGroup) countBatches(x *stages) map[int64]batchCount {
	out := map[int64]batchCount{}
	for _, i := range s.members {
		if i < 0 {
			continue
		}
		for k := range x.ranks[i].Steps {
			st := &x.ranks[i].Steps[k]
			if _, found := x.comms[i].Pairs[k]; !found {
				continue
			}
			n, done := out[st.Number]
			if !done {
				n = s.batchesOf(x, st.Number)
			}
			n.kept = n.kept || st.Dropped == ""
			out[st.Number] = n
		}
	}
	return out
}

// named returns how many micro-batches ranges of a step say it has, and in how many parts of the model
// on each stage; 0 where none do, or not all the same.
func (s *stagedGroup) named(x *stages, number int64) (batches, parts int) {
	for _, i := range s.members {
		if i < 0 {
			continue
		}
		k := slices.IndexFunc(x.ranks[i].Steps, func(st trace.Step) bool { return st.Number == number })
		if k < 0 {
			continue
		}
		pairs, found := x.comms[i].Pairs[k]
		n, of, known := pipeline.CountBatches(pairs.batches)
		if !found || !known {
			continue
		}
		if batches > 0 && (n != batches || of != parts) {
			return 0, 0
		}
		batches, parts = n, of
	}
	return batches, parts
}

func (s *stagedGroup) batchesOf(x *stages, number int64) (n batchCount) {
	calls := make([][]pipeline.Call, len(s.calls))
	for stage := range s.calls {
		calls[stage] = s.calls[stage][number]
	}
	interleaved := pipeline.Interleaved(calls)
	named, parts := s.named(x, number)
	repeats := 0
	if !interleaved {
		repeats = pipeline.Repeats(calls)
	}
	switch {
	case named > 0 && repeats > 0 && named != repeats:
		return n // one of the two counts something else
	case named > 0 && interleaved:
		if n.batches, n.chunks = named, parts; parts == 0 {
			n.chunks = chunksOf(calls[0], named)
		}
	case named > 0:
		n.batches, n.chunks = named, max(1, parts)
	case repeats > 0:
		n.batches, n.chunks = repeats, 1
	}
	n.schedule = pipeline.ScheduleOf(calls[len(calls)-1], n.batches, n.chunks)
	return n
}

// chunksOf returns how many parts of the model the first stage sends micro-batches on from; 0 unknown.
func chunksOf(first []pipeline.Call, batches int) int {
	sent := 0
	for i := range first {
		if first[i].Way == pipeline.Forward && first[i].Sends {
			sent++
		}
	}
	if sent%batches != 0 {
		return 0
	}
	return sent / batches
}

// keep notes in the group what all of its kept steps have in common, as far as it is known.
func (s *stagedGroup) keep(g *groups, counts map[int64]batchCount) {
	var batches, chunks common[int]
	var schedule common[string]
	for _, n := range counts {
		if n.kept {
			batches.add(n.batches)
			chunks.add(n.chunks)
			schedule.add(n.schedule)
		}
	}
	g.list[slices.Index(g.gathered, s.gatheredGroup)].Pipeline = &run.Pipeline{MicroBatches: batches.value, Chunks: chunks.value, Schedule: schedule.value}
}

// common is the value that several have in common; the zero value is not known, and agrees with all.
type common[T comparable] struct {
	value   T
	several bool
}

func (c *common[T]) add(v T) {
	var unknown T
	switch {
	case v == unknown || c.several || v == c.value:
	case c.value == unknown:
		c.value = v
	default:
		c.value, c.several = unknown, true
	}
}
