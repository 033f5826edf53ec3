package metric

import (
	"math"
	"slices"
	"testing"

	"perfdiff/analyze/collective"
	"perfdiff/analyze/interval"
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
		tr := &trace.Trace{Names: trace.NewNames(), Messages: &trace.Messages{}, Recorded: trace.HasDevice, Epoch: 1_700_000_000_000_000_000}
		name := tr.Names.ID("ncclDevKernel_AllReduce_Sum_f32_RING_LL")
		const ms = 1_000_000
		var steps []trace.Step
		for i := range int64(len(from)) {
			at := i * 100 * ms
			steps = append(steps, trace.Step{Number: i, Start: at, End: at + 100*ms, HostStart: at, HostEnd: at + 100*ms})
			tr.Device = append(tr.Device, trace.Span{Start: at, End: at + ms, Name: tr.Names.ID("k"), Kind: trace.Kernel, Class: trace.Compute})
			if from[i] >= 0 {
				reduce := trace.Span{Start: at + from[i]*ms, End: at + to[i]*ms, Name: name}
				tr.Messages.Kernel(&reduce, tr.Names)
				tr.Device = append(tr.Device, reduce)
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
	addAllWaits(ranks, comms)
	key := run.Key{Metric: "last_arrivals"}
	if ranks[0].Values(key) != nil || ranks[1].Values(key) != nil {
		t.Errorf("got %v and %v, want none", ranks[0].Values(key), ranks[1].Values(key))
	}
}

// TestWaitsOverEdges: a collective that runs past its step's edge is transfer there
// too, and a step without one neither waits nor transfers.
func TestWaitsOverEdges(t *testing.T) {
	ranks, comms := twoRanks(t, []int64{90, -1, 90}, []int64{110, 0, 95})
	addAllWaits(ranks, comms)
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

// TestTransferIsAtTheEnd: a rank waits first and transfers then, so that compute beside the
// end of its kernel hides the transfer and not the wait.
func TestTransferIsAtTheEnd(t *testing.T) {
	const ms = 1_000_000
	span := func(from, to int64) collective.Span {
		return collective.Span{Start: from * ms, End: to * ms, UTC: 1_700_000_000_000_000_000 + to*ms, Kind: "AllReduce", Bytes: 8 << 20, Ranks: 2}
	}
	for _, tt := range []struct {
		name           string
		exposed        interval.Set // of rank 0, which waits from 10 to 40 and transfers until 50
		wait, transfer float64
	}{
		{"all of it", interval.Set{{Start: 10 * ms, End: 50 * ms}}, .03, .01},
		{"not its end", interval.Set{{Start: 10 * ms, End: 40 * ms}}, .03, 0},
		{"not its start", interval.Set{{Start: 35 * ms, End: 50 * ms}}, .005, .01},
	} {
		ranks, comms := make([]run.Rank, 2), make([]Communication, 2)
		for i, s := range []collective.Span{span(10, 50), span(40, 50)} {
			ranks[i] = run.Rank{Rank: i, Host: "a", WorldSize: 2, Steps: []trace.Step{{Start: 0, End: 100 * ms}}}
			comms[i] = Communication{Spans: []collective.Span{s}, Exposed: []interval.Packed{interval.Pack(nil, tt.exposed)}, Measured: []bool{true}, Hidden: []bool{false}}
		}
		addAllWaits(ranks, comms)
		for key, want := range map[run.Key]float64{
			{Metric: "exposed_wait_time"}: tt.wait, {Metric: "exposed_transfer_time"}: tt.transfer,
			{Metric: "comm_wait_time"}: .03, {Metric: "comm_transfer_time"}: .01, {Metric: "comm_wait_time", Part: "AllReduce"}: .03,
			{Metric: "arrival_skew"}: .03, {Metric: "transfer_bandwidth", Part: "AllReduce 1 to 16 MiB"}: (8 << 20) / .01,
		} {
			if got := ranks[0].Values(key); len(got) != 1 || math.Abs(got[0]-want) > 1e-9*max(1, want) {
				t.Errorf("%s: %v: got %v, want %v", tt.name, key, got, want)
			}
		}
		if w := ranks[0].Waits; len(w) != 1 || w[0] != (run.Wait{For: 1, Time: 30 * ms}) {
			t.Errorf("%s: got waits %v, want 30 ms for rank 1", tt.name, w)
		}
	}
}

// TestWaitsOfDroppedSteps: what is left out of every number is left out of who waits for
// whom.
func TestWaitsOfDroppedSteps(t *testing.T) {
	ranks, comms := twoRanks(t, []int64{50, 50}, []int64{60, 60})
	for i := range comms[0].Spans { // rank 0 comes 20 ms earlier
		comms[0].Spans[i].Start -= 20_000_000
	}
	ranks[0].Host, ranks[1].Host = "a", "a" // of one clock
	ranks[0].Steps[1].Dropped = "x"
	addAllWaits(ranks, comms)
	if w := ranks[0].Waits; len(w) != 1 || w[0] != (run.Wait{For: 1, Time: 20_000_000}) {
		t.Errorf("got %v, want 20 ms for rank 1", w)
	}
}

// TestSizeClass: a class begins with its own first byte.
func TestSizeClass(t *testing.T) {
	for bytes, want := range map[int64]string{
		64<<10 - 1: "under 64 KiB", 64 << 10: "64 KiB to 1 MiB", 1<<20 - 1: "64 KiB to 1 MiB", 1 << 20: "1 to 16 MiB",
		16<<20 - 1: "1 to 16 MiB", 16 << 20: "16 to 256 MiB", 256<<20 - 1: "16 to 256 MiB", 256 << 20: "256 MiB and more",
	} {
		if got := sizeClass(bytes); got != want {
			t.Errorf("%d bytes: got %s, want %s", bytes, got, want)
		}
	}
}

// TestStepSplit: the skew is the mean of the collectives', and a message counts on the bus
// as often as its collective sends it.
func TestStepSplit(t *testing.T) {
	var x stepSplit
	for _, skew := range []int64{10_000, 30_000} {
		s := collective.Span{Start: 0, End: 100_000, Kind: "AllReduce", Bytes: 2 << 20, Ranks: 4}
		x.add(&s, collective.Split{Wait: 60_000, Skew: skew}, skew > 20_000)
	}
	series := seriesBuilder{n: 1}
	x.put(&series, 0, false)
	for key, want := range map[run.Key]float64{
		{Metric: "arrival_skew"}: 20e-6, {Metric: "last_arrivals"}: 1, {Metric: "comm_wait_time"}: 120e-6, {Metric: "comm_transfer_time", Part: "AllReduce"}: 80e-6,
		{Metric: "transfer_bandwidth", Part: "AllReduce 1 to 16 MiB"}: 1.5 * (2 << 20) / 40e-6,
	} {
		at := slices.Index(series.keys, seriesKey{Key: key})
		if at < 0 {
			t.Errorf("%v: no such series", key)
		} else if got := series.values[at][0]; math.Abs(got-want) > 1e-9*max(1e-6, want) {
			t.Errorf("%v: got %v, want %v", key, got, want)
		}
	}
}
