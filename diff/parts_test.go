package diff_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/difftest"
	"perfdiff/diff/verdict"
)

func TestStepPoints(t *testing.T) {
	warm := func(level float64) func(int, int) float64 {
		return func(rank, s int) float64 { return difftest.Steady(level, 0)(rank, s) * (1 + math.Exp(-float64(s)/2)) }
	}
	base := difftest.SetOf("a", difftest.Job{Ranks: difftest.UpTo(3), First: 0, Steps: 60, Step: warm(0.1), Dropped: map[int64]string{0: "first step", 30: "cut"}})
	cand := difftest.SetOf("b", difftest.Job{Ranks: difftest.UpTo(3), First: 2, Steps: 60, Step: difftest.Steady(0.1, 0), Dropped: map[int64]string{30: "cut", 31: "late"}})
	cand.Runs[0].Ranks[0].Steps[20].Dropped = "only here" // one rank of three: the step stays
	r := difftest.Compare(base, cand)
	both := func(why string) cause.Omission { return cause.Omission{Base: why, Cand: why} }
	want := map[int64]cause.Omission{0: both("first step"), 1: {Missing: cause.MissingInCand}, 2: both(diff.WarmUp), 30: both("cut"), 31: {Cand: "late"},
		40: {}, 22: {}, 61: {Missing: cause.MissingInBase}}
	for _, p := range r.Steps {
		if w, ok := want[p.Number]; ok && p.Omission != w {
			t.Errorf("step %d: got %+v, want %+v", p.Number, p.Omission, w)
		}
		if p.Number == 22 && (p.Cand.Ranks != 2 || p.Base.Ranks != 3) {
			t.Errorf("step 22: got %d and %d ranks, want 3 and 2", p.Base.Ranks, p.Cand.Ranks)
		}
	}
	if len(r.Steps) != 62 || !math.IsNaN(r.Steps[0].Cand.Median) {
		t.Errorf("got %d steps, the first with %g in the candidate", len(r.Steps), r.Steps[0].Cand.Median)
	}
	used := 0
	for _, p := range r.Steps {
		if !p.Omission.Omitted() {
			used++
		}
	}
	if c := verdict.MetricOf(r.Metrics, "step_time"); used != c.StepsUsed || used != r.Base.Steps.Used {
		t.Errorf("got %d points in use, %d steps used, %d in the receipt", used, c.StepsUsed, r.Base.Steps.Used)
	}
	if r.Base.Steps.WarmUp == 0 || r.Base.Steps.Found != 60 || r.Base.Steps.Kept != 58 {
		t.Errorf("receipt: got %+v", r.Base.Steps)
	}
}

func TestRankRows(t *testing.T) {
	parts := map[run.Key]func(int, int) float64{
		{Metric: "compute_time"}: difftest.Constant(0.07), {Metric: "exposed_comm_time"}: difftest.Constant(0.01),
		{Metric: "exposed_memory_time"}: difftest.Constant(0.003), {Metric: "idle_time"}: difftest.Constant(0.017),
	}
	j := difftest.Job{Ranks: []int{-1, -1, 4}, Steps: 20, Step: difftest.Steady(0.1, 0), Series: parts}
	base := difftest.SetOf("a", j)
	j.Ranks = []int{-1, 5}
	r := difftest.Compare(base, difftest.SetOf("b", j))
	var got []string
	for _, row := range r.Ranks {
		got = append(got, fmt.Sprintf("%d %v %v", row.Rank, row.Base.Present, row.Cand.Present))
		for _, s := range []diff.RankSide{row.Base, row.Cand} {
			b := s.Breakdown
			if s.Present && (b.Step != b.Compute+b.ExposedComm+b.ExposedMemory+b.Idle || math.Abs(b.Step-0.1) > 1e-12) {
				t.Errorf("rank %d: breakdown %+v does not add up", row.Rank, b)
			}
			if s.Present && (len(s.Steps) != 20 || len(s.Omissions) != 20 || len(s.Values["compute_time"]) != 20 || !(s.Box[0] < s.Box[4])) {
				t.Errorf("rank %d: got %d steps, box %v", row.Rank, len(s.Steps), s.Box)
			}
		}
	}
	if want := []string{"-1 true true", "-1 true false", "4 true false", "5 false true"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
