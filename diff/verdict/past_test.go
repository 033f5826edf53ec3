package verdict_test

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/difftest"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
	"perfdiff/render/words"
)

// TestMostAlike: a summary of another job that comes first does not push the
// others out, in whatever order they are given.
func TestMostAlike(t *testing.T) {
	other := difftest.PastSet("a-other", 1, 2, nil)
	sets := append([]*run.Set{other}, difftest.History(6, 4, nil)...)
	reversed := slices.Clone(sets)
	slices.Reverse(reversed)
	for _, in := range [][]*run.Set{sets, reversed} {
		tr := verdict.FollowMetric(in, "step_time", policy.DefaultPolicy())
		if len(tr.Points) != 6 || len(tr.Runs) != 7 || difftest.WhyLeft(&tr.Runs[0]) != "its number of ranks is 2, in the runs that are used it is 4" {
			t.Errorf("trend: got %d points, runs %+v", len(tr.Points), tr.Runs)
		}
		if n := verdict.MeasureNoise(in, policy.DefaultPolicy()); n.Used != 6 || len(n.Metrics) == 0 {
			t.Errorf("noise: got %+v", n)
		}
	}
	// Of two configurations that as many have the later one counts.
	if got := verdict.MostCommonSet([]*run.Set{difftest.PastSet("b", 5, 2, nil), difftest.PastSet("a", 9, 4, nil)}); got.Label != "a" {
		t.Errorf("by start: got %s want a", got.Label)
	}
	if got := verdict.MostCommonSet([]*run.Set{difftest.PastSet("b", 0, 2, nil), difftest.PastSet("a", 0, 4, nil)}); got.Label != "b" {
		t.Errorf("by name: got %s want b", got.Label)
	}
	if got := verdict.MostCommonSet(nil); len(got.Runs) != 0 {
		t.Errorf("of none: got %+v", got)
	}
}

func TestFewPastRuns(t *testing.T) {
	tr := verdict.FollowMetric(difftest.History(3, 4, nil), "step_time", policy.DefaultPolicy())
	if len(tr.Points) != 3 || tr.Levels != nil || tr.Least != 5 || !tr.Ordered {
		t.Errorf("trend of three: got %+v", tr)
	}
	if n := verdict.MeasureNoise(difftest.History(3, 4, nil), policy.DefaultPolicy()); n.Used != 3 || n.MinRuns != 5 || n.Metrics != nil {
		t.Errorf("noise of three: got %+v", n)
	}
	if tr := verdict.FollowMetric(nil, "step_time", policy.DefaultPolicy()); len(tr.Points) != 0 || tr.Levels != nil {
		t.Errorf("trend of none: got %+v", tr)
	}
}

// TestLevelFromZero: there are no per cent of nothing, and shares change by
// points.
func TestLevelFromZero(t *testing.T) {
	wait, overlap := run.Key{Metric: "input_wait_time"}, run.Key{Metric: "overlap"}
	sets := difftest.History(10, 4, func(i int) map[run.Key]func(int, int) float64 {
		level, share := 0.0, 0.5
		if i >= 5 {
			level, share = 0.012, 0.25
		}
		return map[run.Key]func(int, int) float64{wait: difftest.Constant(level), overlap: difftest.Constant(share)}
	})
	for metric, want := range map[string]float64{"input_wait_time": 0.012, "overlap": -0.25} {
		tr := verdict.FollowMetric(sets, metric, policy.DefaultPolicy())
		if len(tr.Levels) != 2 || tr.Levels[1].Change.Relative || math.Abs(tr.Levels[1].Change.By-want) > 1e-9 || tr.Levels[0].Change != (verdict.Shift{}) {
			t.Errorf("%s: got %+v want a change by %g", metric, tr.Levels, want)
		}
	}
}

// TestShapesOfPastRuns: drift, tail and imbalance of each run can be followed, and
// what they differ by is said.
func TestShapesOfPastRuns(t *testing.T) {
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
	for metric, want := range map[string][2]float64{"drift": {0, 0.10}, "tail": {0, 100.0 / 30}, "imbalance": {0.2, 0.2}} {
		tr := verdict.FollowMetric(sets, metric, policy.DefaultPolicy())
		if len(tr.Points) != 6 || math.Abs(tr.Points[0].Value-want[0]) > 0.01 || math.Abs(tr.Points[5].Value-want[1]) > 0.01 {
			t.Errorf("%s: got %+v want %g, then %g", metric, tr.Points, want[0], want[1])
		}
		if err := verdict.Followable(sets, metric); err != nil {
			t.Error(err)
		}
	}
	var rows []string
	for _, m := range verdict.MeasureNoise(sets, policy.DefaultPolicy()).Metrics {
		if m.Metric.Name == "tail" || m.Metric.Name == "imbalance" || m.Metric.Name == "drift" {
			rows = append(rows, m.Metric.Name)
			if !(m.Spread > 0) && m.Metric.Name != "imbalance" || !(m.Detectable[0] > 0) {
				t.Errorf("noise of %s: got %+v", m.Metric.Name, m)
			}
		}
	}
	if want := []string{"drift", "tail", "imbalance"}; !slices.Equal(rows, want) {
		t.Errorf("noise has rows %v want %v", rows, want)
	}
}

