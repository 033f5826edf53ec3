package analyze

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// shiftedJob is a rank of twelve marked steps of 1 ms, each with a copy and three kernels, of
// which the kernels lie off by some ns against the host. The copies do not, as in captures of
// which one table is on another clock: they give the steps their edges.
func shiftedJob(off int64) *trace.Trace {
	t := &trace.Trace{File: "rank0.sqlite", Names: trace.NewNames(), Epoch: trace.NoTime, Capture: trace.Interval{Start: 0, End: 30e6},
		Recorded: trace.HasDevice | trace.HasLaunches}
	for n := range int64(12) {
		at := 5e6 + n*1e6
		t.Ranges = append(t.Ranges, trace.Range{Start: at, End: at + 900e3, Name: t.Names.ID(fmt.Sprintf("step %d", n)), Thread: 1})
		t.Device = append(t.Device, trace.Span{Start: at + 30e3, End: at + 50e3, Launch: at + 10e3, Name: t.Names.ID("copy"), Kind: trace.Memcpy})
		for k := range int64(3) {
			launch := at + 100e3 + k*200e3
			t.API = append(t.API, t.Names.Call(launch, launch+5e3, t.Names.ID("cudaLaunchKernel"), 1))
			t.Device = append(t.Device, trace.Span{Start: launch + 50e3 + off, End: launch + 150e3 + off, Launch: launch, Name: t.Names.ID("gemm"), Kind: trace.Kernel, Class: trace.Compute})
		}
	}
	slices.SortFunc(t.Device, func(a, b trace.Span) int { return cmp.Compare(a.Start, b.Start) })
	return t
}

// TestClocks: kernels outside of every step are not zero, and kernels before their own launch tell
// no cause. Kernels that start a few microseconds early, as clocks err, change nothing.
func TestClocks(t *testing.T) {
	for _, x := range []struct {
		name            string
		off             int64
		warning         string
		compute, causes bool
		lost            string
	}{
		{name: "as recorded", compute: true, causes: true},
		{name: "a clock's error", off: -60e3, compute: true, causes: true},
		{name: "a second late", off: 1e9, warning: "36 were launched in steps, of which 6 start in theirs", lost: run.ComputeTime},
		{name: "half a step early", off: -500e3, warning: "36 of 36 kernels start before the call that launched them", compute: true},
	} {
		tr := shiftedJob(x.off)
		k := measure(tr, Options{}, 1, nobody.together).rank
		var causes bool
		for _, s := range k.Series {
			causes = causes || s.Metric == run.IdleTime && s.Part != ""
		}
		if got := k.Values(run.Key{Metric: run.ComputeTime}) != nil; got != x.compute {
			t.Errorf("%s: compute time is recorded: %v", x.name, got)
		}
		if causes != x.causes {
			t.Errorf("%s: causes of idle time are recorded: %v", x.name, causes)
		}
		if k.Values(run.Key{Metric: run.StepTime}) == nil {
			t.Errorf("%s: no step time", x.name)
		}
		if x.lost != "" && !strings.Contains(k.WhyLost(x.lost), x.warning) {
			t.Errorf("%s: %s is lost because %q", x.name, x.lost, k.WhyLost(x.lost))
		}
		said := ""
		for _, w := range tr.Warnings {
			said += w.File + ": " + w.Text + "\n"
		}
		if (said != "") != (x.warning != "") || !strings.Contains(said, x.warning) || x.warning != "" && !strings.Contains(said, "rank0.sqlite: ") {
			t.Errorf("%s: said %q, want %q", x.name, said, x.warning)
		}
	}
}

// TestLengths: kernels that take no time are not idle time, and are not measured.
func TestLengths(t *testing.T) {
	for _, x := range []struct {
		name string
		none func(kernel int) bool
		lost bool
	}{
		{"as recorded", func(int) bool { return false }, false},
		{"every sixth, as in whole microseconds", func(k int) bool { return k%6 == 0 }, false},
		{"every third", func(k int) bool { return k%3 == 0 }, true},
		{"all", func(int) bool { return true }, true},
	} {
		tr, kernel := shiftedJob(0), 0
		for i := range tr.Device {
			s := &tr.Device[i]
			if s.Kind != trace.Kernel {
				continue
			}
			if kernel++; x.none(kernel) {
				s.End = s.Start
			}
		}
		k := measure(tr, Options{}, 1, nobody.together).rank
		for _, metric := range []string{run.ComputeTime, run.IdleTime} {
			if got := k.Values(run.Key{Metric: metric}) == nil; got != x.lost || got != strings.Contains(k.WhyLost(metric), "durations of kernels: ") {
				t.Errorf("%s: %s is lost: %v, because %q", x.name, metric, got, k.WhyLost(metric))
			}
		}
		if k.Values(run.Key{Metric: run.StepTime}) == nil {
			t.Errorf("%s: no step time", x.name)
		}
		warned := slices.ContainsFunc(tr.Warnings, func(w trace.Warning) bool { return strings.Contains(w.Text, "lacks durations of kernels") })
		if warned != x.lost {
			t.Errorf("%s: got warnings %v", x.name, tr.Warnings)
		}
	}
}

// TestWaitsOfTheHost: a wait for a stream that returns before the work ends which was launched on it
// before is counted, whatever runs on other streams or is launched behind it.
func TestWaitsOfTheHost(t *testing.T) {
	w := newHostWaits([]trace.Sync{{Start: 100, End: 1e6, Stream: 7, Type: syncOfStream}, {Start: 2e6, End: 3e6, Stream: 7, Type: syncOfStream}, {Start: 2e6, End: 3e6, Stream: 8, Type: 4}})
	for _, tt := range []struct {
		launch, end   int64
		stream        int32
		asked, broken int
	}{
		{50, 9e5, 7, 1, 0}, {60, 1e6 + clockError, 7, 1, 0}, {150, 29e5, 7, 2, 0}, {50, 9e6, 9, 2, 0}, {50, 9e6, 8, 2, 0},
		{3e6, 9e6, 7, 2, 0}, {100, 1e6 + clockError + 1, 7, 2, 1}, {2e6, 4e6, 7, 2, 2},
	} {
		w.add(&trace.Span{Launch: tt.launch, End: tt.end, Stream: tt.stream})
		if asked, broken := w.count(); asked != tt.asked || broken != tt.broken {
			t.Errorf("%+v: got %d of %d", tt, broken, asked)
		}
	}
}
