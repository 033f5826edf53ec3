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

// TestMostAlike: of two configurations that as many sets have the later one counts.
func TestMostAlike(t *testing.T) {
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
