package metric

import (
	"testing"

	"perfdiff/analyze/trace"
)

// TestReadersOfCalls: threads in reading calls at once, of helper processes too, step by step; neither what waits for a
// whole step nor a call within another one counts.
func TestReadersOfCalls(t *testing.T) {
	tr := &trace.Trace{Names: trace.NewNames(), Recorded: trace.HasOS}
	for _, c := range []struct {
		start, end int64
		name       string
		thread     int32
	}{
		{0, 900, "read", 9}, // waits for a pipe
		{10, 50, "pread64", 1}, {10, 50, "fread", -2}, {20, 30, "read", 1}, {20, 90, "pthread_cond_wait", 3},
		{90, 120, "read", 1}, {100, 120, "read", 2}, {110, 160, "read", 3},
	} {
		tr.OS = append(tr.OS, tr.Names.Call(c.start, c.end, tr.Names.ID(c.name), c.thread))
	}
	r := newRank(tr, 1)
	for _, tt := range []struct {
		lo, hi int64
		want   float64
	}{
		{0, 100, (40 + 40 + 10) / 50.}, {100, 200, (20 + 20 + 50) / 60.}, {200, 300, 0}, {0, 100, 90 / 50.},
	} {
		s := &Step{Rank: r}
		s.Step = trace.Step{Start: tt.lo, End: tt.hi}
		if got := r.readersOf(s); got != tt.want {
			t.Errorf("[%d, %d): got %g, want %g", tt.lo, tt.hi, got, tt.want)
		}
	}
}
