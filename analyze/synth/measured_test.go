package synth_test

import (
	"context"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze"
	"perfdiff/analyze/run"
	"perfdiff/analyze/step"
	"perfdiff/analyze/synth"
	"perfdiff/analyze/synth/parquetdir"
	"perfdiff/testdata"
)

// TestMeasured: what is measured of a story's profiles, in every format, is
// what the story put in, to the nanosecond.
func TestMeasured(t *testing.T) {
	for _, name := range testdata.Names() {
		for _, format := range []synth.Format{synth.Nsight, synth.NsightParquet, synth.Kineto} {
			t.Run(fmt.Sprintf("%s/%d", name, format), func(t *testing.T) {
				t.Parallel()
				measureStory(t, name, format)
			})
		}
	}
}

// TestMeasuredElsewhere: likewise of other profilers' files, which have no sizes of messages.
func TestMeasuredElsewhere(t *testing.T) {
	for _, name := range []string{"slow-kernel", "slow-allreduce", "graphs", "allocator", "late-node"} {
		for _, format := range []synth.Format{synth.Rocpd, synth.XPlane, synth.XLATrace} {
			t.Run(fmt.Sprintf("%s/%d", name, format), func(t *testing.T) {
				t.Parallel()
				measureStory(t, name, format)
			})
		}
	}
}

func measureStory(t *testing.T, name string, format synth.Format) {
	text, err := testdata.Story(name)
	if err != nil {
		t.Fatal(err)
	}
	story, err := synth.Parse(name, text)
	if err != nil {
		t.Fatal(err)
	}
	story.Tables = parquetdir.Write
	dir := t.TempDir()
	truth, err := story.Write(context.Background(), dir, format)
	if err != nil {
		t.Fatal(err)
	}
	for side, want := range map[string][]synth.Run{"baseline": truth.Baseline, "candidate": truth.Candidate} {
		set, err := analyze.Load(context.Background(), dir+"/"+side, analyze.Options{Step: step.Options{SkipFirst: -1}})
		if err != nil {
			t.Fatal(err)
		}
		if len(set.Runs) != len(want) {
			t.Fatalf("%s: got %d runs, want %d", side, len(set.Runs), len(want))
		}
		for i := range want {
			compareRun(t, side+"/"+want[i].Name, set.Runs[i], want[i], format)
		}
	}
}

// compareRun looks at the ranks whose files are whole; what a reader makes of
// a truncated one is the reader's to test.
func compareRun(t *testing.T, at string, got run.Run, want synth.Run, format synth.Format) {
	byRank := map[int]*run.Rank{}
	for i := range got.Ranks {
		byRank[got.Ranks[i].Rank] = &got.Ranks[i]
	}
	for _, w := range want.Ranks {
		r := byRank[w.Rank]
		switch {
		case w.Truncated:
			continue
		case r == nil:
			t.Errorf("%s: rank %d was not found", at, w.Rank)
			continue
		case len(r.Steps) != len(w.Steps):
			t.Errorf("%s, rank %d: got %d steps, want %d", at, w.Rank, len(r.Steps), len(w.Steps))
			continue
		case (format.Nsight() || format == synth.Kineto) && r.Host != w.Host:
			t.Errorf("%s, rank %d: got host %q, want %q", at, w.Rank, r.Host, w.Host)
		}
		for i, s := range w.Steps {
			if w.NoFiles { // counters of the node say what all its ranks read
				s.ReadBytes = 0
			}
			compareStep(t, fmt.Sprintf("%s, rank %d, step %d", at, w.Rank, s.Number), r, i, s, format)
		}
	}
}

func compareStep(t *testing.T, at string, r *run.Rank, i int, s synth.Step, format synth.Format) {
	t.Helper()
	if r.Steps[i].Number != s.Number {
		t.Errorf("%s: got number %d", at, r.Steps[i].Number)
	}
	if l := r.Steps[i].Load; l.Class.String() != s.Load.Class || l.Batch != s.Load.Batch || l.Tokens != s.Load.Tokens ||
		l.Context != s.Load.Context {
		t.Errorf("%s: got load %+v, want %+v", at, l, s.Load)
	}
	for whole, of := range map[string]string{"idle_time": "idle_time", "gap_bound_time": "idle_time", "compute_time": "compute_time"} {
		sum := 0.0
		for _, x := range r.Series {
			if x.Metric == whole && x.Part != "" {
				sum += x.Values[i]
			}
		}
		if want := r.Values(run.Key{Metric: of})[i]; math.Abs(sum-want) > 1e-10 {
			t.Errorf("%s: the parts of %s add up to %v, want %v", at, whole, sum, want)
		}
	}
	for key, want := range values(s, format) {
		got := math.NaN()
		if v := ofRank(r, key); v != nil {
			got = v[i]
		}
		if !(math.Abs(got-want) <= 1e-12*math.Abs(want)) {
			t.Fatalf("%s: %s %s: got %v, want %v", at, key.Metric, key.Part, got, want)
		}
	}
}

