package analyze

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// ranksAs are ranks from first on of one host, with numbers from a source, captured
// for 60 s from a second on; 0: the clock is not known.
func ranksAs(first, n int, from, host string, second int64) (out []run.Rank) {
	for i := range n {
		r := run.Rank{Rank: first + i, RankFrom: from, Host: host, WorldSize: 16}
		if second != 0 {
			r.Began, r.Captured = 1_700_000_000e9+second*1e9, 60e9
		}
		out = append(out, r)
	}
	return out
}

// in puts ranks into a communicator.
func in(id string, size int32, ranks []run.Rank) []run.Rank {
	for i := range ranks {
		ranks[i].Comms = []run.Communicator{{ID: id, Ranks: size}}
	}
	return ranks
}

// ofWorld are ranks of a job of that size.
func ofWorld(size int, ranks []run.Rank) []run.Rank {
	for i := range ranks {
		ranks[i].WorldSize = size
	}
	return ranks
}

const byMPI = "MPI_RANKS"

// TestGroups: what directories are, by what their ranks say.
func TestGroups(t *testing.T) {
	const a, b = "6271449037268000001", "6271449037268000002"
	tests := []struct {
		name  string
		parts [][]run.Rank
		want  string // the runs, by the numbers of their parts
		doubt string
	}{
		{"nodes: other ranks at one time", [][]run.Rank{ranksAs(0, 8, byMPI, "n0", 1), ranksAs(8, 8, byMPI, "n1", 3)}, "01", ""},
		{"nodes of names", [][]run.Rank{ranksAs(0, 8, trace.RankFromName, "n0", 1), ranksAs(8, 8, trace.RankFromName, "n1", 3)}, "01", ""},
		{"clocks of nodes that differ by seconds", [][]run.Rank{ranksAs(0, 8, byMPI, "n0", 1), ranksAs(8, 8, byMPI, "n1", 66)}, "01", ""},
		{"one communicator, clocks not known", [][]run.Rank{in(a, 16, ranksAs(0, 8, byMPI, "n0", 0)), in(a, 16, ranksAs(8, 8, byMPI, "n1", 0))}, "01", ""},
		{"repeats", [][]run.Rank{ranksAs(0, 8, byMPI, "n0", 1), ranksAs(0, 8, byMPI, "n0", 900)}, "0 1", ""},
		{"repeats at one time on other hosts", [][]run.Rank{ranksAs(0, 8, byMPI, "n0", 1), ranksAs(0, 8, byMPI, "n1", 2)}, "0 1", ""},
		{"repeats, a rank missing", [][]run.Rank{ranksAs(0, 8, byMPI, "n0", 1), ranksAs(0, 7, byMPI, "n0", 900)}, "0 1", ""},
		{"repeats of names", [][]run.Rank{ranksAs(0, 8, trace.RankFromName, "n0", 1), ranksAs(0, 8, trace.RankFromName, "n0", 900)}, "0 1", ""},
		{"repeats of names on one host without clocks", [][]run.Rank{
			ranksAs(0, 8, trace.RankFromName, "n0", 0), ranksAs(0, 8, trace.RankFromName, "n0", 0)}, "0 1", ""},
		{"the same names without clocks", [][]run.Rank{ranksAs(0, 8, trace.RankFromName, "", 0), ranksAs(0, 8, trace.RankFromName, "", 0)},
			"0 1", "which may count anew on each node, and nothing says when they were captured"},
		{"repeats without numbers", [][]run.Rank{ranksAs(0, 1, trace.RankGuessed, "", 1), ranksAs(0, 1, trace.RankGuessed, "", 900)}, "0 1", ""},
		{"two runs of two nodes", [][]run.Rank{ranksAs(0, 8, byMPI, "n0", 1), ranksAs(0, 8, byMPI, "n0", 900), ranksAs(8, 8, byMPI, "n1", 1), ranksAs(8, 8, byMPI, "n1", 900)}, "02 13", ""},
		{"two runs at one time, by communicator", [][]run.Rank{
			in(a, 16, ranksAs(0, 8, byMPI, "n0", 1)), in(a, 16, ranksAs(8, 8, byMPI, "n1", 1)),
			in(b, 16, ranksAs(0, 8, byMPI, "n2", 1)), in(b, 16, ranksAs(8, 8, byMPI, "n3", 1))}, "01 23", ""},
		{"two runs at one time without", [][]run.Rank{ranksAs(0, 8, byMPI, "n0", 1), ranksAs(8, 8, byMPI, "n1", 1), ranksAs(0, 8, byMPI, "n2", 1)},
			"012", "p0 and p2 are either nodes of one run or repeats: others join them, and they hold the same ranks"},
		{"other jobs", [][]run.Rank{ofWorld(8, ranksAs(0, 8, byMPI, "n0", 1)), ranksAs(0, 8, byMPI, "n0", 900)},
			"0 1", "p0 and p1 are neither nodes of one run nor repeats: their jobs have 8 and 16 ranks"},
		{"other ranks, clocks not known", [][]run.Rank{ranksAs(0, 8, byMPI, "n0", 0), ranksAs(8, 8, byMPI, "n1", 0)},
			"0 1", "they hold different ranks, and nothing says when they were captured"},
		{"other ranks at other times", [][]run.Rank{ranksAs(0, 8, byMPI, "n0", 1), ranksAs(8, 8, byMPI, "n1", 900)},
			"0 1", "they hold different ranks, and they were captured one after the other"},
		{"numbers of names on each node", [][]run.Rank{ranksAs(0, 8, trace.RankFromName, "n0", 1), ranksAs(0, 8, trace.RankFromName, "n1", 2)},
			"0 1", "out of names, which may count anew on each node, and they were captured at one time on different hosts"},
		{"no numbers at one time", [][]run.Rank{ranksAs(0, 1, trace.RankGuessed, "", 1), ranksAs(0, 1, trace.RankGuessed, "", 2)},
			"0 1", "their ranks have no numbers, and they were captured at one time"},
		{"numbers of names, one communicator", [][]run.Rank{
			in(a, 16, ranksAs(0, 8, trace.RankFromName, "n0", 1)), in(a, 16, ranksAs(0, 8, trace.RankFromName, "n1", 2))},
			"01", "p0 and p1 are nodes of one run and hold the same rank numbers"},
	}
	for _, tt := range tests {
		parts := partsOf(tt.parts)
		for range parts { // in any order
			g := groupParts("parts", parts, RunsByEvidence)
			if got := inRuns(&g, parts); got != tt.want {
				t.Errorf("%s: got runs %s, want %s", tt.name, got, tt.want)
			}
			doubt := ""
			for _, d := range g.doubts() {
				doubt += d.Text
			}
			if len(parts) > 0 && parts[0].name == "p0" && !strings.Contains(doubt, tt.doubt) || (doubt == "") != (tt.doubt == "") {
				t.Errorf("%s: got doubt %q, want %q", tt.name, doubt, tt.doubt)
			}
			parts = append(parts[1:], parts[0])
		}
		all, each := groupParts("parts", parts, RunsAsNodes), groupParts("parts", parts, RunsAsRepeats)
		if len(all.runs) != 1 || len(each.runs) != len(parts) || len(all.doubts())+len(each.doubts()) > 0 {
			t.Errorf("%s: --runs gives %d and %d runs, doubts %v %v", tt.name, len(all.runs), len(each.runs), all.doubts(), each.doubts())
		}
	}
}

