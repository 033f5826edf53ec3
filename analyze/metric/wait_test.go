package metric

import (
	"math"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// twoRanks are two equal ranks in three steps of 100 ms, each with a collective at the
// given place of the step, in ms; nothing where it is negative.
func twoRanks(t *testing.T, from, to []int64) ([]run.Rank, []Communication) {
	t.Helper()
	var ranks []run.Rank
	var comms []Communication
	for rank := range 2 {
		tr := &trace.Trace{Names: trace.NewNames(), Recorded: trace.HasDevice, Epoch: 1_700_000_000_000_000_000}
		name := tr.Names.ID("ncclDevKernel_AllReduce_Sum_f32_RING_LL")
		_, coll := tr.Names.Kernel(name)
		const ms = 1_000_000
		var steps []trace.Step
		for i := range int64(len(from)) {
			at := i * 100 * ms
			steps = append(steps, trace.Step{Number: i, Start: at, End: at + 100*ms, HostStart: at, HostEnd: at + 100*ms})
			tr.Device = append(tr.Device, trace.Span{Start: at, End: at + ms, Name: tr.Names.ID("k"), Kind: trace.Kernel, Class: trace.Compute})
			if from[i] >= 0 {
				tr.Device = append(tr.Device, trace.Span{Start: at + from[i]*ms, End: at + to[i]*ms, Name: name, Coll: coll, Kind: trace.Kernel, Class: trace.Comm})
			}
		}
		tr.Sort()
		p := Prepare(tr, 0)
		ranks = append(ranks, run.Rank{Rank: rank, WorldSize: 2, Steps: steps, Series: p.Measure(steps)})
		comms = append(comms, p.Communication())
	}
	return ranks, comms
}

// TestArrivalsWithoutClock: who arrives last is not known where the wall clock is not, which
// is no arrival of nobody.
func TestArrivalsWithoutClock(t *testing.T) {
	ranks, comms := twoRanks(t, []int64{90, -1, 90}, []int64{110, 0, 95})
	for i := range comms[1].Spans {
		comms[1].Spans[i].UTC = 0
	}
	Waits(ranks, comms)
	key := run.Key{Metric: "last_arrivals"}
	if ranks[0].Values(key) != nil || ranks[1].Values(key) != nil {
		t.Errorf("got %v and %v, want none", ranks[0].Values(key), ranks[1].Values(key))
	}
}

// TestWaitsOverEdges: a collective that runs past its step's edge is transfer there
// too, and a step without one neither waits nor transfers.
func TestWaitsOverEdges(t *testing.T) {
	ranks, comms := twoRanks(t, []int64{90, -1, 90}, []int64{110, 0, 95})
	Waits(ranks, comms)
	for r := range ranks {
		wait, transfer := ranks[r].Values(run.Key{Metric: "exposed_wait_time"}), ranks[r].Values(run.Key{Metric: "exposed_transfer_time"})
		// The first ms of the second step has compute beside it.
		for i, want := range []float64{0.010, 0.009, 0.005} {
			if wait == nil || wait[i] != 0 || math.Abs(transfer[i]-want) > 1e-12 {
				t.Errorf("rank %d, step %d: waits %v, transfers %v, want 0 and %g", r, i, wait, transfer, want)
			}
		}
		if last := ranks[r].Values(run.Key{Metric: "last_arrivals"}); last[1] != 0 {
			t.Errorf("rank %d: got %v", r, last)
		}
	}
}