// TestPastOrder: which of two copies counts depends on their names, not on the
// order in which they are given, and of a set of several runs only the one that
// is compared is left out.
func TestPastOrder(t *testing.T) {
	sets := difftest.History(7, 4, nil)
	base, cand := difftest.PastSet("main-03", 4*60e9, 4, nil), difftest.PastSet("cand", 99*60e9, 4, nil)
	base.Label = "baseline"
	again := *sets[1]
	again.Label = "dup-a"
	both := append(slices.Clone(sets), &again)
	reversed := slices.Clone(both)
	slices.Reverse(reversed)
	one := diff.Compare(base, cand, policy.DefaultPolicy(), diff.Options{History: both})
	if two := diff.Compare(base, cand, policy.DefaultPolicy(), diff.Options{History: reversed}); !reflect.DeepEqual(one.History, two.History) {
		t.Errorf("got %+v and %+v", one.History, two.History)
	}
	whys := map[string]string{}
	for _, h := range one.History {
		whys[h.Name] = difftest.WhyLeft(&h)
	}
	if whys["main-01"] != "it is the same run as dup-a" || whys["dup-a"] != "" || whys["main-03"] != "it is the baseline itself" || whys["main-04"] != "" {
		t.Errorf("got %v", whys)
	}
	// That the baseline is among the past runs is as it should be; a copy is not.
	var warned []string
	for _, w := range one.Warnings {
		warned = append(warned, words.Warning(&w))
	}
	if text := strings.Join(warned, "\n"); strings.Contains(text, "main-03") || !strings.Contains(text, "1 past run left out: main-01: it is the same run as dup-a") {
		t.Errorf("warnings: got %s", text)
	}
	if text := words.History(one); !strings.Contains(text, "Of 8 past runs given, 6 say") || !strings.Contains(text, "main-03 (it is the baseline itself)") {
		t.Errorf("history: got %s", text)
	}
}

// TestEnoughPastRuns: noise is learned from five past runs on.
func TestEnoughPastRuns(t *testing.T) {
	base, cand := difftest.PastSet("base", 98*60e9, 4, nil), difftest.PastSet("cand", 99*60e9, 4, nil)
	for _, n := range []int{1, 4, 5, 6} {
		r := diff.Compare(base, cand, policy.DefaultPolicy(), diff.Options{History: difftest.History(n, 4, nil)})
		counted := 0
		for _, h := range r.History {
			if !h.Why.Is() {
				counted++
			}
		}
		want := n
		if n < 5 {
			want = 0
		}
		if got := verdict.MetricOf(r.Metrics, "step_time").History; got != want || counted != want {
			t.Errorf("%d past runs: got noise of %d, and %d that count, want %d", n, got, counted, want)
		}
	}
}

func TestSharedRun(t *testing.T) {
	shared := difftest.Joint("many", []string{"one", "two", "three"}, 60e9, 4, nil)
	base, cand := difftest.PastSet("two", 61e9, 4, nil), difftest.PastSet("cand", 99*60e9, 4, nil)
	why := func() string {
		var out []string
		for _, h := range diff.Compare(base, cand, policy.DefaultPolicy(), diff.Options{History: append(difftest.History(5, 4, nil), shared)}).History {
			if strings.HasPrefix(h.Name, "many/") && h.Why.Is() {
				out = append(out, h.Name+": "+difftest.WhyLeft(&h))
			}
		}
		return strings.Join(out, "\n")
	}
	if got, want := why(), "many/two: it is the baseline itself"; got != want {
		t.Errorf("got %q want %q", got, want)
	}
	for i := range shared.Runs { // as of a version that does not say which file a run is from
		for j := range shared.Runs[i].Ranks {
			shared.Runs[i].Ranks[j].Files = []string{"elsewhere"}
		}
	}
	if got := why(); strings.Count(got, "does not say which of its runs that is") != 3 {
		t.Errorf("runs that cannot be told apart: got %q", got)
	}
}

// TestNoiseOfSeveral: the smallest change of a metric is larger where it shares its error with
// others that gate, as the gate demands of it.
func TestNoiseOfSeveral(t *testing.T) {
	smallest := func(gating ...string) float64 {
		p := policy.DefaultPolicy()
		p.Gating = gating
		for _, m := range verdict.MeasureNoise(difftest.History(8, 4, nil), p).Metrics {
			if m.Metric.Name == run.StepTime {
				return m.Detectable[0]
			}
		}
		return math.NaN()
	}
	alone, shared := smallest(run.StepTime), smallest(policy.DefaultGating()...)
	if !(shared > alone) {
		t.Errorf("got %g with others and %g alone", shared, alone)
	}
}

// TestSameFilesUnsettled: two sides of the same files are told so, though their steps never settle.
func TestSameFilesUnsettled(t *testing.T) {
	side := func(digest string) *run.Set {
		s := difftest.One(60, 0, func(_, s int) float64 { return .1 * (1 + 2*math.Exp(-float64(s)/30)) })
		for i := range s.Files {
			s.Files[i].Digest = fmt.Sprint(digest, i)
		}
		return s
	}
	for other, want := range map[string]string{"x": verdict.ReasonSameFiles, "y": verdict.ReasonNoSteadyState} {
		if c := difftest.Compare(side("x"), side(other)).Comparison(sides.StepTime); c.Reason != want {
			t.Errorf("files of %q: got %s (%s), want %s", other, c.Verdict, c.Reason, want)
		}
	}
}
