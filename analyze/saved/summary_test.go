package saved

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// odd is a set with every kind of value that a column can hold.
func odd() *run.Set {
	nan := math.NaN()
	return &run.Set{
		Label: "a", Digest: "d", Metrics: []run.Metric{{Name: "step_time", Unit: "s", Better: run.Lower, Main: true}},
		Files:    []run.File{{Name: "x", Bytes: 5, Ranks: []int{0}}},
		Warnings: []trace.Warning{{File: "x", Text: "y"}},
		Runs: []run.Run{{Name: "r", Ranks: []run.Rank{
			{Rank: 3, Began: 1_700_000_000_123_456_789, Files: []string{"x"},
				Steps: []trace.Step{{Number: 7, Start: trace.NoTime, End: 5, HostStart: -9, HostEnd: 1 << 60, Dropped: "first"}, {Number: 8, Dropped: "first"}, {Number: 9}, {Number: 10, Dropped: "other"}},
				Series: []run.Series{
					{Key: run.Key{Metric: "step_time"}, Values: []float64{nan, 0.1234567, 1e-9, 0}}, {Key: run.Key{Metric: "calls", Part: "x"}, Values: []float64{1, 2, 3, 1 << 40}},
					{Key: run.Key{Metric: "ratio"}, Values: []float64{1.0 / 3, nan, math.Inf(1), math.Copysign(0, -1)}, Source: "s", Proxy: true},
					{Key: run.Key{Metric: "none"}}, {Key: run.Key{Metric: "empty"}, Values: []float64{}},
				},
				Activity: run.Activity{Start: -5, Bin: 1 << 16, Busy: []uint8{0, 200}, Read: []float32{1.5, float32(math.NaN())}, NetSource: "n"},
				Gaps:     run.Histogram{Total: 9},
			}, {Rank: -1},
		}}},
	}
}

// TestSummaryOfShortSeries has fewer values than steps, as no set has that was
// measured: what indexes values by step would fail later.
func TestSummaryOfShortSeries(t *testing.T) {
	set := odd()
	set.Runs[0].Ranks[0].Series[0].Values = set.Runs[0].Ranks[0].Series[0].Values[:3]
	data, err := Marshal(set)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Unmarshal(data, ample()); err == nil {
		t.Error("the summary was taken")
	}
}

// ample is room for every summary of a test.
func ample() *MemoryBudget { return &MemoryBudget{Bytes: 1 << 28} }

func TestSummary(t *testing.T) {
	set := odd()
	before := fmt.Sprintf("%+v", set)
	data, err := Marshal(set)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Marshal(set)
	if err != nil || !bytes.Equal(data, again) || fmt.Sprintf("%+v", set) != before {
		t.Errorf("the same set: got other bytes, or it was changed (%v)", err)
	}
	got, err := Unmarshal(data, ample())
	if err != nil {
		t.Fatal(err)
	}
	if text := fmt.Sprintf("%+v", got); text != before {
		t.Errorf("got\n%s\nwant\n%s", text, before)
	}
	values := got.Runs[0].Ranks[0].Series
	if values[3].Values != nil || values[4].Values == nil || !math.Signbit(values[2].Values[3]) {
		t.Error("nil, empty and minus zero are not told apart")
	}
	if !Is(data) || Is([]byte("SQLite format 3")) {
		t.Error("a summary is not known by its first bytes")
	}
}

// TestSummaryOfLoads: loads of engine steps come back.
func TestSummaryOfLoads(t *testing.T) {
	set := odd()
	set.Runs[0].Ranks[0].Steps[1].Load = trace.Load{Class: trace.Decode, Batch: 32, Tokens: 96, Context: 5000}
	data, err := Marshal(set)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Unmarshal(data, ample())
	if err != nil || fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", set) {
		t.Errorf("got %+v (%v) want %+v", got, err, set)
	}
}

func TestColumns(t *testing.T) {
	for _, v := range [][]int64{nil, {1}, {5, 5, 5}, {math.MinInt64, math.MaxInt64, 0}, {1, 3, 5, 7}} {
		e := &encoder{}
		e.ints(v)
		if d := (&decoder{b: e.b, budget: ample()}); !slices.Equal(d.ints(), v) || d.err != nil || len(d.b) > 0 {
			t.Errorf("%v does not come back", v)
		}
	}
}

// FuzzSummary: whatever a summary holds, reading it ends in a set or an error,
// and takes no more memory than there are bytes.
func FuzzSummary(f *testing.F) {
	data, err := Marshal(odd())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data, false)
	f.Add([]byte("\x02{}"), true)
	f.Add([]byte(`_{"Runs":[{"Ranks":[{"Series":[{"Metric":"a"},{"Metric":"b"}]},{"Rank":1}]}]}`), true)
	f.Fuzz(func(t *testing.T, data []byte, body bool) {
		if body {
			decode(data, ample())
			return
		}
		Unmarshal(data, ample())
	})
}
