package metric

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

const us = 1000

// one is a trace with a step of 1 ms: compute 100-400 us, an all-reduce
// 300-500 us after it (100 us hidden), a copy 450-600 us, an all-reduce
// 800-900 us behind a gap, and nothing else.
func one() (*trace.Trace, []trace.Step) {
	t := &trace.Trace{Names: trace.NewNames(), Messages: &trace.Messages{}, Recorded: trace.HasDevice | trace.HasLaunches | trace.HasMemcpyBytes | trace.HasRanges}
	nccl, gemm := t.Names.ID("ncclDevKernel_AllReduce_Sum_f32_RING_LL"), t.Names.ID("gemm(int)")
	reduce := func(start, end int64) trace.Span {
		s := trace.Span{Start: start, End: end, Name: nccl}
		t.Messages.Kernel(&s, t.Names)
		return s
	}
	t.Device = []trace.Span{
		{Start: 0, End: 100 * us, Name: gemm, Kind: trace.Kernel, Class: trace.Compute},
		{Start: 100 * us, End: 400 * us, Name: gemm, Kind: trace.Kernel, Class: trace.Compute},
		reduce(300*us, 500*us),
		trace.Span{Start: 450 * us, End: 600 * us, Kind: trace.Memcpy, Copy: trace.HostToDev, Class: trace.Memory}.Sized(3e6),
		reduce(800*us, 900*us),
		{Start: 1000 * us, End: 1100 * us, Name: gemm, Kind: trace.Kernel, Class: trace.Compute},
	}
	t.Ranges = []trace.Range{
		{Start: -50 * us, End: 20 * us, Name: t.Names.ID("enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__"), Thread: 1},
		{Start: 0, End: 500 * us, Name: t.Names.ID("DataLoader.__next__"), Thread: 2},
	}
	return t, []trace.Step{{Number: 1, Start: 0, End: 1000 * us, HostStart: -50 * us, HostEnd: 900 * us}}
}

func TestValues(t *testing.T) {
	tr, steps := one()
	series := Prepare(tr, 1).Measure(steps)
	want := map[run.Key]float64{
		{Metric: "step_time"}:                                   1e-3,
		{Metric: "host_step_time"}:                              .95e-3,
		{Metric: "compute_time"}:                                .4e-3,
		{Metric: "comm_time"}:                                   .3e-3,
		{Metric: "exposed_comm_time"}:                           .2e-3,
		{Metric: "exposed_memory_time"}:                         .1e-3,
		{Metric: "idle_time"}:                                   .3e-3,
		{Metric: "idle_time", Part: "dependency"}:               .3e-3, // launched at 0
		{Metric: "gap_bound_time", Part: "dependency"}:          .3e-3,
		{Metric: "replay_gap_time"}:                             .1e-3, // of the kernels, which one call launched
		{Metric: "compute_time", Part: "GEMM"}:                  .4e-3,
		{Metric: "busy_share"}:                                  .7,
		{Metric: "overlap"}:                                     1. / 3,
		{Metric: "gap_count"}:                                   2,
		{Metric: "gap_time"}:                                    .3e-3,
		{Metric: "short_gap_time"}:                              0,
		{Metric: "gap_p50"}:                                     .1e-3,
		{Metric: "gap_p90"}:                                     .2e-3,
		{Metric: "gap_p99"}:                                     .2e-3,
		{Metric: "input_wait_time"}:                             70e-6,
		{Metric: "copied_to_device"}:                            3e9,
		{Metric: "comm_time", Part: "AllReduce"}:                .3e-3,
		{Metric: "collective_calls", Part: "AllReduce"}:         2,
		{Metric: "blocking_comm_time"}:                          .1e-3, // of the work that begins the next step
		{Metric: "collective_duration", Part: "AllReduce"}:      .15e-3,
		{Metric: "gap_before", Part: "AllReduce"}:               .1e-3,
		{Metric: "time_to_collective", Part: "AllReduce"}:       .3e-3,
		{Metric: "memcpy_time", Part: "h2d"}:                    .15e-3,
		{Metric: "memcpy_bytes", Part: "h2d"}:                   3e6,
		{Metric: "memcpy_bandwidth", Part: "h2d"}:               20e9,
		{Metric: "kernel_time", Part: "gemm"}:                   .4e-3,
		{Metric: "kernel_time", Part: "nccl:AllReduce f32"}:     .3e-3,
		{Metric: "kernel_launches", Part: "gemm"}:               2,
		{Metric: "kernel_launches", Part: "nccl:AllReduce f32"}: 2,
	}
	for _, s := range series {
		w, ok := want[s.Key]
		if (s.Metric == "idle_time" || s.Metric == "gap_bound_time") && !ok && s.Values[0] == 0 {
			continue // a cause that the capture would show and that did not occur
		}
		if !ok {
			t.Errorf("%v was measured and is not expected", s.Key)
			continue
		}
		delete(want, s.Key)
		if math.Abs(s.Values[0]-w) > 1e-12*math.Max(1, math.Abs(w)) {
			t.Errorf("%v: got %v, want %v", s.Key, s.Values[0], w)
		}
	}
	for key := range want {
		t.Errorf("%v was not measured", key)
	}
}

