package analyze

import (
	"math"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/golden"
)

// TestWaitsOfRealRanks: eight ranks of a step of DLRM. Rank 7 came last to the
// first and longest all-to-all, for which the others waited, rank 1 longest:
// 7,635 us.
func TestWaitsOfRealRanks(t *testing.T) {
	dir := golden.Real(t, "kineto/dlrm-8ranks")
	ranks := loadTree(t, dir, Options{}).Runs[0].Ranks
	if len(ranks) != 8 {
		t.Fatalf("got %d ranks want 8", len(ranks))
	}
	value := func(r int, metric, part string) float64 {
		for _, v := range ranks[r].Values(run.Key{Metric: metric, Part: part}) {
			if !math.IsNaN(v) {
				return v
			}
		}
		return math.NaN()
	}
	for r := range ranks {
		wait, transfer := value(r, "comm_wait_time", "AllToAll"), value(r, "comm_transfer_time", "AllToAll")
		if r != 7 && !(wait > value(7, "comm_wait_time", "AllToAll")) || math.Abs(transfer-value(0, "comm_transfer_time", "AllToAll")) > 1e-12 {
			t.Errorf("rank %d: waits %g s and transfers %g s; rank 7 must wait least, and all transfer alike", r, wait, transfer)
		}
		exposed := value(r, "exposed_wait_time", "") + value(r, "exposed_transfer_time", "")
		if math.Abs(exposed-value(r, "exposed_comm_time", "")) > 1e-12 {
			t.Errorf("rank %d: exposed waiting and transfer are %g s, exposed communication is %g s", r, exposed, value(r, "exposed_comm_time", ""))
		}
	}
	// The fourth all-to-all brings 3,072 to 53,248 B to a rank, so that ranks may end before others.
	set := loadTree(t, dir, Options{}).Runs[0]
	if c := set.Clocks; c.Matched != 64 || c.Kernels != 64 || c.Used != 7 || c.Residual < 500 || c.Residual > 7000 {
		t.Errorf("clocks: got %+v, want 64 kernels matched, 7 collectives with ends within 7 us", c)
	}
	last := map[int]int64{}
	for _, r := range ranks {
		for _, w := range r.Waits {
			last[w.For] += w.Time
		}
	}
	for rank, time := range last {
		if rank != 7 && time >= last[7] {
			t.Errorf("others wait %d ns for rank %d, %d ns for rank 7", time, rank, last[7])
		}
	}
	if w := value(1, "comm_wait_time", "AllToAll"); w < 7.6e-3 || w > 10e-3 {
		t.Errorf("rank 1 waits %g s in its all-to-alls, of which 7.6 ms are known", w)
	}
}
