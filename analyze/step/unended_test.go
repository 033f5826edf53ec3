package step

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// takeEnds takes the ends of some ranges away, as the reader does with those that the file has
// no end of: they end with the capture.
func takeEnds(t *trace.Trace, of func(i int) bool) *trace.Trace {
	t.Sort()
	end := t.Device[len(t.Device)-1].End
	for i := range t.Ranges {
		if of(i) {
			t.Ranges[i].End, t.Ranges[i].Open = end, true
		}
	}
	return t
}

// TestUnended: ranges that were begun and never ended mark no steps, and are told by name; one
// that the end of the capture cuts off is none of them.
func TestUnended(t *testing.T) {
	numbered := func(i int) string { return fmt.Sprintf("step %d", i) }
	all := func(int) bool { return true }
	at := func(places ...int) func(int) bool { return func(i int) bool { return slices.Contains(places, i) } }
	nested := func(name string, times int) *trace.Trace {
		x := tail(loop(20, numbered), 20)
		for k := range int64(times) {
			x.Ranges = append(x.Ranges, trace.Range{Start: 195*ms + k, End: 196 * ms, Name: x.Names.ID(name), Thread: 7})
		}
		return takeEnds(x, func(i int) bool { return i >= 19 })
	}
	for _, tt := range []struct {
		name   string
		trace  *trace.Trace
		marker string
		found  int
		left   []int64
		says   string
	}{
		{"all end", tail(loop(20, numbered), 20), `range "step N"`, 20, nil, ""},
		{"none ends, and launches repeat", takeEnds(tail(loop(20, numbered), 20), all), `launch of "gemm1"`, 20, nil, `20 ranges named "step N" have no end (push without pop)`},
		{"no profiler's step ends", takeEnds(tail(loop(20, func(i int) string { return fmt.Sprintf("ProfilerStep#%d", i) }), 20), all),
			`launch of "gemm1"`, 20, nil, `20 ranges named "ProfilerStep#N" have no end`},
		{"one in the middle", takeEnds(tail(loop(20, numbered), 20), at(7)), `range "step N"`, 19, []int64{6}, `1 range named "step N" has no end (push without pop)`},
		{"the last is cut off", takeEnds(tail(loop(20, numbered), 20), at(19)), `range "step N"`, 20, nil, ""},
		{"two in the middle, and the last is cut off", takeEnds(tail(loop(20, numbered), 20), at(7, 8, 19)), `range "step N"`, 18, []int64{6}, `2 ranges named "step N" have no end`},
		{"the only one is cut off", takeEnds(tail(loop(1, numbered), 1), all), `range "step N"`, 1, nil, ""},
		{"without numbers", takeEnds(tail(loop(20, func(int) string { return "train" }), 20), all), `launch of "gemm1"`, 20, nil, `20 ranges named "train" have no end`},
		{"cut off in what is nested in itself", nested("visit", 2), `range "step N"`, 20, nil, ""},
		{"cut off in layers", nested("layer 3", 5), `range "step N"`, 20, nil, ""},
		{"of what is part of a step, none ends", nested("save", 5), `range "step N"`, 20, nil, `5 ranges named "save" have no end`},
	} {
		tt.trace.Sort()
		before := slices.Clone(tt.trace.Ranges)
		f := Find(tt.trace, Options{SkipFirst: 0})
		var left []int64
		for _, d := range f.Receipt.Dropped {
			if d.Reason == run.DropUnmarked {
				left = d.Steps
			}
		}
		if f.Receipt.Marker != tt.marker || f.Receipt.Found != tt.found || !slices.Equal(left, tt.left) ||
			!strings.HasPrefix(f.Unended, tt.says) || tt.says == "" && f.Unended != "" {
			t.Errorf("%s: got %s, %d found, left %v, %q", tt.name, f.Receipt.Marker, f.Receipt.Found, left, f.Unended)
		}
		if !slices.Equal(before, tt.trace.Ranges) {
			t.Errorf("%s: the trace was changed", tt.name)
		}
		markers, _, _ := Markers(tt.trace)
		if len(markers) > 0 && markers[0].String() != tt.marker {
			t.Errorf("%s: the first marker is %s", tt.name, markers[0])
		}
	}
}

// TestUnendedAlone: where nothing else marks steps, the hint says that, and not to annotate.
func TestUnendedAlone(t *testing.T) {
	x := takeEnds(tail(loop(19, func(i int) string { return fmt.Sprintf("step %d", i) }), 19), func(int) bool { return true })
	for i := range x.Device {
		x.Device[i].Name = x.Names.ID(fmt.Sprintf("k%d", i*i))
	}
	f := Find(x, Options{})
	want := `19 ranges named "step N" have no end (push without pop): call torch.cuda.nvtx.range_pop() behind each, ` +
		`or mark each step with torch.cuda.nvtx.range(...)`
	if len(f.Steps) > 0 || f.Receipt.Hint != want || f.Unended != want {
		t.Errorf("got %d steps, %q, %q", len(f.Steps), f.Receipt.Hint, f.Unended)
	}
	o := &trace.Outline{Device: trace.Interval{Start: x.Device[0].Start, End: x.Device[len(x.Device)-1].End}, LastStart: x.Device[len(x.Device)-1].Start}
	if f, ok, err := FindOutlined(x, o, Options{}, inPieces(x.Device)); ok || err != nil || f.Unended != want {
		t.Errorf("in pieces: got %v, %v, %q", ok, err, f.Unended)
	}
}