// ofRank are the values of a metric that are the rank's own: counters of its node see others.
func ofRank(r *run.Rank, key run.Key) []float64 {
	for _, s := range r.Series {
		if s.Key == key && s.Source != run.SourceStorage {
			return s.Values
		}
	}
	return nil
}

// values are the metrics that a truth answers.
func values(s synth.Step, format synth.Format) map[run.Key]float64 {
	gaps := 0
	for _, g := range s.Gaps {
		if g >= 1000 { // shorter ones are launch latency and are not counted
			gaps++
		}
	}
	v := map[run.Key]float64{
		{Metric: "step_time"}:                 seconds(s.Time),
		{Metric: "host_step_time"}:            seconds(s.HostTime),
		{Metric: "compute_time"}:              seconds(s.Compute),
		{Metric: "exposed_memory_time"}:       seconds(s.ExposedMemory),
		{Metric: "idle_time"}:                 seconds(s.Idle),
		{Metric: "input_wait_time"}:           seconds(s.InputWait),
		{Metric: "gap_count"}:                 float64(gaps),
		{Metric: "memcpy_time", Part: "h2d"}:  seconds(s.CopyTime),
		{Metric: "memcpy_bytes", Part: "h2d"}: float64(s.CopyBytes),
	}
	if s.CopyBytes == 0 { // as on later stages of a pipeline
		delete(v, run.Key{Metric: "memcpy_time", Part: "h2d"})
		delete(v, run.Key{Metric: "memcpy_bytes", Part: "h2d"})
	}
	if s.Load.Class != "" { // no range says that an engine waits for input
		delete(v, run.Key{Metric: "input_wait_time"})
		v[run.Key{Metric: "time_per_token"}] = seconds(s.Time) / float64(s.Load.Tokens)
	}
	exposed := run.Key{Metric: "exposed_comm_time", Part: "outside of graph replays"}
	if s.Graphs == 0 {
		exposed.Part = ""
		v[run.Key{Metric: "comm_time"}] = seconds(s.Comm)
		v[run.Key{Metric: "overlap"}] = float64(s.Comm-s.ExposedComm) / float64(s.Comm)
	}
	v[exposed] = seconds(s.ExposedComm)
	if len(s.Collectives) > 0 {
		v[run.Key{Metric: "collective_calls", Part: "AllReduce"}] = float64(len(s.Collectives))
		time := int64(0) // they never overlap each other
		for _, c := range s.Collectives {
			time += c.Time
		}
		v[run.Key{Metric: "kernel_time", Part: "nccl:AllReduce f32"}] = seconds(time)
		v[run.Key{Metric: "kernel_launches", Part: "nccl:AllReduce f32"}] = float64(len(s.Collectives))
		bytes, bus := 0.0, 0.0
		for _, c := range s.Collectives {
			n := float64(c.Ranks)
			bytes, bus = bytes+float64(c.Bytes), bus+2*(n-1)/n*float64(c.Bytes)
		}
		if bytes > 0 && hasMessages(format) {
			v[run.Key{Metric: "collective_bytes", Part: "AllReduce"}] = bytes
			v[run.Key{Metric: "algorithm_bandwidth", Part: "AllReduce"}] = bytes / seconds(time)
			v[run.Key{Metric: "bus_bandwidth", Part: "AllReduce"}] = bus / seconds(time)
		}
	}
	if len(s.Collectives) > 0 && s.Whole {
		wait, time := int64(0), int64(0)
		for _, c := range s.Collectives {
			wait, time = wait+c.Wait, time+c.Time
		}
		v[run.Key{Metric: "comm_wait_time", Part: "AllReduce"}] = seconds(wait)
		if s.Graphs == 0 && len(s.Messages) == 0 && len(s.AllToAlls) == 0 {
			v[run.Key{Metric: "comm_wait_time"}] = seconds(wait)
		}
		v[run.Key{Metric: "comm_transfer_time", Part: "AllReduce"}] = seconds(time - wait)
		bus, moving := 0.0, int64(0) // of those of one size class
		for _, c := range s.Collectives {
			if n := float64(c.Ranks); c.Bytes >= 16<<20 && c.Bytes < 256<<20 {
				bus, moving = bus+2*(n-1)/n*float64(c.Bytes), moving+c.Time-c.Wait
			}
		}
		if hasMessages(format) && bus > 0 {
			v[run.Key{Metric: "transfer_bandwidth", Part: "AllReduce 16 to 256 MiB"}] = bus / seconds(moving)
		}
	}
	if n := len(s.AllToAlls); n > 0 {
		v[run.Key{Metric: "collective_calls", Part: "AllToAll"}] = float64(n)
		if v[run.Key{Metric: "routed_bytes"}] = float64(s.Routed); !hasMessages(format) || !s.Whole {
			delete(v, run.Key{Metric: "routed_bytes"})
		}
	}
	if n := len(s.Messages); n > 0 {
		v[run.Key{Metric: "collective_calls", Part: "SendRecv"}] = float64(n)
	}
	if len(s.Collectives) == 1 {
		v[run.Key{Metric: "gap_before", Part: "AllReduce"}] = seconds(s.Collectives[0].Gap)
	}
	if s.ReadBytes > 0 && format.Nsight() {
		v[run.Key{Metric: "io_read_throughput"}] = s.ReadBytes / seconds(s.Time)
	}
	if s.Clock > 0 && format.Nsight() {
		v[run.Key{Metric: "gpu_clock"}] = float64(s.Clock)
		v[run.Key{Metric: "gpu_activity", Part: "GR active"}] = 0.97
	}
	if s.FLOPs > 0 {
		v[run.Key{Metric: "flops"}] = s.FLOPs
		v[run.Key{Metric: "flops_known"}] = 1
		v[run.Key{Metric: "model_flops_utilization"}] = s.FLOPs / (seconds(s.Time) * 989.4e12) // H100 SXM, bfloat16
	}
	if m := s.Memory; m.Known {
		v[run.Key{Metric: "memory_reserved_peak"}] = float64(m.ReservedPeak)
		v[run.Key{Metric: "memory_allocations"}] = float64(m.DriverCalls)
		if !format.Nsight() {
			v[run.Key{Metric: "memory_allocations"}] = float64(m.Allocations)
			v[run.Key{Metric: "memory_allocated_peak"}] = float64(m.AllocatedPeak)
			v[run.Key{Metric: "memory_growth"}] = float64(m.AllocatedMore)
		}
	}
	return v
}

