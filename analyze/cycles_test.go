package analyze

import (
	"slices"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// cycle is a capture of a process, with the number of its first step.
type cycle struct {
	name    string
	process int64
	at      int64 // s
	step    int64
	rank    int // that the file says; -1: none
}

// TestJoinCycles: captures of one process, one after the other, are one rank, and all others are not.
func TestJoinCycles(t *testing.T) {
	for _, c := range []struct {
		name  string
		files []cycle
		want  []int // ranks
	}{
		{"worker names", []cycle{{"n1_40.1700000000000000.pt.trace.json", 40, 1, 2, -1}, {"n1_40.1700000005000000.pt.trace.json", 40, 9, 12, -1}}, []int{0, 0}},
		{"two workers", []cycle{{"n1_40.1700000000000000.pt.trace.json", 40, 1, 2, -1}, {"n1_40.1700000005000000.pt.trace.json", 40, 9, 12, -1},
			{"n1_41.1700000000000000.pt.trace.json", 41, 1, 2, -1}, {"n1_41.1700000005000000.pt.trace.json", 41, 9, 12, -1}}, []int{0, 0, 1, 1}},
		{"steps without numbers", []cycle{{"n1_40.1700000000000000.pt.trace.json", 40, 1, 0, -1}, {"n1_40.1700000005000000.pt.trace.json", 40, 9, 0, -1}}, []int{0, 0}},
		{"the step in the name", []cycle{{"trace_10.json", 40, 1, 8, -1}, {"trace_20.json", 40, 9, 18, -1}}, []int{0, 0}},
		{"one number in two containers", []cycle{{"trace_10.json", 40, 1, 0, -1}, {"trace_20.json", 40, 9, 0, -1}}, []int{10, 20}},
		{"steps again", []cycle{{"trace_10.json", 40, 1, 2, -1}, {"trace_20.json", 40, 9, 2, -1}}, []int{10, 20}},
		{"at one time", []cycle{{"trace_10.json", 40, 1, 2, -1}, {"trace_20.json", 40, 1, 12, -1}}, []int{10, 20}},
		{"other processes", []cycle{{"trace_10.json", 40, 1, 2, -1}, {"trace_20.json", 41, 9, 12, -1}}, []int{10, 20}},
		{"no process", []cycle{{"trace_10.json", 0, 1, 2, -1}, {"trace_20.json", 0, 9, 12, -1}}, []int{10, 20}},
		{"named ranks", []cycle{{"rank1.json", 40, 1, 2, -1}, {"rank2.json", 40, 9, 12, -1}}, []int{1, 2}},
		{"said ranks", []cycle{{"trace_10.json", 40, 1, 2, 0}, {"trace_20.json", 40, 9, 12, 1}}, []int{0, 1}},
	} {
		found, read := discovered{}, make([]result, len(c.files))
		var all []*capture
		for i, f := range c.files {
			found.files = append(found.files, file{name: f.name, run: "run"})
			id := trace.Identity{Rank: f.rank, Process: f.process}
			read[i].captures = []capture{{id: id, epoch: f.at * 1e9, window: trace.Interval{Start: 1, End: 2e9},
				rank: run.Rank{Rank: f.rank, Files: []string{f.name}, Steps: []trace.Step{{Number: f.step}, {Number: f.step + 5}}}}}
			all = append(all, &read[i].captures[0])
		}
		var set run.Set
		nameRanks(&set, found, read, nil)
		joinCycles(found, read)
		guessRanks(&set, all)
		var got []int
		for _, x := range all {
			got = append(got, x.rank.Rank)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got ranks %v, want %v", c.name, got, c.want)
		}
	}
}
