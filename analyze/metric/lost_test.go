package metric

import (
	"cmp"
	"slices"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// TestMadeOf: every metric says what it is made of, but those of which nothing can be lost:
// steps have their edges from whatever work there is, and samples are there or are not.
func TestMadeOf(t *testing.T) {
	nothing := []string{run.StepTime, run.HostStepTime, run.TimePerToken, run.NetReceiveThroughput, run.NetSendThroughput, run.GPUActivity,
		run.NetSendWaits, run.NetCongestionPackets, run.NetSwitchCongestion, run.GPUClock, run.GPUPower, run.GPUTemperature, run.PageFaults, run.PageFaultTime, run.HostPageFaults}
	for _, m := range All() {
		if (m.MadeOf == 0) != slices.Contains(nothing, m.Name) {
			t.Errorf("%s is made of %b", m.Name, m.MadeOf)
		}
	}
}

// TestLosses: what is made of what a capture lost is left out, and listed with the reason.
func TestLosses(t *testing.T) {
	for _, x := range []struct {
		lost          trace.Content
		metric, part  string
		there, listed bool
	}{
		{0, "compute_time", "", true, false},
		{trace.Kernels, "compute_time", "", false, true},
		{trace.Kernels, "idle_time", "", false, true},
		{trace.Kernels, "step_time", "", true, false},
		{trace.Kinds, "compute_time", "", false, true},
		{trace.Kinds, "idle_time", "", true, false},
		{trace.Copies, "idle_time", "", false, true},
		{trace.Copies, "compute_time", "", true, false},
		{trace.Calls, "idle_time", "", true, false},
		{trace.Calls, "idle_time", "unknown", false, false},
		{0, "idle_time", "unknown", true, false},
		{trace.Ranges, "input_wait_time", "", false, true},
	} {
		tr := &trace.Trace{Names: trace.NewNames(), Recorded: trace.HasDevice, Epoch: trace.NoTime}
		for i := range int64(4) {
			tr.Device = append(tr.Device, trace.Span{Start: 100 * i, End: 100*i + 50, Launch: trace.NoTime, Name: tr.Names.ID("k"), Kind: trace.Kernel, Class: trace.Compute})
		}
		tr.Ranges = []trace.Range{{Start: 0, End: 10, Name: tr.Names.ID("next batch")}}
		if x.lost != 0 {
			tr.Lose(x.lost, "all of it")
		}
		r := Prepare(tr, 0)
		key, there := run.Key{Metric: x.metric, Part: x.part}, false
		for _, s := range r.Measure([]trace.Step{{Number: 1, Start: 0, End: 100, HostStart: 0, HostEnd: 100}, {Number: 2, Start: 100, End: 200, HostStart: 100, HostEnd: 200}}) {
			there = there || s.Key == key
		}
		why := (&run.Rank{Lost: r.Lost()}).WhyLost(x.metric)
		if there != x.there || (why == "all of it") != x.listed {
			t.Errorf("%b lost: %v is there: %v, lost: %q; want %v and %v", x.lost, key, there, why, x.there, x.listed)
		}
	}
}

// TestUntoldGaps: gaps that are kept say nothing of causes that are not measured, nor of what the device
// waited for where the clocks of host and device disagree.
func TestUntoldGaps(t *testing.T) {
	for _, x := range []struct {
		lost         trace.Content
		cause, waits string // of the longest gap
		bound        bool   // gap_bound_time is there
	}{
		{0, "host", "launch", true},
		{trace.SystemCalls, "unknown", "launch", true},
		{trace.Clocks, "unknown", "unknown", false},
		{trace.Calls, "unknown", "unknown", false},
		{trace.Kinds, "host", "launch", true},
	} {
		tr := &trace.Trace{Names: trace.NewNames(), Recorded: trace.HasDevice | trace.HasLaunches, Epoch: trace.NoTime}
		for i := range int64(4) {
			tr.Device = append(tr.Device, trace.Span{Start: 100_000 * i, End: 100_000*i + 20_000, Launch: 100_000*i - 1000, Name: tr.Names.ID("k"), Kind: trace.Kernel, Class: trace.Compute})
			tr.API = append(tr.API, tr.Names.Call(100_000*i-1000, 100_000*i-500, tr.Names.ID("cudaLaunchKernel"), 5))
		}
		tr.Ranges = []trace.Range{{Start: 21_000, End: 98_000, Name: tr.Names.ID("tokenize"), Thread: 5}}
		if x.lost != 0 {
			tr.Lose(x.lost, "all of it")
		}
		r := Prepare(tr, 5)
		bound := false
		for _, s := range r.Measure([]trace.Step{{Number: 1, Start: 0, End: 100_000, HostStart: 0, HostEnd: 100_000}, {Number: 2, Start: 100_000, End: 200_000, HostStart: 100_000, HostEnd: 200_000}}) {
			bound = bound || s.Metric == run.GapBoundTime
		}
		if len(r.Longest) == 0 {
			t.Fatalf("%b lost: no gap was kept", x.lost)
		}
		gap := r.Longest[0]
		longest := slices.MaxFunc(gap.Causes, func(a, b run.Cause) int { return cmp.Compare(a.Time, b.Time) })
		if longest.Name != x.cause || gap.WaitedFor != x.waits || bound != x.bound || gap.Length != 80_000 || x.cause == "unknown" && len(gap.Causes) != 1 {
			t.Errorf("%b lost: got a gap of %d ns, causes %v, that waited for %s, gap_bound_time: %v; want %s, %s, %v",
				x.lost, gap.Length, gap.Causes, gap.WaitedFor, bound, x.cause, x.waits, x.bound)
		}
	}
}
