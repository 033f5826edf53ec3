package sides_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff"
	"perfdiff/diff/difftest"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// decoding is a run of an engine whose steps make a token for batch(s) requests each and
// take time(s).
func decoding(name string, steps int, batch func(s int) int64, time func(s int) float64) run.Run {
	r := difftest.Job{Name: name, Ranks: difftest.UpTo(2), World: 2, Steps: steps, Step: func(_, s int) float64 { return time(s) }}.Run()
	for i := range r.Ranks {
		for s := range r.Ranks[i].Steps {
			r.Ranks[i].Steps[s].Load = trace.Load{Class: trace.Decode, Batch: batch(s), Tokens: batch(s)}
		}
	}
	return r
}

func engine(label string, runs ...run.Run) *run.Set {
	s := &run.Set{Label: label, Metrics: difftest.TestMetrics}
	for _, r := range runs {
		s.Runs = append(s.Runs, r)
		for _, k := range r.Ranks {
			s.Files = append(s.Files, run.File{Name: k.Files[0], Format: "nsys sqlite", Ranks: []int{k.Rank}})
		}
	}
	return s
}

func always(n int64) func(int) int64 { return func(int) int64 { return n } }

// TestLoadTrend: where steps of like load become slower over a run, sides with other
// numbers of them stand at other places of the trend, and nothing is decided.
func TestLoadTrend(t *testing.T) {
	rising := func(s int) float64 { return 0.010 * (1 + 0.01*float64(s)) * (1 + 0.002*math.Sin(float64(s))) }
	level := func(s int) float64 { return 0.013 * (1 + 0.002*math.Sin(float64(s))) }
	for _, tt := range []struct {
		name  string
		steps [2]int
		times [2]func(int) float64
		want  string
	}{
		{"level, equally many", [2]int{40, 40}, [2]func(int) float64{func(s int) float64 { return 0.010 }, level}, verdict.ReasonDecided},
		{"level, twice as many", [2]int{40, 80}, [2]func(int) float64{func(s int) float64 { return 0.010 }, level}, verdict.ReasonDecided},
		{"rising, equally many", [2]int{40, 40}, [2]func(int) float64{rising, func(s int) float64 { return 1.3 * rising(s) }}, verdict.ReasonDecided},
		{"rising, twice as many", [2]int{40, 80}, [2]func(int) float64{rising, func(s int) float64 { return 1.3 * rising(s) }}, verdict.ReasonNoCommonSteps},
	} {
		r := difftest.Compare(engine("base", decoding("b", tt.steps[0], always(32), tt.times[0])), engine("cand", decoding("c", tt.steps[1], always(32), tt.times[1])))
		if c := verdict.MetricOf(r.Metrics, "step_time"); c.Reason != tt.want || r.Reason != tt.want {
			t.Errorf("%s: got %s, %s, want %s (%s)", tt.name, c.Reason, difftest.HeadlineOf(r), tt.want, difftest.WhySaid(c))
		}
	}
}

// TestLoadSizes: steps of sizes within a factor of two are compared only as far as the
// sides' sizes balance.
func TestLoadSizes(t *testing.T) {
	sizes := func(from, to int64) func(int) int64 {
		return func(s int) int64 { return from + (to-from)*int64(s*7%30)/30 }
	}
	tests := []struct {
		name       string
		base, cand func(int) int64
		all        bool // all steps of the smaller side are compared
		none       bool
	}{
		{"the same", sizes(33, 64), sizes(33, 64), true, false},
		{"other order", sizes(33, 64), func(s int) int64 { return sizes(33, 64)(s + 11) }, true, false},
		{"shifted", sizes(33, 56), sizes(41, 64), false, false},
		{"apart", sizes(33, 40), sizes(50, 64), false, true},
		{"unknown", always(0), always(0), true, false},
	}
	for _, tt := range tests {
		proportional := func(batch func(int) int64) func(int) float64 {
			return func(s int) float64 { return 1e-3 * float64(max(1, batch(s))) }
		}
		base, cand := engine("base", decoding("b", 30, tt.base, proportional(tt.base))), engine("cand", decoding("c", 30, tt.cand, proportional(tt.cand)))
		before := fmt.Sprintf("%+v %+v", base, cand)
		r := difftest.Compare(base, cand)
		if fmt.Sprintf("%+v %+v", base, cand) != before {
			t.Errorf("%s: the sets were changed", tt.name)
		}
		compared := 0
		for _, g := range r.Loads {
			compared += g.Base.Compared
			if math.IsNaN(g.Base.Size) != (tt.base(0) == 0) {
				t.Errorf("%s: got a size of %g", tt.name, g.Base.Size)
			}
		}
		if tt.none != (compared == 0) || tt.none != (r.Reason == verdict.ReasonLoad) || tt.all && compared != 30 {
			t.Errorf("%s: got %d steps compared, %s", tt.name, compared, r.Reason)
		}
		if c := verdict.MetricOf(r.Metrics, "step_time"); c != nil && !(math.Abs(c.Estimate) <= 0.01) {
			t.Errorf("%s: got a change of %v of an engine that did not change", tt.name, c.Estimate)
		}
		if r.Verdict == verdict.Regressed || r.Verdict == verdict.Improved {
			t.Errorf("%s: got %s", tt.name, difftest.HeadlineOf(r))
		}
	}
}

