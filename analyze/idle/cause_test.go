package idle

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/interval"
	"perfdiff/analyze/trace"
)

func micros(v int64) int64 { return v * 1000 }

const gapAt = 700 // us from the start of the step to that of the gap

// doing is what the host does: "api NAME", "os NAME", "range NAME", on thread 1;
// "worker os read" on another, "helper os read" in another process.
type doing struct {
	what       string
	start, end int64 // us from the gap's start
}

// gapTrace is a step of two kernels with a gap of 1 ms between them, the second of
// which is launched so many us after the gap begins; -999: not known.
func gapTrace(launched int64, did []doing) *trace.Trace {
	tr := &trace.Trace{Names: trace.NewNames(), Recorded: trace.HasDevice | trace.HasLaunches | trace.HasOS}
	launch := trace.NoTime
	if launched != -999 {
		launch = micros(gapAt + launched)
	}
	gemm := tr.Names.ID("gemm")
	tr.Device = []trace.Span{
		{Start: 0, End: micros(gapAt), Name: gemm, Kind: trace.Kernel, Class: trace.Compute, Launch: trace.NoTime},
		{Start: micros(gapAt + 1000), End: micros(2000), Name: gemm, Kind: trace.Kernel, Class: trace.Compute, Launch: launch},
	}
	for _, d := range did {
		thread := int32(1)
		what := strings.TrimPrefix(d.what, "worker ")
		if what != d.what {
			thread = 2
		} else if what = strings.TrimPrefix(d.what, "helper "); what != d.what {
			thread = -1 // of another process, whose number is another thing
		}
		kind, name, _ := strings.Cut(what, " ")
		start, end, id := micros(gapAt+d.start), micros(gapAt+d.end), tr.Names.ID(name)
		call := tr.Names.Call(start, end, id, thread)
		switch kind {
		case "api":
			tr.API = append(tr.API, call)
		case "os":
			tr.OS = append(tr.OS, call)
		default:
			tr.Ranges = append(tr.Ranges, trace.Range{Start: start, End: end, Name: id, Thread: thread})
		}
	}
	tr.Sort()
	return tr
}

// walked is the walk through the one step of a trace, number 7, of 2,000 us.
func walked(tr *trace.Trace, thread int32) (*Process, *GapScan) {
	var busy interval.Set
	for _, x := range tr.Device {
		busy = busy.Add(x.Start, x.End)
	}
	p := NewProcess(tr, thread, trace.Interval{Start: 0, End: micros(2000)})
	step := trace.Step{Number: 7, Start: 0, End: micros(2000), HostStart: 0, HostEnd: micros(2000)}
	w := p.ScanGaps([]trace.Step{step}, len(tr.Device), func(x *trace.Span) string { return tr.Names.Text(x.Name) })
	w.AddStep(0, step, busy, busy.Gaps(nil, step.Start, step.End), nil)
	return p, w
}

