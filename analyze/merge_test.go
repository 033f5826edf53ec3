package analyze

import (
	"fmt"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// measuredNode is what was measured of one node: compute times of its ranks, and waits
// among them.
func measuredNode(label string, ranks []run.Rank) *run.Set {
	for i := range ranks {
		ranks[i].Steps = []trace.Step{{Number: 0}, {Number: 1}}
		level := float64(ranks[i].Rank + 1)
		ranks[i].Series = []run.Series{
			{Key: run.Key{Metric: "compute_time"}, Values: []float64{level, level}},
			{Key: run.Key{Metric: "compute_skew"}, Values: []float64{9, 9}},
			{Key: run.Key{Metric: "comm_wait_time"}, Values: []float64{1, 1}},
		}
		ranks[i].Waits = []run.Wait{{For: 0, Time: 1}}
	}
	return &run.Set{Label: label, Digest: label, Metrics: []run.Metric{{Name: "comm_wait_time", Needs: "before"}},
		Runs: []run.Run{{Name: label, Ranks: ranks, Clocks: run.Clocks{Kernels: 5}}}}
}

// TestMerge: what was measured of nodes is one run, of which all that single ranks tell
// is kept or measured anew, and nothing else.
func TestMerge(t *testing.T) {
	set := Merge("all", []*run.Set{
		measuredNode("n1", ranksAs(2, 1, byMPI, "n1", 2)), measuredNode("n0", ranksAs(0, 2, byMPI, "n0", 1)),
	}, RunsByEvidence)
	if got := shape(set); got != "all[0:2 1:2 2:2]" || len(set.Doubts) > 0 {
		t.Fatalf("got %s, doubts %v", got, set.Doubts)
	}
	for _, r := range set.Runs[0].Ranks {
		if v := r.Values(run.Key{Metric: "compute_skew"}); len(v) != 2 || v[0] != 1 { // 3 and the median 2
			t.Errorf("rank %d: got compute skew %v, want that of all ranks, 1", r.Rank, v)
		}
		if r.Waits != nil || r.Values(run.Key{Metric: "comm_wait_time"}) != nil {
			t.Errorf("rank %d: waits among the ranks of one node are none of the run", r.Rank)
		}
	}
	if c := set.Runs[0].Clocks; c.Kernels != 10 || !strings.Contains(c.Inseparable, "summarize all nodes together") {
		t.Errorf("got clocks %+v", c)
	}
	if needs := set.Metrics[0].Needs; strings.Contains(needs, "before") || !strings.Contains(needs, "put together from summaries") {
		t.Errorf("waits need %q", needs)
	}
	if w := texts(set); !strings.Contains(w, "n0, n1 are the nodes of one run, put together from their summaries") {
		t.Errorf("got warnings %q", w)
	}
}

// TestMergeNumbers: numbers that count anew on each node are numbered on where the user
// says that these are nodes; the same ranks of the profiles are there once.
func TestMergeNumbers(t *testing.T) {
	nodes := func(from string) []*run.Set {
		return []*run.Set{measuredNode("n0", ranksAs(0, 2, from, "n0", 1)), measuredNode("n1", ranksAs(0, 2, from, "n1", 1))}
	}
	for from, want := range map[string]string{
		trace.RankFromName: "all[0:2 1:2 2:2 3:2]", trace.RankGuessed: "all[0:2 1:2 2:2 3:2]", byMPI: "all[0:2 1:2]",
	} {
		if got := shape(Merge("all", nodes(from), RunsAsNodes)); got != want {
			t.Errorf("%s: got %s, want %s", from, got, want)
		}
	}
	if set := Merge("all", nodes(trace.RankFromName), RunsByEvidence); set.RunsKnown() {
		t.Errorf("got %s without a doubt", shape(set))
	}
}

// TestHistoryOfNodes: summaries of the nodes of one run count once in a history, and
// runs stay runs.
func TestHistoryOfNodes(t *testing.T) {
	var sets []*run.Set
	for i, second := range []int64{1, 900} {
		for n := range 2 {
			sets = append(sets, measuredNode(fmt.Sprintf("r%dn%d", i, n), ranksAs(2*n, 2, byMPI, fmt.Sprint("n", n), second)))
		}
	}
	var got []string
	for _, s := range mergeNodes(sets, RunsByEvidence) {
		got = append(got, s.Label+": "+shape(s))
	}
	if want := "r0n0+r0n1: r0n0+r0n1[0:2 1:2 2:2 3:2], r1n0+r1n1: r1n0+r1n1[0:2 1:2 2:2 3:2]"; strings.Join(got, ", ") != want {
		t.Errorf("got %s, want %s", strings.Join(got, ", "), want)
	}
	if kept := mergeNodes(sets[:0:0], RunsByEvidence); len(kept) != 0 {
		t.Errorf("an empty history: got %d", len(kept))
	}
}
