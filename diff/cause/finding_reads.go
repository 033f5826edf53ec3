package cause

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
)

// How bytes are read tells what their throughput does not: reads that never pause are as fast
// as the storage, or one thread, lets them be, and bursts are over before the batch is
// needed. It explains and never gates.

// From which change on it is worth a sentence: of the rate while reading goes on as a factor,
// of the share of time as a difference. Chosen, not measured: the story o-direct has three
// times the rate.
const (
	burstFactor = 1.2
	burstShare  = 0.1
)

// SteadyShare is the share of the time from which on reading hardly pauses. Chosen, not measured: the story o-direct
// reads for 99.7 % of it in the baseline and 68 % in the candidate.
const SteadyShare = 0.9

// ReadDetails is how either side reads.
type ReadDetails struct {
	Base ReadSide `report:"baseline"`
	Cand ReadSide `report:"candidate"`
}

// ReadSide is how a side reads: medians over steps.
type ReadSide struct {
	Burst   float64 `report:"burst_rate"` // B/s while reading goes on
	Share   float64 `report:"time_share"` // of the step, in which it does
	Readers float64 `report:"readers"`    // threads of a rank at once meanwhile; NaN not recorded
	Aligned float64 `report:"aligned"`    // share of bytes in large aligned requests, as direct reads are; NaN not recorded
	PerNode float64 `report:"per_node"`   // B/s over the step, on average over nodes, each of which has counters; NaN: not of nodes, or of one
}

// Steady reports whether reading hardly pauses.
func (s *ReadSide) Steady() bool { return s.Share >= SteadyShare }

// readDetails returns how reads changed; nil where that is not known, or about the same on both sides.
func readDetails(p *Causes) *ReadDetails {
	burst, share := verdict.MetricOf(p.Parts, run.IOReadBurstRate), verdict.MetricOf(p.Parts, run.IOReadTimeShare)
	if burst == nil || share == nil || math.IsNaN(burst.Delta) || math.IsNaN(share.Delta) {
		return nil
	}
	if !fasterBursts(burst) && !(math.Abs(share.Delta) >= burstShare) {
		return nil
	}
	readers, aligned := readersOf(p), detail(p, run.IOLargeReadShare)
	nodes := perNode(verdict.MetricOf(p.Metrics, run.IOReadThroughput))
	return &ReadDetails{
		Base: ReadSide{burst.Base, share.Base, readers[0], aligned[0], nodes[0]},
		Cand: ReadSide{burst.Cand, share.Cand, readers[1], aligned[1], nodes[1]},
	}
}

// perNode returns what a node reads on average, where a throughput is the sum over as many nodes on both sides.
func perNode(c *verdict.Comparison) [2]float64 {
	if c == nil || !c.OfNodes() || c.Reads.Nodes[0] < 2 || c.Reads.Nodes[0] != c.Reads.Nodes[1] || !c.Reads.AddsUp(c.Key.Metric) {
		return [2]float64{math.NaN(), math.NaN()}
	}
	n := float64(c.Reads.Nodes[0])
	return [2]float64{c.Base / n, c.Cand / n}
}

// detail returns both values of a detail, NaN where it was not recorded.
func detail(p *Causes, metric string) [2]float64 {
	if c := verdict.MetricOf(p.Parts, metric); c != nil {
		return [2]float64{c.Base, c.Cand}
	}
	return [2]float64{math.NaN(), math.NaN()}
}

// readersOf returns how many threads of a rank read at once; NaN where the two sides count them in different things.
func readersOf(p *Causes) [2]float64 {
	if c := verdict.MetricOf(p.Parts, run.IOParallelReaders); c != nil && slices.Equal(c.Sources[0], c.Sources[1]) {
		return [2]float64{c.Base, c.Cand}
	}
	return [2]float64{math.NaN(), math.NaN()}
}

// fasterBursts reports whether the rate while reading goes on is surely another one, by a
// factor that matters.
func fasterBursts(c *verdict.Comparison) bool {
	return c.Changed() && math.Max(c.Cand/c.Base, c.Base/c.Cand) >= burstFactor
}

// burstFinding says that reads go on at another rate where none of the findings so far does:
// the same bytes in the same time, and otherwise.
func burstFinding(p *Causes, so []Finding) []Finding {
	told := func(f Finding) bool { return f.Kind == policy.KindReadThroughput }
	c := verdict.MetricOf(p.Parts, run.IOReadBurstRate)
	if c == nil || !fasterBursts(c) || slices.ContainsFunc(so, told) {
		return nil
	}
	f := changeFinding(p, subjectOf(run.IOReadBurstRate), c)
	if f.Reads, f.Class = readDetails(p), verdict.ClassLook; f.Reads == nil { // the step is not longer for it
		return nil
	}
	return []Finding{f}
}
