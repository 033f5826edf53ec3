package metric

import (
	"testing"

	"perfdiff/analyze/trace"
)

// TestCopyKinds: what is from pageable or managed memory is told beside its direction, and what
// is pinned or unknown is in the direction alone.
func TestCopyKinds(t *testing.T) {
	copied := func(ns, bytes int64, direction trace.CopyKind, host trace.HostMemory) *trace.Span {
		s := trace.Span{End: ns, Kind: trace.Memcpy, Copy: direction.With(host)}.Sized(bytes)
		return &s
	}
	s := &Step{copied: []*trace.Span{
		copied(10, 100, trace.HostToDev, trace.HostPageable), copied(5, 200, trace.HostToDev, trace.HostPinned),
		copied(7, 70, trace.DevToHost, trace.HostUnknown), copied(3, 30, trace.HostToDev, trace.HostPageable), copied(1, 9, 11, trace.HostManaged),
	}}
	got := map[string][2]int64{}
	for _, c := range s.workSums().copied {
		got[c.direction] = [2]int64{c.time, c.bytes}
	}
	want := map[string][2]int64{"h2d": {19, 339}, "h2d pageable": {13, 130}, "h2d managed": {1, 9}, "d2h": {7, 70}}
	if len(got) != len(want) {
		t.Errorf("got %v want %v", got, want)
	}
	for part, w := range want {
		if got[part] != w {
			t.Errorf("%s: got %v want %v", part, got[part], w)
		}
	}
}
