package nsys

import (
	"slices"
	"testing"

	"perfdiff/analyze/synth/nsystest"
	"perfdiff/analyze/trace"
)

func TestOverhead(t *testing.T) {
	device := &device{spans: []trace.Span{{Start: 2000, End: 2500}, {Start: 1000, End: 1500}}}
	at := func(ts ...int64) (all []trace.Interval) {
		for i := 0; i < len(ts); i += 2 {
			all = append(all, trace.Interval{Start: ts[i], End: ts[i+1]})
		}
		return all
	}
	tests := []struct {
		name     string
		overhead []trace.Interval
		want     string
	}{
		{"nothing recorded", nil, ""},
		{"only before and after", at(0, 1000, 2500, 9000), "under 2 %"},
		{"two threads at once are once", at(1000, 1029, 1000, 1029), "under 2 %"},
		{"in any order", at(1200, 1220, 900, 1020), "2 to 10 %"},
		{"much", at(0, 9000), "over 10 %"},
	}
	for _, tt := range tests {
		p := process{overhead: tt.overhead}
		if got := p.overheadOf(device); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestOverheadIsAFact has a row inside the kernel of the rank, and one of a process
// that does nothing else and is no rank.
func TestOverheadIsAFact(t *testing.T) {
	file := nsystest.Export(t, nsystest.KernelRow, `CREATE TABLE PROFILER_OVERHEAD (start, end, globalTid, nameId, overheadType);
		INSERT INTO PROFILER_OVERHEAD VALUES (120, 125, $T, 1, 3), (0, 1000, $U, 1, 3);`)
	traces := read(t, file)
	if len(traces) != 1 || !slices.Contains(traces[0].Facts, trace.Fact{Key: trace.FactOverhead, Value: "2 to 10 %"}) {
		t.Errorf("got %d traces, %+v", len(traces), traces[0].Facts)
	}
}
