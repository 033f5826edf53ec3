package sides_test

import (
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff"
	"perfdiff/diff/difftest"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
)

// slower is a pair of run sets of which the second is slower by a fifth.
func slower(base, cand []int) (b, c *run.Set) {
	return difftest.SetOf("base", difftest.Job{Ranks: base, Steps: 60, Step: difftest.Steady(0.1, 0)}), difftest.SetOf("cand", difftest.Job{Ranks: cand, Steps: 60, Step: difftest.Steady(0.12, 1)})
}

// TestDoubts: what is not known of a side is not judged; force judges what it may.
func TestDoubts(t *testing.T) {
	runs := run.Doubt{About: run.DoubtRuns, Text: "a and b are both", Hint: "say which"}
	ranks := run.Doubt{About: run.DoubtRanks, Text: "all are rank 8", Hint: "name them"}
	for _, tt := range []struct {
		name       string
		base, cand []run.Doubt
		force      bool
		headline   string
		basis      string
	}{
		{"runs", []run.Doubt{runs}, nil, false, "No verdict: it is not known what the runs are.", "Baseline: a and b are both. Hint: say which."},
		{"runs by force", nil, []run.Doubt{runs}, true, "No verdict: it is not known what the runs are.", "Candidate: a and b are both. Hint: say which."},
		{"ranks", []run.Doubt{ranks}, []run.Doubt{ranks}, false, "No verdict: it is not known which ranks the files are of.", "All are rank 8. Hint: name them."},
		{"both", []run.Doubt{ranks}, []run.Doubt{runs}, false, "No verdict: it is not known what the runs are.", "Hint: name them."},
		{"ranks by force", []run.Doubt{ranks}, nil, true, "Steps take 20 ms longer (+20 %).", "The mean step went from 100 to 120 ms."},
	} {
		base, cand := slower(difftest.UpTo(4), difftest.UpTo(4))
		base.Doubts, cand.Doubts = tt.base, tt.cand
		policy := policy.DefaultPolicy()
		policy.Force = tt.force
		r := diff.Compare(base, cand, policy, diff.Options{})
		judgedAs := strings.HasPrefix(tt.headline, "Steps take")
		if got := difftest.Plain(difftest.HeadlineOf(r)); got != tt.headline || r.Judged != judgedAs || (r.Verdict == verdict.Regressed) != judgedAs || (r.Gate.State == diff.GateNotJudged) == judgedAs {
			t.Errorf("%s: got %q, judged %v, gate %s", tt.name, got, r.Judged, r.Gate.State)
		}
		if got := difftest.Plain(difftest.BasisOf(r)); !strings.Contains(got, tt.basis) {
			t.Errorf("%s: got basis %q, want %q", tt.name, got, tt.basis)
		}
		for _, f := range r.Findings {
			if !judgedAs && f.Class.Judges() {
				t.Errorf("%s: got finding %q", tt.name, difftest.TextOf(r, &f))
			}
		}
		forced := slices.ContainsFunc(r.Warnings, func(w diff.Warning) bool { return w.Kind == diff.WarnForced })
		if forced != judgedAs {
			t.Errorf("%s: got warnings %v", tt.name, r.Warnings)
		}
	}
}

// TestRankSources: ranks that do not match are doubted where they were guessed, or where
// one side has them out of names and the other has not.
func TestRankSources(t *testing.T) {
	const byMPI = "MPI_RANKS"
	for _, tt := range []struct {
		name       string
		base, cand []int
		from, to   string
		judged     bool
	}{
		{"the same ranks of different sources", difftest.UpTo(8), difftest.UpTo(8), byMPI, trace.RankFromName, true},
		{"one is missing", difftest.UpTo(8), difftest.UpTo(7), byMPI, byMPI, true},
		{"one is missing, names on both sides", difftest.UpTo(8), difftest.UpTo(7), trace.RankFromName, trace.RankFromName, true},
		{"one is missing, profiles of two formats", difftest.UpTo(8), difftest.UpTo(7), byMPI, "distributedInfo", true},
		{"one is missing, names on one side", difftest.UpTo(8), difftest.UpTo(7), byMPI, trace.RankFromName, false},
		{"one is missing, guessed", difftest.UpTo(8), difftest.UpTo(7), trace.RankGuessed, trace.RankGuessed, false},
		{"other ranks, guessed", []int{0, 4, 8}, difftest.UpTo(3), byMPI, trace.RankGuessed, false},
		{"one rank a side", []int{3}, []int{0}, trace.RankFromName, trace.RankGuessed, true},
		{"the user said", difftest.UpTo(8), difftest.UpTo(7), byMPI, trace.RankFromFlag, true},
	} {
		base, cand := slower(tt.base, tt.cand)
		for set, from := range map[*run.Set]string{base: tt.from, cand: tt.to} {
			for i := range set.Runs[0].Ranks {
				set.Runs[0].Ranks[i].RankFrom, set.Runs[0].Ranks[i].WorldSize = from, 8
			}
		}
		if r := difftest.Compare(base, cand); r.Judged != tt.judged || !tt.judged && r.Reason != verdict.ReasonUnclear {
			t.Errorf("%s: got judged %v, %s: %s", tt.name, r.Judged, r.Reason, difftest.BasisOf(r))
		}
	}
}

