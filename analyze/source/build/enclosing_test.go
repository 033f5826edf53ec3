package build

import (
	"strings"
	"testing"

	"perfdiff/analyze/trace"
)

// TestEnclosing: a kernel over several that follow it in its stream has an end that cannot be.
func TestEnclosing(t *testing.T) {
	one := func(start, end, launch int64, stream int32, class trace.Class) trace.Span {
		return trace.Span{Start: start, End: end, Launch: launch, Stream: stream, Kind: trace.Kernel, Class: class}
	}
	row := func(long int64, launch func(i int64) int64, stream int32, class trace.Class) (all []trace.Span) {
		for i := range int64(100) {
			s := one(10*i, 10*i+8, launch(i), stream, class)
			if i == 30 {
				s.End = s.Start + long
			}
			all = append(all, s)
		}
		return all
	}
	own := func(i int64) int64 { return i }
	beside := row(8, own, 7, trace.Compute)
	beside[30].Stream, beside[30].End = 8, 900
	over := row(8, own, 7, trace.Compute)
	over[30].Class, over[30].End = trace.Comm, 900
	for _, tt := range []struct {
		name  string
		spans []trace.Span
		says  string
	}{
		{"one after the other", row(8, own, 7, trace.Compute), ""},
		{"one of an hour", row(3.6e12, own, 7, trace.Compute), "1 of 100 last longer"},
		{"likewise, in a stream with a large number", row(3.6e12, own, 1<<20, trace.Compute), "1 of 100 last longer"},
		{"communication of an hour", row(3.6e12, own, 7, trace.Comm), "1 of 100 last longer"},
		{"over the next", row(20, own, 7, trace.Compute), ""},
		{"over a few, hardly any time", row(30, own, 7, trace.Compute), "1 of 100 last longer"},
		{"those of one graph", row(3.6e12, func(int64) int64 { return 1 }, 7, trace.Compute), ""},
		{"launches not known", row(3.6e12, func(int64) int64 { return trace.NoTime }, 7, trace.Compute), ""},
		{"in another stream", beside, ""},
		{"communication over compute", over, ""},
	} {
		x := &trace.Trace{Device: tt.spans}
		if got := EnclosingLost(x, "again"); (tt.says == "") != (got == "") || !strings.Contains(got, tt.says) {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.says)
		}
		var parts Enclosing
		for i := range tt.spans {
			parts.Add(tt.spans[i : i+1])
		}
		if got, want := parts.Lost("again"), EnclosingLost(x, "again"); got != want {
			t.Errorf("%s, one at a time: got %q, want %q", tt.name, got, want)
		}
	}
}