func seconds(ns int64) float64 { return float64(ns) * 1e-9 }

// TestClockSkew: clocks of nodes that are 20 ms apart are found to be, and what is
// said of ranks does not depend on it.
func TestClockSkew(t *testing.T) {
	text, err := testdata.Story("clock-skew-20ms")
	if err != nil {
		t.Fatal(err)
	}
	story, err := synth.Parse("clock-skew-20ms", text)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if _, err := story.Write(context.Background(), dir, synth.Nsight); err != nil {
		t.Fatal(err)
	}
	set, err := analyze.Load(context.Background(), dir+"/candidate", analyze.Options{Step: step.Options{SkipFirst: -1}})
	if err != nil {
		t.Fatal(err)
	}
	c := set.Runs[0].Clocks
	if len(c.Hosts) != 2 || math.Abs(float64(c.Hosts[1].Offset-c.Hosts[0].Offset)-20e6) > 5000 || c.Residual > 4000 || c.Matched != c.Kernels || c.Kernels == 0 {
		t.Errorf("got %+v", c)
	}
	for _, w := range set.Runs[0].Ranks[5].Waits {
		if w.For != 2 {
			t.Errorf("rank 5 waits %d ns for rank %d, which is not late", w.Time, w.For)
		}
	}
}

// TestShapes: how kernels are launched is read, by canonical name.
func TestShapes(t *testing.T) {
	text, err := testdata.Story("aa")
	if err != nil {
		t.Fatal(err)
	}
	story, err := synth.Parse("aa", text)
	if err != nil {
		t.Fatal(err)
	}
	story.Tables = parquetdir.Write
	dir := t.TempDir()
	for _, format := range []synth.Format{synth.Nsight, synth.NsightParquet, synth.Kineto} {
		sub := filepath.Join(dir, fmt.Sprint(format))
		if _, err := story.Write(context.Background(), sub, format); err != nil {
			t.Fatal(err)
		}
		set, err := analyze.Load(context.Background(), sub+"/baseline", analyze.Options{})
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, w := range set.Runs[0].Ranks[0].Work {
			if strings.Contains(w.Kernel, "dgrad") {
				found = w.Shape.Grid == [3]int32{1056, 1, 1} && w.Shape.Block == [3]int32{384, 1, 1} && w.Shape.Registers == 64 && w.Shape.Occupancy == 38 && w.Family == "convolution" && w.Launches > 0
			}
		}
		if !found {
			t.Errorf("format %d: got %+v", format, set.Runs[0].Ranks[0].Work)
		}
	}
}

// hasMessages reports whether a format has the sizes of collectives.
func hasMessages(f synth.Format) bool { return f < synth.Rocpd }