// TestOtherRanks: other ranks of a job are not compared, whether they are slower or
// not, unless it is asked for, and then that is said.
func TestOtherRanks(t *testing.T) {
	of := func(ranks []int, world int, from string, level float64) *run.Set {
		s := difftest.SetOf("x", difftest.Job{Ranks: ranks, World: world, Steps: 30, Step: difftest.Steady(level, level)})
		for i := range s.Runs[0].Ranks {
			s.Runs[0].Ranks[i].RankFrom = from
		}
		return s
	}
	const said, named = "NCCL communicator", trace.RankFromName
	for _, tt := range []struct {
		name       string
		base, cand *run.Set
		refused    bool
	}{
		{"halves of a job", of(difftest.UpTo(4), 8, said, .1), of([]int{4, 5, 6, 7}, 8, said, .1), true},
		{"halves, slower", of(difftest.UpTo(4), 8, said, .1), of([]int{4, 5, 6, 7}, 8, said, .2), true},
		{"halves, by names, of a job of unknown size", of(difftest.UpTo(4), 0, named, .1), of([]int{4, 5, 6, 7}, 0, named, .1), true},
		{"fewer", of(difftest.UpTo(4), 8, said, .1), of([]int{4}, 8, said, .1), true},
		{"one of each", of([]int{0}, 8, said, .1), of([]int{3}, 8, said, .1), true},
		{"one of each, by names, of a job of several", of([]int{0}, 8, named, .1), of([]int{3}, 8, named, .1), true},
		{"one of each, as the profiles say", of([]int{0}, 0, said, .1), of([]int{3}, 0, said, .1), true},
		{"one file of each, called as they are", of([]int{1}, 0, named, .1), of([]int{2}, 0, named, .1), false},
		{"likewise, of jobs of one rank", of([]int{1}, 1, named, .1), of([]int{2}, 1, named, .1), false},
		{"one is on both", of(difftest.UpTo(4), 8, said, .1), of([]int{3, 4, 5, 6}, 8, said, .1), false},
	} {
		r := difftest.Compare(tt.base, tt.cand)
		if refused := difftest.HeadlineOf(r) == "No verdict: no rank is on both sides."; refused != tt.refused || refused && (r.Gate.State != diff.GateNotJudged || r.Judged) {
			t.Errorf("%s: got %v: %s %s", tt.name, r.Gate.State, difftest.HeadlineOf(r), difftest.BasisOf(r))
		}
		asked := policy.DefaultPolicy()
		asked.Force = true
		forced := diff.Compare(tt.base, tt.cand, asked, diff.Options{})
		if said := strings.Contains(difftest.BasisOf(forced), "Judged only because of --force: the baseline holds ranks "); !forced.Judged || said != tt.refused {
			t.Errorf("%s, by force: got %s %s", tt.name, difftest.HeadlineOf(forced), difftest.BasisOf(forced))
		}
		for _, d := range forced.Differences {
			if note := d.Why == policy.NoRankOnBoth; d.Name == "ranks" && note == (tt.name == "one is on both") {
				t.Errorf("%s: the note is %s", tt.name, d.Why)
			}
		}
	}
}

// TestDoubtedHistory: a past run that may be nodes or repeats says nothing of noise.
func TestDoubtedHistory(t *testing.T) {
	base, cand := slower(difftest.UpTo(4), difftest.UpTo(4))
	past := difftest.SetOf("old", difftest.Job{Ranks: difftest.UpTo(4), Steps: 60, Step: difftest.Steady(0.1, 3)})
	past.Doubts = []run.Doubt{{About: run.DoubtRuns, Text: "a and b are both", Hint: "say which"}}
	r := diff.Compare(base, cand, policy.DefaultPolicy(), diff.Options{History: []*run.Set{past}})
	if len(r.History) != 1 || difftest.WhyLeft(&r.History[0]) != "it is not known what it is: a and b are both (say which)" {
		t.Errorf("got %+v", r.History)
	}
}
