package diff_test

import (
	"fmt"
	"math"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/difftest"
	"perfdiff/diff/history"
	"perfdiff/diff/policy"
)

func jobHistory(sets []*run.Set) *history.Job {
	return diff.JobOf("", diff.StoreContents{Sets: sets}, policy.DefaultPolicy())
}

// TestJobMostAlike: a summary of another job that comes first does not push the others out.
func TestJobMostAlike(t *testing.T) {
	j := jobHistory(append([]*run.Set{difftest.PastSet("a-other", 1, 2, nil)}, difftest.History(6, 4, nil)...))
	left := 0
	for i := range j.Runs {
		if j.Runs[i].Why.Is() {
			left++
		}
	}
	if m := j.MetricNamed(run.StepTime); len(j.Runs) != 7 || left != 1 || !j.Runs[0].Why.Is() || m == nil || m.Now() == nil {
		t.Errorf("got %d runs, %d left out", len(j.Runs), left)
	}
	if j := jobHistory(nil); len(j.Runs) != 0 || len(j.Metrics) != 0 {
		t.Errorf("of nothing: got %+v", j)
	}
}

// TestLevelFromZero: there are no per cent of nothing, and shares change by points.
func TestLevelFromZero(t *testing.T) {
	wait, overlap := run.Key{Metric: run.InputWaitTime}, run.Key{Metric: run.Overlap}
	j := jobHistory(difftest.History(16, 4, func(i int) map[run.Key]func(int, int) float64 {
		level, share := 0.0, 0.5
		if i >= 8 {
			level, share = 0.012, 0.25
		}
		return map[run.Key]func(int, int) float64{wait: difftest.Constant(level), overlap: difftest.Constant(share)}
	}))
	for metric, want := range map[string]float64{run.InputWaitTime: 0.012, run.Overlap: -0.25} {
		m := j.MetricNamed(metric)
		if m == nil || m.Relative || len(m.Changes) != 1 || m.Changes[0].At != 8 || !m.Changes[0].Worse || math.Abs(m.Changes[0].Size-want) > 1e-9 {
			t.Errorf("%s: got %+v want a change by %g", metric, m, want)
		}
	}
}

// TestShapesOfRuns: drift, tail and imbalance of each run are followed.
func TestShapesOfRuns(t *testing.T) {
	var sets []*run.Set
	for i := range 6 {
		s := difftest.PastSet(fmt.Sprintf("main-%02d", i), int64(i+1)*60e9, 4, map[run.Key]func(int, int) float64{
			{Metric: "compute_time"}: func(rank, s int) float64 { return 0.05 + 0.01*float64(rank/3) },
		})
		if i == 5 { // slower by a tenth over the run, with one slow step
			for r := range s.Runs[0].Ranks {
				v := s.Runs[0].Ranks[r].Series[0].Values
				for j := range v {
					v[j] *= math.Exp(0.0953 * float64(j) / 30)
				}
				v[20] *= 2
			}
		}
		sets = append(sets, s)
	}
	p := policy.DefaultPolicy()
	p.Gating = append(p.Gating, run.Drift, run.Tail, run.Imbalance)
	j := diff.JobOf("", diff.StoreContents{Sets: sets}, p)
	for metric, want := range map[string][2]float64{run.Drift: {0, 0.10}, run.Tail: {0, 100.0 / 30}, run.Imbalance: {0.2, 0.2}} {
		m := j.MetricNamed(metric)
		if m == nil || math.Abs(m.Values[0]-want[0]) > 0.01 || math.Abs(m.Values[5]-want[1]) > 0.01 {
			t.Errorf("%s: got %+v want %g, then %g", metric, m, want[0], want[1])
		}
	}
}
