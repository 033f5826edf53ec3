package build

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/trace"
)

// everywhere is room for everything.
func everywhere(int64) bool { return true }

// TestMemory: what a driver gave is summed up from the least on, what an allocator says is taken as
// it is, and what is not whole is lost.
func TestMemory(t *testing.T) {
	from := MemorySource{Totals: "totals", Sums: "sums"}
	for name, x := range map[string]struct {
		fill func(*Memory)
		want string
		lost string
	}{
		"nothing": {func(*Memory) {}, "", ""},
		"a driver": {func(m *Memory) {
			m.Driver(everywhere, 20, true, 100, 7)
			m.Driver(everywhere, 30, false, 0, 7)
		}, driverSums + " false true [{20 0 100 true} {30 0 0 false}]", ""},
		"freed before": {func(m *Memory) {
			m.Driver(everywhere, 20, false, 100, 7)
			m.Driver(everywhere, 30, true, 40, 8)
		}, driverSums + " false true [{20 0 0 false} {30 0 40 true}]", ""},
		"of unknown size": {func(m *Memory) {
			m.Driver(everywhere, 20, true, 100, 7)
			m.Driver(everywhere, 30, false, 0, 9)
		}, "", "1 of 2 were left out"},
		"freed twice": {func(m *Memory) {
			m.Driver(everywhere, 20, true, 100, 7)
			m.Driver(everywhere, 30, false, 0, 7)
			m.Driver(everywhere, 40, false, 0, 7)
		}, "", "1 of 3 were left out"},
		"totals": {func(m *Memory) {
			m.Total(everywhere, 30, false, 150, 0)
			m.Total(everywhere, 20, true, 200, 0)
		}, "totals true false [{20 200 0 true} {30 150 0 false}]", ""},
		"totals and what is reserved": {func(m *Memory) { m.Total(everywhere, 30, false, 150, 400) },
			"totals true true [{30 150 400 false}]", ""},
		"sums": {func(m *Memory) {
			m.Sum(everywhere, 20, 30)
			m.Sum(everywhere, 30, -50)
		}, "sums true false [{20 50 0 true} {30 0 0 false}]", ""},
		"totals of some": {func(m *Memory) {
			m.Total(everywhere, 20, true, 200, 0)
			m.Sum(everywhere, 30, -50)
		}, "", "1 of 2 say so (again)"},
		"without a time": {func(m *Memory) {
			m.Total(everywhere, 20, true, 200, 0)
			m.LeaveOut()
		}, "", "1 of 2 were left out"},
	} {
		var m Memory
		x.fill(&m)
		var got trace.Trace
		m.Give(&got, from, "again")
		held := ""
		if h := got.Memory; h != nil {
			held = fmt.Sprint(h.Source, " ", h.Allocated, " ", h.Reserved, " ", h.Changes)
		}
		why := got.WhyIncomplete(trace.MemoryUse)
		if held != x.want || !strings.Contains(why, x.lost) || (why == "") != (x.lost == "") || got.Recorded.Has(trace.HasMemory) != (x.want != "") {
			t.Errorf("%s: got %q, lost %q, want %q, %q", name, held, why, x.want, x.lost)
		}
	}
}

// TestMemories: a file may name so many devices, and the memory of more of them is of none.
func TestMemories(t *testing.T) {
	all := make(Memories[int])
	for i := range MaxPlaces + 3 {
		all.Of(i).LeaveOut()
	}
	if len(all) != MaxPlaces || all.Of(1) != all[1] {
		t.Errorf("got %d devices, want %d", len(all), MaxPlaces)
	}
}

// TestTally: rows without times are told of, and beyond a share the content is lost.
func TestTally(t *testing.T) {
	var y Tally
	for i := range 100 {
		y.Count(trace.Kernels, i >= 2)
		y.Count(trace.Ranges, i >= 11)
		if ok := y.Count(trace.Calls, true); !ok {
			t.Error("got a row that counts left out")
		}
	}
	var l Losses
	y.Report(&l, "HIP", "again")
	want := []string{"2 of 100 kernels were left out: their times cannot be",
		"lacks times of ranges: 11 of 100 have none that can be (again)"}
	if !slices.Equal(l.Warnings, want) || len(l.Lost) != 1 || l.Lost[0].Of != trace.Ranges {
		t.Errorf("got %q, lost %v", l.Warnings, l.Lost)
	}
}

// TestLosses: a file's losses and warnings are in each of its traces, and a loss that a trace has
// already is not told twice.
func TestLosses(t *testing.T) {
	var l Losses
	l.LackAnswers(Share{3, 100}, Share{3, 100}, "again")
	l.LackNames(Share{2, 100}, "again")
	x := &trace.Trace{File: "a"}
	l.Give(x)
	Lack(x, trace.Kernels, "a second reason")
	Lack(x, trace.Calls, "calls: %d", 3)
	var got []string
	for _, w := range x.Warnings {
		got = append(got, w.File+": "+w.Text)
	}
	want := []string{"a: lacks a kernel for each launch: 3 of 100 have none (again)", "a: lacks calls: 3"}
	if !slices.Equal(got, want) || x.Incomplete() != trace.Kernels|trace.Calls {
		t.Errorf("got %q, lost %b", got, x.Incomplete())
	}
}