// TestDocumented holds the list to its promise: every metric says its unit,
// what it is, by which formula, where it is shown and what a capture needs.
func TestDocumented(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range All() {
		for field, value := range map[string]string{"Unit": m.Unit, "Doc": m.Doc, "Needs": m.Needs, "Formula": m.Formula, "Section": m.Section} {
			if value == "" {
				t.Errorf("%s has no %s", m.Name, field)
			}
		}
		if m.Name == "" || seen[m.Name] {
			t.Errorf("%q stands in the list twice, or has no name", m.Name)
		}
		seen[m.Name] = true
	}
}

// TestAddsUp is the law of the breakdown, on random spans.
func TestAddsUp(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		tr := &trace.Trace{Names: trace.NewNames(), Recorded: trace.HasDevice}
		classes := []trace.Class{trace.Compute, trace.Comm, trace.Memory, trace.ClassUnknown}
		for range rng.IntN(40) {
			start := rng.Int64N(1000 * us)
			tr.Device = append(tr.Device, trace.Span{Start: start, End: start + rng.Int64N(100*us), Kind: trace.Kernel, Class: classes[rng.IntN(4)]})
		}
		tr.Sort()
		steps := []trace.Step{{Start: rng.Int64N(300 * us), End: 300*us + rng.Int64N(700*us) + 1, HostStart: trace.NoTime, HostEnd: trace.NoTime}}
		values := map[string]float64{}
		for _, s := range Prepare(tr, 0).Measure(steps) {
			if s.Part == "" || s.Part == exposedOutside {
				values[s.Metric] = s.Values[0]
			}
		}
		sum := values["compute_time"] + values["exposed_comm_time"] + values["exposed_memory_time"] + values["idle_time"]
		if math.Abs(sum-values["step_time"]) > 1e-12 {
			t.Fatalf("parts add up to %v, the step is %v", sum, values["step_time"])
		}
		if values["exposed_memory_time"] < -1e-15 || values["exposed_comm_time"] < 0 {
			t.Fatalf("a part is negative: %v", values)
		}
	}
}

// TestAbsent: what cannot be answered is NaN or absent, never zero.
func TestAbsent(t *testing.T) {
	tr, steps := one()
	steps = append(steps, trace.Step{Number: 2, Start: 1000 * us, End: trace.NoTime, HostStart: 900 * us, HostEnd: 1900 * us})
	steps = append(steps, trace.Step{Number: 3, Start: 1000 * us, End: 2000 * us, HostStart: trace.NoTime, HostEnd: trace.NoTime})
	r := run.Rank{Steps: steps, Series: Prepare(tr, 1).Measure(steps)}
	for _, tt := range []struct {
		key  run.Key
		step int
		want float64
	}{
		{run.Key{Metric: "step_time"}, 1, math.NaN()},
		{run.Key{Metric: "host_step_time"}, 1, 1e-3},
		{run.Key{Metric: "host_step_time"}, 2, math.NaN()},
		{run.Key{Metric: "overlap"}, 2, math.NaN()},                                // no communication
		{run.Key{Metric: "comm_time", Part: "AllReduce"}, 2, 0},                    // none is a number
		{run.Key{Metric: "collective_duration", Part: "AllReduce"}, 2, math.NaN()}, // no call has no duration
		{run.Key{Metric: "gap_before", Part: "AllReduce"}, 2, math.NaN()},          // nor a gap before it
	} {
		got := r.Values(tt.key)[tt.step]
		if got != tt.want && !(math.IsNaN(got) && math.IsNaN(tt.want)) {
			t.Errorf("%v of step %d: got %v, want %v", tt.key, tt.step, got, tt.want)
		}
	}
	tr.Recorded = 0
	tr.Ranges = nil
	for _, s := range Prepare(tr, 1).Measure(steps[:1]) {
		if s.Metric != "step_time" && s.Metric != "host_step_time" {
			t.Errorf("%v was measured though nothing was recorded", s.Key)
		}
	}
}

