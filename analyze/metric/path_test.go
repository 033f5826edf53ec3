package metric

import (
	"slices"
	"testing"

	"perfdiff/analyze/collective"
	"perfdiff/analyze/critical"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

func part(name string, ns int64) pathPart { return pathPart(ns<<pathBits | int64(pathNumber[name])) }

func family(number int, ns int64) pathPart {
	return pathPart(ns<<pathBits | int64(len(run.PathParts)+number))
}

// TestPathGoesToTheLastRank: a path that comes to a collective goes on at the rank that arrived last,
// on the clock of that rank and back into its step before, for as long as the step took.
func TestPathGoesToTheLastRank(t *testing.T) {
	ranks := []run.Rank{{Steps: []trace.Step{{Start: 0, End: 100}}}, {Rank: 1, Steps: []trace.Step{{Start: 900, End: 1020}, {Start: 1020, End: 1110}}}}
	comms := []Communication{
		{Spans: []collective.Span{{Start: 50, End: 100}}},
		{Spans: []collective.Span{{Start: 1080, End: 1100, Step: 1}}},
	}
	comms[0].paths = paths{families: []string{"GEMM"}, steps: []stepPath{{
		nodes: []critical.Node{{At: 100, Parent: critical.ThroughComm(0)}, {At: 50, Parent: critical.FromStart}}, from: []int32{0, 0, 1}, parts: []pathPart{family(0, 50)}}}}
	comms[1].paths = paths{families: []string{"other", "GEMM"}, steps: []stepPath{
		{nodes: []critical.Node{{At: 1020, Parent: critical.FromStart}}, from: []int32{0, 2}, parts: []pathPart{part(run.PathHost, 60), part(run.PathCopies, 60)}},
		{nodes: []critical.Node{{At: 1110, Parent: critical.FromStart}, {At: 1080, Parent: critical.FromStart}}, from: []int32{0, 0, 1}, parts: []pathPart{family(1, 60)}}}}
	splits := [][]collective.Split{{{Wait: 30, For: 1}}, {{For: 1}}}
	j := &pathJoiner{ranks: ranks, comms: comms, splits: splits, groups: &groups{}}
	j.number()
	for _, tt := range []struct {
		name      string
		edit      func()
		want      map[string]int64
		elsewhere int64
	}{
		{"the other rank is late", func() {}, map[string]int64{run.PathComm: 20, run.PathCompute: 60, run.PathHost: 10, run.PathCopies: 10}, 80},
		{"its steps are apart", func() { ranks[1].Steps[0].End = 1019 }, map[string]int64{run.PathComm: 20, run.PathCompute: 60, run.PathLate: 20}, 80},
		{"it is not known what it did", func() { comms[1].paths.steps = nil }, map[string]int64{run.PathComm: 20, run.PathLate: 30, run.PathCompute: 50}, 0},
		{"nobody is late", func() { splits[0][0].Wait = 0 }, map[string]int64{run.PathComm: 50, run.PathCompute: 50}, 0},
	} {
		tt.edit()
		j.follow(0, 0)
		for k, name := range run.PathParts {
			if j.out.parts[k] != tt.want[name] {
				t.Errorf("%s: got %d ns of %s, want %d", tt.name, j.out.parts[k], name, tt.want[name])
			}
		}
		if j.out.elsewhere != tt.elsewhere || j.out.families[slices.Index(j.names, "GEMM")] != tt.want[run.PathCompute] {
			t.Errorf("%s: got %d ns elsewhere, families %v of %q, want %d and all of compute GEMM", tt.name, j.out.elsewhere, j.out.families, j.names, tt.elsewhere)
		}
	}
}

// TestPathsOfCaptures: paths of a later capture keep their families, and what tells both holds of both.
func TestPathsOfCaptures(t *testing.T) {
	of := func(source string, families ...string) paths {
		return paths{steps: []stepPath{{nodes: make([]critical.Node, 1), from: []int32{0, 2}, parts: []pathPart{family(0, 7), part(run.PathHost, 3)}}}, families: families, source: source, input: true}
	}
	for _, tt := range []struct{ first, second, want string }{
		{run.SourceStreamWaits, run.SourceStreamWaits, run.SourceStreamWaits},
		{run.SourceStreamWaits, run.SourceLaunches, run.SourceLaunches},
		{run.SourceLaunches, run.SourceStreamWaits, run.SourceLaunches},
	} {
		p := of(tt.first, "GEMM", "attention").append(of(tt.second, "other", "GEMM"), 2)
		if len(p.steps) != 3 || !slices.Equal(p.families, []string{"GEMM", "attention", "other"}) || !slices.Equal(p.steps[2].parts, []pathPart{family(2, 7), part(run.PathHost, 3)}) {
			t.Errorf("got %d steps, families %q, parts %v", len(p.steps), p.families, p.steps[len(p.steps)-1].parts)
		}
		if p.source != tt.want || !p.input {
			t.Errorf("%s and %s: got %s, input %v, want %s", tt.first, tt.second, p.source, p.input, tt.want)
		}
	}
}

// TestPartsOfNodes: what a path does between two nodes adds up by kind.
func TestPartsOfNodes(t *testing.T) {
	var x pathMeasurer
	for _, s := range []critical.Segment{{Start: 90, End: 100, Kind: critical.Handover}, {Start: 60, End: 90, Kind: critical.Return}, {Start: 40, End: 60, Kind: critical.Handover}, {Start: 30, End: 40}} {
		x.add(1, s)
	}
	if want := []pathPart{part(run.PathLatency, 30), part(run.PathReturn, 30), part(run.PathUnknown, 10)}; len(x.sums) != 2 || len(x.sums[0]) != 0 || !slices.Equal(x.sums[1], want) {
		t.Errorf("got %v, want %v of node 1 alone", x.sums, want)
	}
}