func partsOf(ranks [][]run.Rank) (parts []*setPart) {
	for i, list := range ranks {
		p := partOf(&run.Run{Name: fmt.Sprintf("p%d", i), Ranks: list})
		parts = append(parts, p)
	}
	return parts
}

// inRuns are the runs of a grouping by the numbers of their parts.
func inRuns(g *runGrouping, parts []*setPart) string {
	var runs []string
	for _, members := range g.runs {
		var names []string
		for _, i := range members {
			names = append(names, strings.TrimPrefix(parts[i].name, "p"))
		}
		slices.Sort(names)
		runs = append(runs, strings.Join(names, ""))
	}
	slices.Sort(runs)
	return strings.Join(runs, " ")
}

// TestNodesOfRuns: directories of directories are runs with their nodes, by the same
// evidence, and are called as they are.
func TestNodesOfRuns(t *testing.T) {
	set := func(opt Options, files map[string]string) *run.Set { return loadTree(t, tree(t, files), opt) }
	nested := map[string]string{
		"r1/n0/a.json": profile(0, 5, 4), "r1/n1/b.json": profile(1, 5, 4),
		"r2/n0/a.json": profile(0, 9, 4), "r2/n1/b.json": profile(1, 9, 4),
	}
	for _, tt := range []struct {
		as   Runs
		want string
	}{
		{RunsAsNodes, "r1[0:4 1:4] r2[0:4 1:4]"}, {RunsAsRepeats, "r1/n0[0:4] r1/n1[1:4] r2/n0[0:4] r2/n1[1:4]"},
	} {
		s := set(Options{Runs: tt.as}, nested)
		if got := shape(s); got != tt.want || len(s.Doubts) > 0 {
			t.Errorf("--runs %s: got %s, doubts %v, want %s", tt.as, got, s.Doubts, tt.want)
		}
	}
	below := map[string]string{"n0/prof/a.json": profile(0, 5, 4), "n1/prof/b.json": profile(1, 5, 4)}
	if s := set(Options{Runs: RunsAsNodes}, below); len(s.Runs) != 1 || len(s.Runs[0].Ranks) != 2 {
		t.Errorf("one directory in each node's: got %s, want one run", shape(s))
	}
	if s := set(Options{}, nested); s.RunsKnown() { // these traces say no time
		t.Errorf("without a clock: got %s without a doubt", shape(s))
	}
}