// TestLoadOfRanks: ranks with requests of their own count by their mean, and steps without
// a load do not enter beside others.
func TestLoadOfRanks(t *testing.T) {
	r := decoding("b", 30, always(32), func(s int) float64 { return 0.01 })
	for s := range r.Ranks[1].Steps {
		r.Ranks[1].Steps[s].Load.Batch = 16
	}
	if got := sides.NewRun(&r).Load(3); got != (trace.Load{Class: trace.Decode, Batch: 24, Tokens: 32}) {
		t.Errorf("got %+v", got)
	}
	r.Ranks[1].Steps[3].Load.Class = trace.Prefill
	if got := sides.NewRun(&r).Load(3).Class; got != trace.Mixed {
		t.Errorf("one rank reads prompts: got %v", got)
	}
	for i := range r.Ranks {
		r.Ranks[i].Steps[5].Load = trace.Load{}
	}
	rep := difftest.Compare(engine("base", r), engine("cand", decoding("c", 30, always(24), func(s int) float64 { return 0.01 })))
	if !slices.ContainsFunc(rep.Base.Steps.Dropped, func(d run.Drop) bool { return d.Reason == run.DropNoLoad && slices.Equal(d.Steps, []int64{5}) }) {
		t.Errorf("got %+v, want step 5 left out", rep.Base.Steps.Dropped)
	}
}

// TestLoadNumbers: what is left out is named by the numbers of its own recording.
func TestLoadNumbers(t *testing.T) {
	batch := func(s int) int64 { return map[bool]int64{true: 100, false: 32}[s == 7] }
	flat := func(s int) float64 { return 0.01 }
	r := difftest.Compare(engine("base", decoding("b", 20, always(32), flat)), engine("cand", decoding("c", 20, batch, flat)))
	for _, d := range r.Cand.Steps.Dropped {
		if d.Reason == run.DropUnlike && !slices.Equal(d.Steps, []int64{7}) {
			t.Errorf("got steps %v left out, want 7", d.Steps)
		}
	}
	if r.Base.Steps.Used != 19 || len(r.Base.Steps.Dropped) != 1 {
		t.Errorf("got %+v", r.Base.Steps)
	}
}

// TestLoadHistory: past runs of other loads teach nothing, and it is said.
func TestLoadHistory(t *testing.T) {
	flat := func(s int) float64 { return 0.01 }
	var past []*run.Set
	for i := range 6 {
		past = append(past, engine(fmt.Sprintf("past%d", i), decoding(fmt.Sprintf("p%d", i), 30, always(32), flat)))
	}
	r := diff.Compare(engine("base", decoding("b", 30, always(32), flat)), engine("cand", decoding("c", 30, always(32), flat)), policy.DefaultPolicy(), diff.Options{History: past})
	for _, h := range r.History {
		if !strings.Contains(difftest.WhyLeft(&h), "loads differ") {
			t.Errorf("%s: got %q", h.Name, difftest.WhyLeft(&h))
		}
	}
	if len(r.History) != 6 {
		t.Errorf("got %d past runs", len(r.History))
	}
}
