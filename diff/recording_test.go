package diff_test

import (
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/difftest"
	"perfdiff/diff/policy"
	"perfdiff/render/words"
)

// TestRecordedOnce: a run whose recording was exported again is the same run, on one side
// and on both.
func TestRecordedOnce(t *testing.T) {
	again := func(s *run.Set, name string) *run.Set {
		out := diff.Anonymous(s)
		for i := range out.Runs {
			out.Runs[i].Name = name
			for j := range out.Runs[i].Ranks {
				out.Runs[i].Ranks[j].Began = s.Runs[i].Ranks[j].Began
			}
		}
		return out
	}
	of := func(sets ...*run.Set) *run.Set {
		out := *sets[0]
		for _, s := range sets[1:] {
			out.Runs, out.Files = append(out.Runs[:len(out.Runs):len(out.Runs)], s.Runs...), append(out.Files[:len(out.Files):len(out.Files)], s.Files...)
		}
		out.Digest = ""
		return &out
	}
	a, b, c := difftest.PastStep("a", 60e9, .1), difftest.PastStep("b", 120e9, .1), difftest.PastStep("c", 180e9, .12)
	if r := difftest.Compare(a, again(a, "x")); r.Gate.State != diff.GateNotJudged || difftest.HeadlineOf(r) != "Nothing was measured: both sides are one recording, exported twice." {
		t.Errorf("against itself: got %v %s", r.Gate.State, difftest.HeadlineOf(r))
	}
	if r := difftest.Compare(of(a, b), of(again(b, "x"), c)); r.Gate.State != diff.GateNotJudged || !strings.Contains(difftest.BasisOf(r), "Run x of the candidate is the recording of run b of the baseline, exported again") {
		t.Errorf("on both sides: got %v %s %s", r.Gate.State, difftest.HeadlineOf(r), difftest.BasisOf(r))
	}
	if r := difftest.Compare(of(a, again(a, "x"), again(a, "y")), c); len(r.Base.Runs) != 1 || !strings.Contains(difftest.BasisOf(r), "2 runs of the baseline are copies of a and do not count") {
		t.Errorf("three times: got runs %v, %s", r.Base.Runs, difftest.BasisOf(r))
	}
	// Runs that took the same times began at another one, or do not say when: each counts.
	later := difftest.Edit(again(a, "x"), func(k *run.Rank) { k.Began++ })
	for _, other := range []*run.Set{later, difftest.Edit(again(a, "x"), func(k *run.Rank) { k.Began = 0 })} {
		if r := difftest.Compare(a, other); !r.Judged {
			t.Errorf("another run: got %s", difftest.HeadlineOf(r))
		}
	}
	if r := diff.Check(a, policy.DefaultPolicy(), diff.Options{}, nil); !r.Judged || !r.OK() {
		t.Errorf("check: got %+v", r)
	}
}

// TestLostGates: a gating metric that a side does not hold is named.
func TestLostGates(t *testing.T) {
	wait := run.Key{Metric: "input_wait_time"}
	with := func() *run.Set {
		return difftest.SetOf("a", difftest.Job{Ranks: difftest.UpTo(2), Steps: 30, Step: difftest.Steady(.1, 0), Series: map[run.Key]func(int, int) float64{wait: difftest.Steady(.01, 1)}})
	}
	without := func() *run.Set { return difftest.One(30, 0, difftest.Steady(.1, 1)) }
	chosen := policy.DefaultPolicy()
	chosen.Gating = []string{"step_time", "input_wait_time"}
	for _, tt := range []struct {
		name       string
		base, cand *run.Set
		policy     policy.Policy
		want       string
	}{
		{"both hold it", with(), with(), policy.DefaultPolicy(), ""},
		{"neither does", without(), without(), policy.DefaultPolicy(), ""},
		{"neither does, and it was asked for", without(), without(), chosen, "neither side holds input_wait_time: what gates is not judged there"},
		{"the candidate does not", with(), without(), policy.DefaultPolicy(), "only the baseline holds input_wait_time: what gates is not judged there (the rows say what to record)"},
		{"the baseline does not", without(), with(), chosen, "only the candidate holds input_wait_time: what gates"},
	} {
		var said []string
		for _, w := range diff.Compare(tt.base, tt.cand, tt.policy, diff.Options{}).Warnings {
			if strings.Contains(words.Warning(&w), "what gates") {
				said = append(said, words.Warning(&w))
			}
		}
		if got := strings.Join(said, "\n"); !strings.HasPrefix(got, tt.want) || tt.want == "" && got != "" {
			t.Errorf("%s: got %q want %q", tt.name, got, tt.want)
		}
	}
}
