package diff_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"perfdiff/analyze"
	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/policy"
)

// inNodes is a run as so many sets, each of the ranks of one node.
func inNodes(r run.Run, nodes int) (sets []*run.Set) {
	each := len(r.Ranks) / nodes
	for n := range nodes {
		one := run.Run{Name: fmt.Sprintf("node%d", n), Ranks: slices.Clone(r.Ranks[n*each : (n+1)*each])}
		for i := range one.Ranks {
			one.Ranks[i].Host = one.Name
		}
		sets = append(sets, set(one.Name, one))
		sets[n].Digest = fmt.Sprint(n, one.Ranks[0].Began) // of what it was read from
	}
	return sets
}

// capturedAt is a run that was captured for a minute, so many hours after the others.
func capturedAt(r run.Run, hours int64) run.Run {
	for i := range r.Ranks {
		r.Ranks[i].Began, r.Ranks[i].Captured = 1_700_000_000e9+hours*3600e9+int64(i)*1e6, 60e9
	}
	return r
}

// TestRatesNodes: pairs of one job whose files lie in a directory for each of 8 nodes,
// and whose runs differ by 2 %, are pairs of single runs: each says what it says with
// its files in one directory. As repeats most of them would be called changed.
func TestRatesNodes(t *testing.T) {
	const nodes, ranks, steps = 8, 16, 30
	n := draws(t, 200)
	job := typical(.02)
	verdicts := eachPair("nodes", n, func(g *rand.Rand, add func(string)) {
		var sides [2]run.Run
		for i := range sides {
			r, _ := job.simulate(g, "run", steps, ranks, g.NormFloat64(), 0)
			sides[i] = capturedAt(r, int64(i))
		}
		as := func(runs analyze.Runs) *diff.Report {
			return diff.Compare(analyze.Merge("base", inNodes(sides[0], nodes), runs), analyze.Merge("cand", inNodes(sides[1], nodes), runs), policy.DefaultPolicy(), diff.Options{})
		}
		one := diff.Compare(set("base", sides[0]), set("cand", sides[1]), policy.DefaultPolicy(), diff.Options{})
		r := as(analyze.RunsByEvidence)
		add(r.Verdict.String())
		if len(r.Base.Runs) != 1 || r.Verdict != one.Verdict || r.Metrics[0].Estimate != one.Metrics[0].Estimate || r.Metrics[0].Hi != one.Metrics[0].Hi {
			add("other than one directory")
		}
		add("repeats " + as(analyze.RunsAsRepeats).Verdict.String())
	})
	if rate := verdicts["other than one directory"]; rate > 0 {
		t.Errorf("%.1f %% of pairs say something else than with their files in one directory", 100*rate)
	}
	atMost(t, "nodes in directories, false regressed", verdicts["regressed"], .04, n)
	atMost(t, "nodes in directories, false improved", verdicts["improved"], .04, n)
	if wrong := verdicts["repeats regressed"] + verdicts["repeats improved"]; wrong < .3 {
		t.Errorf("as repeats only %.1f %% of pairs are called changed: these pairs show nothing", 100*wrong)
	}
	tell("nodes in 8 directories, tau 2%%: regressed %.1f %%, improved %.1f %%; were they taken as repeats: %.1f %%, %.1f %%",
		100*verdicts["regressed"], 100*verdicts["improved"], 100*verdicts["repeats regressed"], 100*verdicts["repeats improved"])
	t.Logf("%v", verdicts)
}
