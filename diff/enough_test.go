package diff_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/difftest"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
)

// TestTooLittle: ranks, files and steps that were lost are not passed on, unless the
// policy allows it; what regressed in the rest fails all the same.
func TestTooLittle(t *testing.T) {
	of := func(level float64, ranks []int, steps int, seed float64) *run.Set {
		return difftest.SetOf("x", difftest.Job{Ranks: ranks, World: 8, Steps: steps, Step: difftest.Steady(level, seed)})
	}
	lost := func(set *run.Set, n int, format string, bytes int64) *run.Set {
		for range n {
			set.Files = append(set.Files, run.File{Name: "z", Format: format, Bytes: bytes, Err: "cut"})
		}
		return set
	}
	for _, tt := range []struct {
		name       string
		base, cand *run.Set
		lacks      []string
		state      diff.GateState
	}{
		{"all are there", of(0.1, difftest.UpTo(8), 30, 0), of(0.1, difftest.UpTo(8), 30, 1), nil, diff.GatePassed},
		{"a quarter of the ranks is lost", of(0.1, difftest.UpTo(8), 30, 0), of(0.1, difftest.UpTo(6), 30, 1), nil, diff.GatePassed},
		{"more are", of(0.1, difftest.UpTo(8), 30, 0), of(0.1, difftest.UpTo(5), 30, 1), []string{policy.AllowRanks}, diff.GateNotJudged},
		{"the baseline's are", of(0.1, difftest.UpTo(5), 30, 0), of(0.1, difftest.UpTo(8), 30, 1), []string{policy.AllowRanks}, diff.GateNotJudged},
		{"more are, and slower", of(0.1, difftest.UpTo(8), 30, 0), of(0.2, difftest.UpTo(5), 30, 1), []string{policy.AllowRanks}, diff.GateFailed},
		{"more are, and faster", of(0.2, difftest.UpTo(8), 30, 0), of(0.1, difftest.UpTo(5), 30, 1), []string{policy.AllowRanks}, diff.GateNotJudged},
		{"a third of the files is cut", of(0.1, difftest.UpTo(4), 30, 0), lost(of(0.1, difftest.UpTo(4), 30, 1), 2, "kineto json", 100), []string{policy.AllowFiles}, diff.GateNotJudged},
		{"a quarter of the files is cut", of(0.1, difftest.UpTo(6), 30, 0), lost(of(0.1, difftest.UpTo(6), 30, 1), 2, "kineto json", 100), nil, diff.GatePassed},
		{"empty files", of(0.1, difftest.UpTo(4), 30, 0), lost(of(0.1, difftest.UpTo(4), 30, 1), 2, "", 0), []string{policy.AllowFiles}, diff.GateNotJudged},
		{"files of something else", of(0.1, difftest.UpTo(4), 30, 0), lost(of(0.1, difftest.UpTo(4), 30, 1), 9, "", 100), nil, diff.GatePassed},
		{"six steps", of(0.1, difftest.UpTo(4), 6, 0), of(0.11, difftest.UpTo(4), 6, 1), []string{policy.AllowSteps}, diff.GateNotJudged},
		{"six steps, much slower", of(0.1, difftest.UpTo(4), 6, 0), of(0.3, difftest.UpTo(4), 6, 1), nil, diff.GateFailed},
	} {
		r := difftest.Compare(tt.base, tt.cand)
		if r.Gate.State != tt.state {
			t.Errorf("%s: got %s, want %s: %s", tt.name, r.Gate.State, tt.state, difftest.HeadlineOf(r))
		}
		if tt.state == diff.GateNotJudged && (r.Outcome() != verdict.OutcomeNotJudged || !strings.HasSuffix(difftest.GateLineOf(r), "--allow "+tt.lacks[0]+".") || r.Verdict != verdict.Inconclusive) {
			t.Errorf("%s: got %d, %v: %s", tt.name, r.Outcome(), r.Verdict, difftest.GateLineOf(r))
		}
		rules := policy.DefaultPolicy()
		rules.Allow = tt.lacks
		if allowed := diff.Compare(tt.base, tt.cand, rules, diff.Options{}); (allowed.Gate.State == diff.GateFailed) != (tt.state == diff.GateFailed) || allowed.Gate.State == diff.GateNotJudged {
			t.Errorf("%s, allowed: got %s: %s", tt.name, allowed.Gate.State, difftest.HeadlineOf(allowed))
		}
		rules = policy.DefaultPolicy()
		rules.WarnOnly = true
		if warned := diff.Compare(tt.base, tt.cand, rules, diff.Options{}); len(tt.lacks) > 0 && warned.Gate.State != diff.GateNotJudged {
			t.Errorf("%s, only warned of: got %s", tt.name, warned.Gate.State)
		}
	}
}

// TestLeastSteps: from three steps on a change has a size, whatever can be said of it; of two
// there is none.
func TestLeastSteps(t *testing.T) {
	for _, steps := range []int{1, 2, 3, 4} {
		c := verdict.MetricOf(difftest.Compare(difftest.One(steps, 0, difftest.Steady(0.1, 0)), difftest.One(steps, 0, difftest.Steady(0.2, 1))).Metrics, "step_time")
		if known := !math.IsNaN(c.Estimate); known != (steps >= 3) || !known && c.Reason != verdict.ReasonTooFewSteps {
			t.Errorf("%d steps: got an estimate of %g, %s", steps, c.Estimate, c.Reason)
		}
	}
}

// TestOtherWork: a step that copies or reduces another number of bytes, by more than 1 %, may be
// a step of another batch, and the difference is told.
func TestOtherWork(t *testing.T) {
	moving := func(metric, part string, bytes float64) *run.Set {
		set := difftest.One(30, 0, difftest.Steady(0.1, 0))
		set.Metrics = append(slices.Clone(set.Metrics), run.Metric{Name: metric, Unit: "B", Part: part})
		for i := range set.Runs[0].Ranks {
			values := slices.Repeat([]float64{bytes}, 30)
			r := &set.Runs[0].Ranks[i]
			r.Series = append(r.Series, run.Series{Key: run.Key{Metric: metric, Part: part}, Values: values})
		}
		return set
	}
	for _, key := range []run.Key{{Metric: run.MemcpyBytes, Part: "h2d"}, {Metric: run.CollectiveBytes, Part: "AllReduce"},
		{Metric: run.CollectiveBytes, Part: "AllGather"}, {Metric: run.CollectiveBytes, Part: "ReduceScatter"}} {
		for times, told := range map[float64]bool{1: false, 1.009: false, 0.991: false, 1.02: true, 0.98: true, 2: true, 0.5: true} {
			r := difftest.Compare(moving(key.Metric, key.Part, 1e8), moving(key.Metric, key.Part, times*1e8))
			got := slices.ContainsFunc(r.Differences, func(d verdict.Difference) bool { return d.Work != nil && d.Work.Of == key })
			if got != told {
				t.Errorf("%g times the bytes of %s: got a difference %v, want %v", times, diff.KeyName(key), got, told)
			}
		}
	}
}
