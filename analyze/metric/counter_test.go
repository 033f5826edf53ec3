package metric

import (
	"math"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// TestCounted spreads samples over the edges of steps and counts a node once.
func TestCounted(t *testing.T) {
	samples := []trace.Sample{{Start: 0, End: 100, Value: 10}, {Start: 100, End: 200, Value: 20}, {Start: 300, End: 400, Value: 40}}
	for _, c := range []struct {
		lo, hi      int64
		sum, level  float64
		levelExists bool
	}{
		{0, 400, 70, 70. / 3, true}, {50, 150, 15, 15, true}, {150, 350, 30, 30, true}, {200, 300, 0, 0, false}, {400, 500, 0, 0, false}, {-5, 0, 0, 0, false},
	} {
		if got := countWithin(samples, c.lo, c.hi); math.Abs(got-c.sum) > 1e-9 {
			t.Errorf("inside %d to %d: got %v want %v", c.lo, c.hi, got, c.sum)
		}
		if got, ok := meanLevel(samples, c.lo, c.hi); ok != c.levelExists || ok && math.Abs(got-c.level) > 1e-9 {
			t.Errorf("average %d to %d: got %v, %v want %v, %v", c.lo, c.hi, got, ok, c.level, c.levelExists)
		}
	}
}

func TestPerNode(t *testing.T) {
	rank := func(n int, host string) run.Rank {
		return run.Rank{Rank: n, Host: host, Activity: run.Activity{NodeRead: []float32{1}, ReadSource: run.SourceFiles, Read: []float32{2}, NetSource: "NET_NIC_METRIC", Receive: []float32{1}},
			Series: []run.Series{{Key: run.Key{Metric: "step_time"}}, {Key: run.Key{Metric: netReceive}}, {Key: run.Key{Metric: netReceive, Part: "mlx5_0"}},
				{Key: run.Key{Metric: "io_read_throughput"}, Source: run.SourceStorage}}}
	}
	ranks := []run.Rank{rank(0, "a"), rank(1, "a"), rank(2, "b"), rank(3, "b")}
	ranks[3].Series[3].Source = run.SourceFiles // its own, whatever the node's are
	keepOnePerNode(ranks)
	for i, want := range []int{4, 1, 4, 2} {
		r := &ranks[i]
		if len(r.Series) != want || (r.Activity.Receive != nil) != (want == 4) || (r.Activity.NodeRead != nil) != (want == 4) || r.Activity.Read == nil {
			t.Errorf("rank %d: got %d series, activity %+v, want %d series", i, len(r.Series), r.Activity, want)
		}
	}
}

// TestRequests measures single reads.
func TestRequests(t *testing.T) {
	tr := &trace.Trace{Names: trace.NewNames(), Recorded: trace.HasDevice | trace.HasFileBytes,
		Device: []trace.Span{{Start: 0, End: 1000, Kind: trace.Kernel, Class: trace.Compute}},
		Access: []trace.FileAccess{{Start: 10, End: 30, Bytes: 1 << 20, Op: trace.OpRead}, {Start: 40, End: 50, Bytes: 1000, Op: trace.OpRead},
			{Start: 60, End: 100, Bytes: 0, Op: trace.OpRead}, {Start: 70, End: 80, Bytes: 500, Op: trace.OpWrite}}}
	series := Prepare(tr, 0).Measure([]trace.Step{{Start: 0, End: 1000, HostStart: trace.NoTime, HostEnd: trace.NoTime}})
	for name, want := range map[string]float64{
		"io_read_bytes": 1<<20 + 1000, "io_request_size": (1<<20 + 1000) / 2., "io_read_latency": 15e-9, "io_large_read_share": (1 << 20) / (1<<20 + 1000.),
		"io_write_throughput": 500 / 1e-6, "io_read_throughput": (1<<20 + 1000) / 1e-6,
	} {
		r := run.Rank{Series: series}
		if got := r.Values(run.Key{Metric: name}); len(got) != 1 || math.Abs(got[0]-want) > 1e-9*want {
			t.Errorf("%s: got %v want %v", name, got, want)
		}
	}
}