// TestCauses: what the host does in a gap of 1,000 us between two kernels is
// its cause, by priority, and the parts add up.
func TestCauses(t *testing.T) {
	for _, c := range []struct {
		name   string
		launch int64 // of the kernel behind the gap, us from the gap's start; -999: not known
		did    []doing
		want   string // "cause us, …: bound"
	}{
		{"nothing recorded", -999, nil, "unknown 1000: unknown"},
		{"late launch, nothing recorded", 990, nil, "launching 10, unknown 990: launch"},
		{"late launch out of a range", 995, []doing{{"range forward", -500, 1200}, {"api cudaLaunchKernel", 995, 999}}, "launching 5, host 995: launch"},
		{"a call that takes long", 100, []doing{{"api cudaGraphLaunch", 100, 950}}, "launching 850, dependency 50, unknown 100: launch"},
		{"launched long before", -300, []doing{{"api cudaStreamSynchronize", -200, 2000}}, "dependency 1000: dependency"},
		{"launched just before", -4, nil, "launching 6, dependency 994: dependency"},
		{"input", 990, []doing{{"range enumerate(DataLoader)#__next__", 20, 900}}, "input 880, launching 10, unknown 110: input"},
		{"a little input", 990, []doing{{"range enumerate(DataLoader)#__next__", 20, 120}, {"api cudaMalloc", 200, 900}},
			"input 100, allocator 700, launching 10, unknown 190: launch"},
		{"input before allocation", 1000, []doing{{"os read", 0, 500}, {"api cudaFree", 400, 600}, {"api cudaDeviceSynchronize", 550, 700}, {"range forward", 0, 1000}},
			"input 500, allocator 100, synchronizing 100, host 300: input"},
		{"a queue that workers fill", 1000, []doing{{"os pthread_cond_wait", 0, 1000}, {"worker os pread64", 100, 800}, {"api cudaStreamSynchronize", 0, 300}},
			"input 500, synchronizing 300, host 200: input"},
		{"worker processes that read", 1000, []doing{{"os poll", 0, 1000}, {"helper os read", 100, 500}, {"helper os pread64", 450, 800}, {"range next", 0, 5}},
			"input 700, host 300: input"},
		{"worker processes that do not read", 1000, []doing{{"os sem_wait", 0, 1000}, {"helper os poll", 100, 800}}, "host 1000: launch"},
		{"a pipe that workers fill", 1000, []doing{{"os read", 200, 900}, {"helper os pread64", 0, 1000}}, "input 700, unknown 300: input"},
		{"another thread waits for the device", 1000, []doing{{"range forward", 0, 1000}, {"worker api cudaEventSynchronize", -500, 2000}}, "host 1000: launch"},
		{"launch latency", -8, []doing{{"api cudaLaunchKernel", -8, -4}}, "launching 2, dependency 998: dependency"},
		{"another thread's ranges say nothing", 1000, []doing{{"worker range decode", 0, 1000}}, "unknown 1000: launch"},
		{"the step's own range says nothing", 1000, []doing{{"range step 7", -700, 1300}}, "unknown 1000: launch"},
	} {
		_, r := walked(gapTrace(c.launch, c.did), 1)
		got, sum := "", int64(0)
		for k, ns := range r.StepSums[0].WaitedFor {
			if ns > 0 {
				got += ": " + WaitedForNames[k]
			}
		}
		for _, ns := range r.StepSums[0].ByCause {
			sum += ns
		}
		var parts []string
		for _, x := range r.Longest[0].Causes {
			parts = append(parts, fmt.Sprintf("%s %d", x.Name, x.Time/1000))
		}
		if got = strings.Join(parts, ", ") + got; got != c.want || sum != micros(1000) {
			t.Errorf("%s: got %q, %d ns, want %q, 1 ms", c.name, got, sum, c.want)
		}
		if g := r.Longest[0]; g.Step != 7 || g.At != micros(gapAt) || g.Length != micros(1000) || g.After != "gemm" || g.Before != "gemm" {
			t.Errorf("%s: got gap %+v", c.name, g)
		}
	}
}

// TestOpenCalls: calls that outlast many windows are no work for each of them, windows
// that overlap are each their own, and a thread may have any number.
func TestOpenCalls(t *testing.T) {
	h := callCursor{}
	const n = 1000
	for i := range int64(n) {
		h.list = append(h.list, trace.NewCall(i*10, n*20, 0))
	}
	calls := 0
	for i := range int64(n) {
		h.each(i*10, i*10+10, nil, func(_ int, start, end int64) { calls++ })
	}
	if calls > 2*n {
		t.Errorf("%d calls of %d in %d windows were passed %d times", n, n, n, calls)
	}
	var got []int64
	h = callCursor{list: []trace.Call{trace.NewCall(0, 4, 0), trace.NewCall(5, 12, 0), trace.NewCall(11, 13, 0), trace.NewCall(14, 30, 0)}}
	for _, w := range [][2]int64{{0, 12}, {10, 15}, {15, 20}} {
		h.each(w[0], w[1], nil, func(_ int, start, end int64) { got = append(got, start) })
	}
	if want := []int64{0, 5, 11, 5, 11, 14, 14}; !slices.Equal(got, want) {
		t.Errorf("got calls that start at %v, want %v", got, want)
	}
	tr := gapTrace(1000, []doing{{"api cudaMalloc", 0, 600}})
	for i, c := range tr.API {
		tr.API[i] = tr.Names.Call(c.Start, c.End(), tr.Names.Caller(c).Name, -1)
	}
	_, r := walked(tr, -1)
	if c := r.Longest[0].Causes; len(c) == 0 || c[0].Name != "allocator" || c[0].Time != micros(600) {
		t.Errorf("thread -1: got %+v", c)
	}
}
