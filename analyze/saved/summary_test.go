package saved

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/metric"
	"perfdiff/analyze/run"
	"perfdiff/analyze/saved/old"
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
	if _, err := Unmarshal(data, metric.Derivation, ample()); err == nil {
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
	got, err := Unmarshal(data, metric.Derivation, ample())
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

// oldSummary is a summary that an earlier perfdiff wrote.
func oldSummary(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile("old/testdata/" + name + ".perfdiff")
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// predictable is a set with a column that version 1 did not know how to write.
func predictable() *run.Set {
	set := odd()
	idle, step := []float64{0.1, 0.2, 0.3, 0.7}, []float64{1.1, 1.3, 1.7, 1.9}
	share := make([]float64, len(idle))
	for i := range share {
		share[i] = (step[i] - idle[i]) / step[i]
	}
	set.Runs[0].Ranks[0].Series = []run.Series{
		{Key: run.Key{Metric: "step_time"}, Values: step}, {Key: run.Key{Metric: "idle_time"}, Values: idle}, {Key: run.Key{Metric: "busy_share"}, Values: share},
	}
	return set
}

// TestOlderSummaries: the versions that are out there are read as they were,
// and no version passes for another one.
func TestOlderSummaries(t *testing.T) {
	loads := odd()
	loads.Runs[0].Ranks[0].Steps[1].Load = trace.Load{Class: trace.Decode, Batch: 32, Tokens: 96}
	for name, want := range map[string]*run.Set{ // nil: refused
		"version1": odd(), "version2": predictable(), "version4": loads,
		"newer-as-1": nil, // with a column that version 1 does not have
	} {
		got, err := Unmarshal(oldSummary(t, name), metric.Derivation, ample())
		if want == nil {
			if err == nil {
				t.Errorf("%s was taken", name)
			}
		} else if err != nil || fmt.Sprintf("%+v", got) != fmt.Sprintf("%+v", want) {
			t.Errorf("%s: got %+v want %+v (%v)", name, got, want, err)
		}
	}
	data, err := Marshal(odd())
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range []string{"1", "2", "5"} {
		edited := slices.Clone(data)
		copy(edited[len(magic):], v)
		if _, err := Unmarshal(edited, metric.Derivation, ample()); err == nil || !strings.Contains(err.Error(), "damaged") {
			t.Errorf("version 6 edited to %s: got %v want that it is damaged", v, err)
		}
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
	got, err := Unmarshal(data, metric.Derivation, ample())
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
	for _, v := range []string{"version1", "version2", "version3", "version4"} {
		data, err := os.ReadFile("old/testdata/" + v + ".perfdiff")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, false)
	}
	f.Add([]byte("\x02{}"), true)
	f.Add([]byte(`_{"Runs":[{"Ranks":[{"Series":[{"Metric":"a"},{"Metric":"b"}]},{"Rank":1}]}]}`), true)
	f.Fuzz(func(t *testing.T, data []byte, body bool) {
		if body {
			decode(data, nil, ample())
			decode(data, old.Open("5", metric.Derivation), ample())
			return
		}
		Unmarshal(data, metric.Derivation, ample())
	})
}
