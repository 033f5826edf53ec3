package sides_test

import (
	"reflect"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/difftest"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
)

// digested gives the files of a set the digests of their runs' names by content, so that
// runs of one content are copies.
func digested(set *run.Set, content map[string]string) *run.Set {
	for i := range set.Files {
		name, file, _ := strings.Cut(set.Files[i].Name, "/")
		set.Files[i].Digest = content[name] + "/" + file
	}
	return set
}

// TestCopies: runs of one content count once, which is said, and a run on both sides is
// refused, by force too.
func TestCopies(t *testing.T) {
	side := func(label string, content ...string) *run.Set {
		of := map[string]string{}
		var jobs []difftest.Job
		for i, c := range content {
			name := label + string(rune('1'+i))
			of[name] = c
			jobs = append(jobs, difftest.Job{Name: name, Ranks: difftest.UpTo(2), Steps: 60, Step: difftest.Steady(0.1, float64(c[0]))})
		}
		return digested(difftest.SetOf(label, jobs...), of)
	}
	for _, tt := range []struct {
		name       string
		base, cand *run.Set
		runs       [2]int
		headline   string // its start
		says       string // in the basis
	}{
		{"all are other runs", side("b", "a", "b"), side("c", "c", "d"), [2]int{2, 2}, "", "2 runs of"},
		{"a copy a side", side("b", "a", "a"), side("c", "b", "b", "b"), [2]int{1, 1}, "", "1 run of the baseline is a copy of b1 and does not count."},
		{"a copy beside another run", side("b", "a", "b", "a"), side("c", "c", "d"), [2]int{2, 2}, "", "is a copy of b1"},
		{"copies of one run against it", side("b", "a"), side("c", "a", "a"), [2]int{1, 1}, "Nothing was measured: both sides are the same files.", "1 run of the candidate is a copy of c1 and does not count."},
		{"one run is on both sides", side("b", "a", "b"), side("c", "c", "a"), [2]int{2, 2}, "No verdict: both sides hold the same run.", "Run c2 of the candidate is run b1 of the baseline."},
	} {
		policy := policy.DefaultPolicy()
		policy.Force = true
		for _, r := range []*diff.Report{difftest.Compare(tt.base, tt.cand), diff.Compare(tt.base, tt.cand, policy, diff.Options{})} {
			if got := [2]int{len(r.Base.Runs), len(r.Cand.Runs)}; got != tt.runs {
				t.Errorf("%s: got %v runs, want %v", tt.name, got, tt.runs)
			}
			if refused := tt.headline != ""; r.Judged == refused || (r.Gate.State == diff.GateNotJudged) != refused || !strings.HasPrefix(difftest.HeadlineOf(r), tt.headline) {
				t.Errorf("%s: got judged %v, %s: %s", tt.name, r.Judged, r.Gate.State, difftest.HeadlineOf(r))
			}
			if !strings.Contains(difftest.Plain(difftest.BasisOf(r)), tt.says) {
				t.Errorf("%s: got basis %q, want %q", tt.name, difftest.BasisOf(r), tt.says)
			}
		}
	}
	kept, left := sides.WithoutCopies("candidate", side("c", "a", "b", "a", "b", "a"))
	want := []sides.Copies{{Side: "candidate", Of: "c1", Runs: []string{"c3", "c5"}}, {Side: "candidate", Of: "c2", Runs: []string{"c4"}}}
	if len(kept.Runs) != 2 || !reflect.DeepEqual(left, want) {
		t.Errorf("got %d runs without %+v, want %+v", len(kept.Runs), left, want)
	}
	some := side("c", "c", "d")
	some.Files[3].Digest = "a/rank1.sqlite"
	if r := difftest.Compare(side("b", "a"), some); r.Judged || difftest.HeadlineOf(r) != "No verdict: both sides hold files of the same run." ||
		!strings.Contains(difftest.BasisOf(r), "1 of 2 files of run c2 of the candidate are also those of run b1") {
		t.Errorf("a file of the baseline: got %s %s", difftest.HeadlineOf(r), difftest.BasisOf(r))
	}
}