// TestCheck looks at traces that lack kernels, launches or answers.
func TestCheck(t *testing.T) {
	c := Check{Again: "again", NoKernels: "kernels", NoLaunches: "launches"}
	span := func(kind trace.Kind, at, launch int64) trace.Span {
		return trace.Span{Kind: kind, Start: at, End: at + 1, Launch: launch}
	}
	for _, x := range []struct {
		name    string
		device  []trace.Span
		kernels Share
		says    string
		lost    trace.Content
	}{
		{"nothing", nil, Share{9, 9}, "", 0},
		{"all", []trace.Span{span(trace.Kernel, 1, 1)}, Share{0, 1}, "", 0},
		{"graphs", []trace.Span{span(trace.Graph, 1, 1)}, Share{0, 1}, "", 0},
		{"copies", []trace.Span{span(trace.Memcpy, 1, 1)}, Share{}, "lacks kernels", trace.Kernels | trace.Kinds},
		{"no launches", []trace.Span{span(trace.Kernel, 1, trace.NoTime)}, Share{}, "lacks launches", 0},
		{"no answers", []trace.Span{span(trace.Kernel, 1, 1)}, Share{1, 2}, "a kernel for each launch: 1 of 2", trace.Kernels},
		{"some launches", []trace.Span{span(trace.Kernel, 1, 1), span(trace.Kernel, 2, trace.NoTime), span(trace.Kernel, 3, 1)},
			Share{}, "1 of 3 kernels, copies and sets have none", trace.Calls},
	} {
		one := &trace.Trace{Device: x.device}
		one.Recorded = Recorded(one)
		c.All(one, x.kernels)
		if got := fmt.Sprint(one.Warnings); one.Incomplete() != x.lost || !strings.Contains(got, x.says) || (x.says == "") != (len(one.Warnings) == 0) {
			t.Errorf("%s: got %s, lost %b, want %q, %b", x.name, got, one.Incomplete(), x.says, x.lost)
		}
	}
}

// TestFacts: the first of each key counts, what says nothing is none, and those of the GPU are there.
func TestFacts(t *testing.T) {
	var f Facts
	f.Add("driver", "unknown")
	f.Add("driver", "")
	f.Add("driver", "5")
	f.Add("driver", "6")
	f.Variable("NCCL_ALGO=Ring")
	f.Variable("HOME=/home/me")
	got := fmt.Sprint(f.Sorted(GPU{Name: "A100", Memory: 8}))
	if want := "[{NCCL_ALGO Ring} {driver 5} {environment recorded} {gpu A100} {gpu_memory 8}]"; got != want || len(f) != 3 {
		t.Errorf("got %s want %s", got, want)
	}
	for text, want := range map[string]string{"13020": "13.2", "12080": "12.8", "12.4": "12.4", "": ""} {
		if got := CUDAVersion(text); got != want {
			t.Errorf("version %s: got %s want %s", text, got, want)
		}
	}
}

// TestShapes: the shape of most launches of a name counts.
func TestShapes(t *testing.T) {
	shape := func(n int32) trace.Shape {
		return trace.Shape{Grid: [3]int32{n, 1, 1}, Block: [3]int32{n, 1, 1}}
	}
	var all Shapes
	for _, n := range []int32{2, 1, 1, 2, 1, 0} {
		all.Add(70, shape(n))
	}
	if got := all.ByName(); len(got) != 1 || got[70] != shape(1) {
		t.Errorf("got %v", got)
	}
}

// TestObserved: times of a file's own start are not UTC.
func TestObserved(t *testing.T) {
	var o Observed
	if o.Interval() != (trace.Interval{}) || o.Epoch(7) != 7 {
		t.Error("without rows: got a time")
	}
	o.Add(5, 9)
	o.Add(3, 4)
	if o.Interval() != (trace.Interval{Start: 3, End: 9}) || o.Epoch(7) != 7 {
		t.Errorf("got %v from %d", o.Interval(), o.Epoch(7))
	}
	var late Observed
	if late.Add(Since2001, Since2001+1); late.Epoch(7) != 0 {
		t.Error("times since 1970 are not UTC")
	}
}

// TestFit: room is asked for what is large, and where there is none the reading ended.
func TestFit(t *testing.T) {
	errFull := errors.New("full")
	ctx, cancel := context.WithCancelCause(context.Background())
	none := func(int64) bool { cancel(errFull); return false }
	if Fit(ctx, none, 1<<20-1) != nil || Fit(ctx, (*trace.Options)(nil).Fits, 1<<40) != nil {
		t.Error("got no room where there is some")
	}
	if err := Fit(ctx, none, 1<<20); err != errFull {
		t.Errorf("got %v want %v", err, errFull)
	}
}
