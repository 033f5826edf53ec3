package verdict_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/order"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff/difftest"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
	"perfdiff/render/words"
)

// mainRun is a saved run of main whose steps take so many s, and wobble a little.
func mainRun(i int, step float64) *run.Set {
	return difftest.PastStep(fmt.Sprintf("main-%02d", i), int64(i+1)*60e9, step)
}

// mains are saved runs of main with steps as long as said.
func mains(steps ...float64) (out []*run.Set) {
	for i, s := range steps {
		out = append(out, mainRun(i, s))
	}
	return out
}

// namesIn are the names of the runs of a set, in order.
func namesIn(set *run.Set) string {
	if set == nil {
		return ""
	}
	var names []string
	for _, r := range set.Runs {
		names = append(names, r.Name)
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

// whyOf is why a past run is none of the baseline.
func whyOf(l *verdict.CurrentLevel, name string) string {
	for _, r := range l.Runs {
		if r.Name == name {
			return difftest.WhyLeft(&r)
		}
	}
	return "not given"
}

func driver(s *run.Set, version string) *run.Set {
	return difftest.Edit(s, func(k *run.Rank) { k.Facts = []trace.Fact{{Key: trace.FactDriver, Value: version}} })
}

// kernels gives a set two kernels, of which the first takes three quarters of the time.
func kernels(s *run.Set, a, b string) *run.Set {
	return difftest.Edit(s, func(k *run.Rank) { k.Work = []run.KernelWork{{Kernel: a, Time: 3}, {Kernel: b, Time: 1}} })
}

func on(host string, s *run.Set) *run.Set {
	return difftest.Edit(s, func(k *run.Rank) { k.Host = host })
}

func TestLevelOf(t *testing.T) {
	cand := difftest.PastStep("cand", 99*60e9, .1)
	flat := []float64{.1, .1005, .0995, .1, .1003, .0998, .1001, .1, .0997}
	with := func(v []float64, at int, x float64) []float64 {
		out := slices.Clone(v)
		out[at] = x
		return out
	}
	for _, tt := range []struct {
		name          string
		base          *run.Set
		history       []*run.Set
		want, of, why string
	}{
		{"the newest of one level", nil, mains(flat...), "main-01 main-02 main-03 main-04 main-05 main-06 main-07 main-08", "main-00", "8 newer runs of its level count"},
		{"with the last run as baseline", mainRun(8, .0997), mains(flat...), "main-01 main-02 main-03 main-04 main-05 main-06 main-07 main-08", "main-08", "it is the baseline itself"},
		{"with a baseline that is not in it", difftest.PastStep("now", 50*60e9, .1), mains(flat...), "main-02 main-03 main-04 main-05 main-06 main-07 main-08 now", "", ""},
		{"with an earlier run as baseline", mainRun(0, .1), mains(flat...), "main-00 main-02 main-03 main-04 main-05 main-06 main-07 main-08", "main-01", "8 newer runs of its level count"},
		{"behind a change of level", nil, mains(.1, .1002, .0999, .1, .1001, .112, .1121, .1119), "main-05 main-06 main-07", "main-04", "it stands on another level"},
		{"before it, with a baseline from there", mainRun(1, .1002), mains(.1, .1002, .0999, .1, .1001, .112, .1121, .1119), "main-00 main-01 main-02 main-03 main-04", "main-05", "it stands on another level"},
		{"one bad run", nil, mains(with(flat, 6, .13)...), "main-00 main-01 main-02 main-03 main-04 main-05 main-07 main-08", "main-06", "its step time stands apart from all others, by +30."},
		{"the newest is a bad run", nil, mains(with(flat, 8, .13)...), "main-00 main-01 main-02 main-03 main-04 main-05 main-06 main-07", "main-08", "its step time stands apart from all others, by +29."},
		{"the baseline is a bad run", mainRun(8, .13), mains(with(flat, 8, .13)...), "main-08", "main-07", "the step time of the baseline differs from that of the past runs, by +29."},
		{"another job of the same size", difftest.PastStep("now", 50*60e9, .25), mains(flat...), "now", "main-07", "the step time of the baseline differs from that of the past runs, by +150."},
		{"the candidate is in it", nil, append(mains(flat...), cand), "main-01 main-02 main-03 main-04 main-05 main-06 main-07 main-08", "cand", "it is the candidate itself"},
		{"one run", nil, mains(.1), "main-00", "", ""},
		{"few runs", difftest.PastStep("now", 50*60e9, .1), mains(flat[:3]...), "now", "main-00", "a level takes 5 runs, and there are 4 runs with the baseline"},
		{"two runs far apart", nil, mains(.1, .13), "main-00 main-01", "", ""},
		{"none", nil, nil, "", "", ""},
		{"none, with a baseline", difftest.PastStep("now", 50*60e9, .1), nil, "now", "", ""},
		{"another driver", driver(difftest.PastStep("now", 50*60e9, .1), "560"), append(mains(flat[:4]...), driver(mainRun(4, .1), "560"), driver(mainRun(5, .1), "550")),
			"main-00 main-01 main-02 main-03 main-04 now", "main-05", "its driver is 550, here it is 560"},
		{"a driver that is not known", difftest.PastStep("now", 50*60e9, .1), mains(flat[:4]...), "main-00 main-01 main-02 main-03 now", "", ""},
		{"other hosts", on("n9", difftest.PastStep("now", 50*60e9, .1)), mains(flat...), "now", "main-08", "the past runs are of other hosts: theirs are n1, here they are n9"},
		{"other hosts, of three kinds", on("n9", difftest.PastStep("now", 50*60e9, .1)), append(mains(flat[:7]...), on("n2", mainRun(7, .1)), on("n3", mainRun(8, .1))),
			"main-02 main-03 main-04 main-05 main-06 main-07 main-08 now", "", ""},
		{"hosts that are not known", on("", difftest.PastStep("now", 50*60e9, .1)), mains(flat...), "main-02 main-03 main-04 main-05 main-06 main-07 main-08 now", "", ""},
		{"other kernels", kernels(difftest.PastStep("now", 50*60e9, .1), "ring", "gemm"), append(mains(flat[:4]...), kernels(mainRun(4, .1), "gemm", "ring"), kernels(mainRun(5, .1), "fmha", "ring")),
			"main-00 main-01 main-02 main-03 main-04 now", "main-05", "it is of another job: kernels that run here took 25.0"},
		{"few of the steps", nil, append(mains(flat[:4]...), difftest.Edit(mainRun(4, .1), func(k *run.Rank) { k.Steps = k.Steps[:15] })), "main-00 main-01 main-02 main-03",
			"main-04", "it has 15 of the 30 steps that are compared"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			reversed := slices.Clone(tt.history)
			slices.Reverse(reversed)
			for _, history := range [][]*run.Set{tt.history, reversed} {
				l := verdict.FindCurrentLevel(tt.base, cand, history, policy.DefaultPolicy())
				if got := namesIn(l.Base); got != tt.want {
					t.Errorf("got %q want %q (%s)", got, tt.want, words.WhyLeftOut(&l.Why))
				}
				if tt.of != "" && !strings.HasPrefix(whyOf(l, tt.of), tt.why) {
					t.Errorf("%s: got %q want %q", tt.of, whyOf(l, tt.of), tt.why)
				}
			}
		})
	}
}

// TestLevelIsOneSet: the runs of the level and those of the baseline are told apart by their
// files, so that none counts twice, and the sets that they are from stay as they were.
func TestLevelIsOneSet(t *testing.T) {
	history := mains(.1, .1, .1, .1)
	base, cand := difftest.PastStep("main-01", 50*60e9, .1), difftest.PastStep("cand", 99*60e9, .1) // another run of the same name
	base.Files[0].Digest, base.Files[1].Digest = "x", "y"
	l := verdict.FindCurrentLevel(base, cand, history, policy.DefaultPolicy())
	if got, want := namesIn(l.Base), "main-00 main-01 main-01' main-02 main-03"; got != want {
		t.Errorf("got %q want %q", got, want)
	}
	seen := map[string]string{}
	for i := range l.Base.Runs {
		own := sides.DigestsOf(l.Base, &l.Base.Runs[i])
		if len(own) != 2 {
			t.Errorf("%s has files %v", l.Base.Runs[i].Name, own)
		}
		for _, d := range own {
			if seen[d] != "" {
				t.Errorf("%s and %s have file %s", seen[d], l.Base.Runs[i].Name, d)
			}
			seen[d] = l.Base.Runs[i].Name
		}
	}
	if len(base.Runs) != 1 || len(base.Files) != 2 || history[0].Runs[0].Ranks[0].Files[0] != "main-00/rank0.sqlite" {
		t.Errorf("the sets were changed: %+v %+v", base.Files, history[0].Runs[0].Ranks[0].Files)
	}
	if again := verdict.FindCurrentLevel(l.Base, cand, history, policy.DefaultPolicy()); again.Base != l.Base {
		t.Errorf("a level that is the baseline already: got %s", namesIn(again.Base))
	}
}

// TestOrderByName: runs that do not say when they began are in order of name, as people
// count.
func TestOrderByName(t *testing.T) {
	names := []string{"main-10", "main-9", "b", "a2x", "a02", "main-9b", "a10"}
	slices.SortFunc(names, order.Names)
	if got, want := strings.Join(names, " "), "a02 a2x a10 b main-9 main-9b main-10"; got != want {
		t.Errorf("got %s want %s", got, want)
	}
	var history []*run.Set
	for i := range 12 { // slower from the tenth on
		s := difftest.PastStep(fmt.Sprintf("main-%d", i+1), 0, map[bool]float64{true: .112, false: .1}[i >= 9])
		history = append(history, s)
	}
	cand := difftest.PastStep("cand", 0, .112)
	if got, want := namesIn(verdict.FindCurrentLevel(nil, cand, history, policy.DefaultPolicy()).Base), "main-10 main-11 main-12"; got != want {
		t.Errorf("got %s want %s", got, want)
	}
}
