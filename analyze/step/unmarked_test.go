package step

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// without are names of steps as name gives them, none where drop says so.
func without(name func(int) string, drop func(i int) bool) func(int) string {
	return func(i int) string {
		if drop(i) {
			return ""
		}
		return name(i)
	}
}

// quiet takes out what was launched in some steps of a loop.
func quiet(t *trace.Trace, off func(i int) bool) *trace.Trace {
	t.Device = slices.DeleteFunc(t.Device, func(s trace.Span) bool { return off(int(s.Launch / (10 * ms))) })
	return t
}

func TestUnmarked(t *testing.T) {
	numbered := func(i int) string { return fmt.Sprintf("step %d", i) }
	of := func(numbers ...int) func(int) bool { return func(i int) bool { return slices.Contains(numbers, i) } }
	odd := func(i int) bool { return i%2 == 1 }
	for _, tt := range []struct {
		name    string
		trace   *trace.Trace
		by      string
		left    []int64 // steps that are left out for it
		says    string
		longest int64 // ms, of a kept step
	}{
		{"every step", tail(loop(20, numbered), 20), `range "step N"`, nil, "", 10},
		{"one is not", tail(loop(20, without(numbered, of(13))), 20), `range "step N"`, []int64{12}, "step 13 was not marked", 10},
		{"some are not", tail(loop(30, without(numbered, of(5, 6, 13, 20, 21, 22))), 30), `range "step N"`, []int64{4, 12, 19}, "steps 5, 6, 13, 20, 21, 22 were not marked", 10},
		{"many are not", tail(loop(60, without(numbered, func(i int) bool { return i%3 == 2 })), 60), `range "step N"`,
			nil, "steps 2, 5, 8, 11, 14, 17 and more were not marked", 10},
		{"every second one is not", tail(loop(20, without(numbered, odd)), 20), `range "step N" with numbers 2 apart`, nil, "", 20},
		{"numbers count by ten", tail(loop(20, func(i int) string { return fmt.Sprintf("step %d", 10*i) }), 20), `range "step N"`, nil, "", 10},
		{"some numbers were skipped, no step was", tail(loop(20, func(i int) string { return fmt.Sprintf("step %d", i+i/7) }), 20), `range "step N"`, nil, "", 10},
		{"the profiler was off in every second one", quiet(loop(20, without(numbered, odd)), odd), `range "step N"`, nil, "", 10},
	} {
		tt.trace.Sort()
		f := Find(tt.trace, Options{SkipFirst: 0})
		var left []int64
		longest := int64(0)
		for _, s := range f.Steps {
			if s.Dropped == run.DropUnmarked {
				left = append(left, s.Number)
			}
			if s.Dropped == "" {
				longest = max(longest, (s.End-s.Start)/ms)
			}
		}
		if tt.left == nil && strings.Contains(tt.says, "and more") {
			left = nil // one of two, which the text counts
		}
		if got := f.Receipt.By.String(); got != tt.by || !slices.Equal(left, tt.left) || longest > tt.longest || f.Receipt.Kept == 0 {
			t.Errorf("%s: got %s, left out %v, the longest %d ms, kept %d; want %s, %v, at most %d ms", tt.name, got, left, longest, f.Receipt.Kept, tt.by, tt.left, tt.longest)
		}
		if got := f.Unmarked; (tt.says == "") != (got == "") || !strings.HasPrefix(got, tt.says) {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.says)
		}
	}
}

// TestOwnEnds: where the profiler was off between steps, each ends with its own work and
// the receipt says so.
func TestOwnEnds(t *testing.T) {
	odd := func(i int) bool { return i%2 == 1 }
	tr := quiet(loop(20, without(func(i int) string { return fmt.Sprintf("ProfilerStep#%d", i) }, odd)), odd)
	tr.Sort()
	f := Find(tr, Options{SkipFirst: 0})
	if f.Receipt.Marker != "ProfilerStep#N"+run.OwnEnds || f.Receipt.Kept != 10 {
		t.Fatalf("got %s, kept %d", f.Receipt.Marker, f.Receipt.Kept)
	}
	for i, s := range f.Steps { // three kernels of 1 ms, the first 3 ms behind its launch; the range lasts 9 ms
		if at := int64(20*i) * ms; s.Start != at+3*ms || s.End != at+9*ms || s.HostEnd != at+9*ms {
			t.Errorf("step %d: got %d to %d, host to %d", s.Number, s.Start-at, s.End-at, s.HostEnd-at)
		}
	}
}

// TestOverlappingRanges: a range that begins before the one before it ends and goes on behind it begins
// a step; one that lies inside another does not.
func TestOverlappingRanges(t *testing.T) {
	at := func(pairs ...int64) (rs []trace.Range) {
		for i := 0; i < len(pairs); i += 2 {
			rs = append(rs, trace.Range{Start: pairs[i], End: pairs[i+1]})
		}
		return rs
	}
	for _, tt := range []struct{ in, want []trace.Range }{
		{at(0, 15, 10, 25, 20, 35), at(0, 15, 10, 25, 20, 35)},
		{at(0, 10, 2, 5, 10, 20, 12, 20), at(0, 10, 10, 20)},
		{at(0, 10, 0, 12), at(0, 10)},
	} {
		if got := outermost(tt.in); !slices.Equal(got, tt.want) {
			t.Errorf("%v: got %v, want %v", tt.in, got, tt.want)
		}
	}
}