func TestGraphs(t *testing.T) {
	tr, steps := one()
	tr.Device[1].Kind, tr.Device[1].Class = trace.Graph, trace.ClassUnknown
	r := run.Rank{Steps: steps, Series: Prepare(tr, 1).Measure(steps)}
	if v := r.Values(run.Key{Metric: "busy_share"}); math.Abs(v[0]-.7) > 1e-12 {
		t.Errorf("a replay counts as busy: got %v, want 0.7", v)
	}
	for _, name := range []string{"overlap", "comm_time"} {
		if v := r.Values(run.Key{Metric: name}); v != nil {
			t.Errorf("%s is not measurable beside a replay: got %v", name, v)
		}
	}
}

func TestReadFromFiles(t *testing.T) {
	tr, steps := one()
	tr.Recorded |= trace.HasFileBytes
	tr.Access = []trace.FileAccess{
		{Start: -100 * us, End: 100 * us, Bytes: 4e6, Op: trace.OpRead}, // half of it inside
		{Start: 200 * us, End: 300 * us, Bytes: 1e6, Op: trace.OpRead},
		{Start: 400 * us, End: 500 * us, Bytes: 9e6, Op: trace.OpWrite},
	}
	p := Prepare(tr, 1)
	p.StartActivity(0, 1000*us)
	r := run.Rank{Steps: steps, Series: p.Measure(steps)}
	if got := r.Values(run.Key{Metric: "io_read_throughput"})[0]; math.Abs(got-3e9) > 1 {
		t.Errorf("throughput: got %v, want 3e9", got)
	}
	course := p.Activity()
	var sum float64
	for _, v := range course.Read {
		sum += float64(v)
	}
	if math.Abs(sum-3e6) > 1 {
		t.Errorf("the course reads %v bytes, want 3e6", sum)
	}
	if course.Bin != 1<<16 || len(course.Busy) != 16 || course.Busy[0] != 200 || course.Busy[15] != 0 {
		t.Errorf("course: bin %d, busy %v", course.Bin, course.Busy)
	}
	if h := p.Gaps; h.Total != 300*us || h.Counts[run.Bin(200*us)] != 1 || h.Counts[run.Bin(100*us)] != 1 {
		t.Errorf("gaps: total %d, counts %v", h.Total, h.Counts)
	}
}

func TestSkew(t *testing.T) {
	ranks := make([]run.Rank, 3)
	for i, v := range []float64{.1, .2, .5} {
		ranks[i] = run.Rank{Rank: i, Steps: []trace.Step{{Number: 4}, {Number: 5, Dropped: "x"}},
			Series: []run.Series{{Key: run.Key{Metric: "compute_time"}, Values: []float64{v, v}}}}
	}
	addSkew(ranks)
	got := ranks[1].Values(run.Key{Metric: "compute_skew"})
	if math.Abs(got[0]-.3) > 1e-12 || !math.IsNaN(got[1]) {
		t.Errorf("got %v, want 0.3 and none for the dropped step", got)
	}
}

// TestSkewOfLost: if one rank lost its compute time none has a skew, and only that rank lacks anything.
func TestSkewOfLost(t *testing.T) {
	ranks := make([]run.Rank, 3)
	for i := range ranks {
		ranks[i] = run.Rank{Rank: i, Steps: []trace.Step{{Number: 4}},
			Series: []run.Series{{Key: run.Key{Metric: run.ComputeTime}, Values: []float64{.1}}}}
	}
	ranks[1].Series, ranks[1].Lost = nil, []run.LostMetric{{Metric: run.ComputeTime, Why: "durations of kernels"}}
	addSkew(ranks)
	for i, want := range []string{"", "durations of kernels", ""} {
		if got := ranks[i].WhyLost(run.ComputeSkew); got != want || ranks[i].Values(run.Key{Metric: run.ComputeSkew}) != nil {
			t.Errorf("rank %d: got lost %q, want %q, and values %v", i, got, want, ranks[i].Values(run.Key{Metric: run.ComputeSkew}))
		}
	}
}

