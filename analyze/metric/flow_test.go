package metric

import (
	"math"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// TestAccessed: the rate while reading goes on is over the union of reads, and a call within
// another call of its thread is no second reader.
func TestAccessed(t *testing.T) {
	r := &Rank{Trace: &trace.Trace{Access: []trace.FileAccess{
		{Start: -50, End: 50, Bytes: 100, Thread: 1, Op: trace.OpRead}, // half of it inside
		{Start: 100, End: 200, Bytes: 100, Thread: 1, Op: trace.OpRead},
		{Start: 110, End: 150, Bytes: 0, Thread: 3, Op: trace.OpRead}, // the end of a file
		{Start: 120, End: 180, Bytes: 50, Thread: 1, Op: trace.OpRead},
		{Start: 150, End: 250, Bytes: 100, Thread: 2, Op: trace.OpRead},
		{Start: 300, End: 900, Bytes: 9, Thread: 2, Op: trace.OpWrite},
	}}, longestAccess: 600}
	got := accessedIn(r, trace.OpRead, 0, 1000)
	if want := (flow{bytes: 300, burst: 300, time: 200, readers: 1.25}); got != want {
		t.Errorf("got %+v want %+v", got, want)
	}
	if got := accessedIn(r, trace.OpRead, 400, 500); got != (flow{}) {
		t.Errorf("without reads: got %+v", got)
	}
}

// TestSampled: what trickles between bursts is no reading, and one sample far above the
// others decides nothing.
func TestSampled(t *testing.T) {
	samples := []trace.Sample{{Start: 0, End: 100, Value: 1}}
	for i := int64(1); i < 5; i++ {
		samples = append(samples, trace.Sample{Start: 100 * i, End: 100*i + 100, Value: 40})
	}
	samples = append(samples, trace.Sample{Start: 500, End: 600, Value: 2}, trace.Sample{Start: 600, End: 610, Value: 60})
	got := sampledIn(samples, 0, 1000)
	if want := (flow{bytes: 223, burst: 220, time: 410}); got != want {
		t.Errorf("got %+v want %+v", got, want)
	}
	if got := sampledIn(samples, 700, 1000); got != (flow{}) {
		t.Errorf("without reads: got %+v", got)
	}
}

// TestVolumesTogether: volumes that were sampled at times of their own add up.
func TestVolumesTogether(t *testing.T) {
	got := together([][]trace.Sample{
		{{Start: 0, End: 100, Value: 10}, {Start: 100, End: 200, Value: 20}},
		{{Start: 50, End: 150, Value: 40}},
	})
	want := []trace.Sample{{Start: 0, End: 50, Value: 5}, {Start: 50, End: 100, Value: 25}, {Start: 100, End: 150, Value: 30}, {Start: 150, End: 200, Value: 10}}
	for i := range want {
		if len(got) != len(want) || math.Abs(got[i].Value-want[i].Value) > 1e-9 || got[i].Start != want[i].Start || got[i].End != want[i].End {
			t.Fatalf("got %v want %v", got, want)
		}
	}
}

// TestBothSources: a rank keeps what each source says, and a lost table costs its own alone.
func TestBothSources(t *testing.T) {
	for _, lost := range []bool{false, true} {
		tr := &trace.Trace{Names: trace.NewNames(), Recorded: trace.HasDevice | trace.HasFileBytes | trace.HasStorage,
			Device:   []trace.Span{{Start: 0, End: 1000, Kind: trace.Kernel, Class: trace.Compute}},
			Access:   []trace.FileAccess{{Start: 10, End: 30, Bytes: 4096, Op: trace.OpRead}},
			Counters: []trace.Counter{{Kind: trace.StorageRead, Device: "volume 1", Samples: []trace.Sample{{Start: 0, End: 100, Value: 8192}}}}}
		if lost {
			tr.Lose(trace.FileAccesses, "half of it")
		}
		r := Prepare(tr, 0)
		got := map[string]float64{}
		for _, s := range r.Measure([]trace.Step{{Start: 0, End: 1000, HostStart: trace.NoTime, HostEnd: trace.NoTime}}) {
			if s.Metric == run.IOReadBytes {
				got[s.Source] = s.Values[0]
			}
		}
		want := map[string]float64{run.SourceStorage: 8192, run.SourceFiles: 4096}
		if lost {
			delete(want, run.SourceFiles)
		}
		if len(got) != len(want) || got[run.SourceStorage] != 8192 || got[run.SourceFiles] != want[run.SourceFiles] {
			t.Errorf("lost %v: got %v want %v", lost, got, want)
		}
		all := &run.Rank{Lost: r.Lost()}
		if all.WhyLost(run.IOReadThroughput) != "" || (all.WhyLost(run.IORequestSize) == "") == lost {
			t.Errorf("lost %v: got %v", lost, r.Lost())
		}
	}
}
