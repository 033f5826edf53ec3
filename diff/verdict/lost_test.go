package verdict_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff/difftest"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// lose takes a metric from ranks of a set, as a file does that lost it.
func lose(set *run.Set, metric string, ranks ...int) *run.Set {
	for i := range set.Runs[0].Ranks {
		k := &set.Runs[0].Ranks[i]
		if slices.Contains(ranks, k.Rank) {
			k.Lost = []run.LostMetric{{Metric: metric, Why: "all kernels: 1 of 2 are there (export the report again)"}}
			k.Series = slices.DeleteFunc(k.Series, func(s run.Series) bool { return s.Metric == metric })
		}
	}
	return set
}

// TestLostMetrics: a rank that lost a metric leaves it on both sides, and a side that lost
// it says why, while the other shows its own.
func TestLostMetrics(t *testing.T) {
	slow := func(rank, _ int) float64 { // one rank computes far longer
		return map[bool]float64{true: 0.09, false: 0.05}[rank == 3]
	}
	side := func(seed float64) *run.Set {
		return difftest.SetOf("a", difftest.Job{Ranks: difftest.UpTo(4), Steps: 30, Step: difftest.Steady(0.1, seed), Series: map[run.Key]func(int, int) float64{{Metric: "compute_time"}: slow}})
	}
	for _, x := range []struct {
		name       string
		base, cand []int // ranks that lost it
		ranks      [2]int
		mean       [2]float64
		needs      verdict.Need // of the candidate
	}{
		{"none", nil, nil, [2]int{4, 4}, [2]float64{0.06, 0.06}, verdict.Need{}},
		{"one", nil, []int{3}, [2]int{3, 3}, [2]float64{0.05, 0.05}, verdict.Need{}},
		{"another on each side", []int{0}, []int{3}, [2]int{2, 2}, [2]float64{0.05, 0.05}, verdict.Need{}},
		{"all of a side", nil, difftest.UpTo(4), [2]int{4, 0}, [2]float64{0.06, math.NaN()},
			verdict.Need{Kind: verdict.NeedLost, Lost: sides.Loss{Why: "all kernels: 1 of 2 are there (export the report again)", In: "run0/rank0.sqlite", More: 3}}},
	} {
		r := difftest.Compare(lose(side(1), "compute_time", x.base...), lose(side(2), "compute_time", x.cand...))
		c := verdict.MetricOf(r.Metrics, "compute_time")
		same := func(a, b float64) bool { return math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) < 1e-9 }
		if c.Ranks != x.ranks || !same(c.BaseMean, x.mean[0]) || !same(c.CandMean, x.mean[1]) || c.NotRecorded != [2]verdict.Need{{}, x.needs} {
			t.Errorf("%s: got %v ranks, %g and %g, %+v, want %v, %v, %+v", x.name, c.Ranks, c.BaseMean, c.CandMean, c.NotRecorded, x.ranks, x.mean, x.needs)
		}
		if x.needs.Is() && (c.Reason != verdict.ReasonNotRecorded || !strings.HasPrefix(difftest.WhySaid(c), "Not recorded in the candidate. Needs all kernels: 1 of 2 are there (export the report again), in run0/rank0.sqlite and in those of 3 more ranks.")) {
			t.Errorf("%s: got %s, %q", x.name, c.Reason, difftest.WhySaid(c))
		}
	}
}

// TestInputFromOther: a wait for input that one side measured from calls of the system, and
// the other from ranges alone, is shown and not judged.
func TestInputFromOther(t *testing.T) {
	key := run.Key{Metric: "input_wait_time"}
	side := func(level float64, recorded trace.Recorded) *run.Set {
		s := difftest.SetOf("a", difftest.Job{Ranks: difftest.UpTo(2), Steps: 30, Step: difftest.Steady(0.1, level), Series: map[run.Key]func(int, int) float64{key: difftest.Steady(level, 1)}})
		for i := range s.Runs[0].Ranks {
			s.Runs[0].Ranks[i].Recorded = recorded
		}
		return s
	}
	both := trace.HasDevice | trace.HasOS
	for _, x := range []struct {
		base, cand trace.Recorded
		reason     string
	}{{both, both, verdict.ReasonDecided}, {trace.HasDevice, trace.HasDevice, verdict.ReasonDecided}, {trace.HasDevice, both, verdict.ReasonNotJudged}, {both, trace.HasDevice, verdict.ReasonNotJudged}} {
		r := difftest.Compare(side(0.01, x.base), side(0.05, x.cand))
		if c := verdict.MetricOf(r.Metrics, key.Metric); c.Reason != x.reason || (c.Verdict == verdict.Regressed) != (x.reason == verdict.ReasonDecided) {
			t.Errorf("%b and %b: got %v, %s, %s", x.base, x.cand, c.Verdict, c.Reason, difftest.WhySaid(c))
		}
		for _, f := range r.Findings {
			if f.Metric == key.Metric && x.reason == verdict.ReasonNotJudged {
				t.Errorf("%b and %b: got %q", x.base, x.cand, difftest.TextOf(r, &f))
			}
		}
	}
}