// BenchmarkMeasure is everything between reading and the values of the steps:
// sorting, which spans in the order of a file need little of, sets, metrics.
func BenchmarkMeasure(b *testing.B) {
	const n, steps = 500_000, 100
	rng := rand.New(rand.NewPCG(1, 1))
	names := trace.NewNames()
	var now int64
	spans := make([]trace.Span, n)
	for i := range spans {
		name := names.ID(string(rune('a' + rng.IntN(40))))
		now += rng.Int64N(8 * us)
		spans[i] = trace.Span{Start: now, End: now + rng.Int64N(8*us), Name: name, Stream: int32(i % 4), Kind: trace.Kernel, Class: trace.Compute}
	}
	var windows []trace.Step
	for i := range int64(steps) {
		windows = append(windows, trace.Step{Number: i, Start: now / steps * i, End: now / steps * (i + 1), HostStart: trace.NoTime, HostEnd: trace.NoTime})
	}
	for _, order := range []string{"file order", "shuffled"} {
		b.Run(order, func(b *testing.B) {
			if order == "shuffled" {
				rng.Shuffle(n, func(i, j int) { spans[i], spans[j] = spans[j], spans[i] })
			}
			tr := &trace.Trace{Names: names, Recorded: trace.HasDevice, Device: make([]trace.Span, n)}
			for b.Loop() {
				b.StopTimer()
				copy(tr.Device, spans)
				b.StartTimer()
				tr.Sort()
				Prepare(tr, 0).Measure(windows)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/kernel")
		})
	}
}

// TestReplayOfUnknownKind: what a graph replay without its kernels hides is absent, and
// not zero.
func TestReplayOfUnknownKind(t *testing.T) {
	tr, steps := one()
	tr.Device[1].Kind, tr.Device[1].Class = trace.Graph, trace.ClassUnknown
	values := map[run.Key]float64{}
	for _, s := range Prepare(tr, 1).Measure(steps) {
		values[s.Key] = s.Values[0]
	}
	for _, absent := range []string{"exposed_comm_time", "comm_time", "overlap"} {
		if v, ok := values[run.Key{Metric: absent}]; ok {
			t.Errorf("%s: got %v, want it absent", absent, v)
		}
	}
	if got := values[run.Key{Metric: "exposed_comm_time", Part: exposedOutside}]; math.Abs(got-.2e-3) > 1e-12 {
		t.Errorf("exposed communication outside of replays: got %v, want %v", got, .2e-3)
	}
}

// TestNoCommunication: a capture without any communication has none of its metrics, which
// is no zero, though other kernels are there.
func TestNoCommunication(t *testing.T) {
	tr, steps := one()
	tr.Device = slices.DeleteFunc(tr.Device, func(s trace.Span) bool { return s.Class == trace.Comm })
	values := map[string]float64{}
	for _, s := range Prepare(tr, 1).Measure(steps) {
		if s.Part == "" {
			values[s.Metric] = s.Values[0]
		}
	}
	for _, absent := range []string{"comm_time", "exposed_comm_time", "overlap"} {
		if v, ok := values[absent]; ok {
			t.Errorf("%s: got %v, want it absent", absent, v)
		}
	}
	if math.Abs(values["compute_time"]-.4e-3) > 1e-12 || math.Abs(values["idle_time"]-.45e-3) > 1e-12 {
		t.Errorf("got compute %v and idle %v", values["compute_time"], values["idle_time"])
	}
}

// TestReadsOfAStep: a read counts as a request of the step that it begins in, with its
// latency and size; its bytes are those of all steps that it lasts in.
func TestReadsOfAStep(t *testing.T) {
	tr, steps := one()
	tr.Recorded |= trace.HasFileBytes
	tr.Access = []trace.FileAccess{
		{Start: -300 * us, End: 100 * us, Bytes: 4 << 20, Op: trace.OpRead},
		{Start: 200 * us, End: 300 * us, Bytes: 1 << 20, Op: trace.OpRead},
		{Start: 950 * us, End: 1050 * us, Bytes: 1<<20 + 2048, Op: trace.OpRead}, // not aligned
	}
	r := run.Rank{Steps: steps, Series: Prepare(tr, 1).Measure(steps)}
	for name, want := range map[string]float64{
		"io_read_latency": 100e-6, "io_request_size": 1<<20 + 1024, "io_large_read_share": (1 << 20) / (2<<20 + 2048.),
		"io_read_bytes": 1<<20 + 1<<20 + 1<<19 + 1024,
	} {
		if got := r.Values(run.Key{Metric: name}); len(got) != 1 || math.Abs(got[0]-want) > 1e-9*want {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}

// TestLeastGap: 1 us is a gap, and less is idle time and none.
func TestLeastGap(t *testing.T) {
	tr, steps := one()
	tr.Device = nil
	at := int64(0)
	for _, gap := range []int64{999, 1000, 1001, 300, 2000} {
		tr.Device = append(tr.Device, trace.Span{Start: at, End: at + 10*us, Name: tr.Names.ID("k"), Kind: trace.Kernel, Class: trace.Compute})
		at += 10*us + gap
	}
	tr.Device = append(tr.Device, trace.Span{Start: at, End: 1000 * us, Name: tr.Names.ID("k"), Kind: trace.Kernel, Class: trace.Compute})
	r := run.Rank{Steps: steps, Series: Prepare(tr, 0).Measure(steps)}
	for name, want := range map[string]float64{"gap_count": 3, "gap_time": 4001e-9, "gap_p50": 1001e-9, "gap_p90": 2000e-9, "idle_time": 5300e-9} {
		if got := r.Values(run.Key{Metric: name})[0]; math.Abs(got-want) > 1e-15 {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
}
