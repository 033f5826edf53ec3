package cause_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/difftest"
)

// launchedSet is a side of two ranks, whose kernels take so many ms per step, launched as rows say.
func launchedSet(seed float64, times map[string]float64, rows []run.LaunchedRow) *run.Set {
	series := map[run.Key]func(int, int) float64{}
	for name, ms := range times {
		series[run.Key{Metric: "kernel_time", Part: name}] = difftest.Steady(ms*1e-3, seed)
		series[run.Key{Metric: "kernel_launches", Part: name}] = difftest.Constant(10)
	}
	s := difftest.SetOf("x", difftest.Job{Ranks: difftest.UpTo(2), Steps: 40, Step: difftest.Steady(0.1, seed), Series: series})
	for i := range s.Runs[0].Ranks {
		if rows != nil {
			s.Runs[0].Ranks[i].Launched = &run.Launched{Steps: 4, Rows: rows}
		}
	}
	return s
}

var (
	launchedTimes = map[string]float64{"gemm": 40, "relu": 10, "nccl:AllReduce f32": 8, "adam": 5, "fill": 1}
	launchedRows  = []run.LaunchedRow{
		{Phase: run.Forward, In: "Linear", Kernel: "gemm", Time: 10, Launches: 1}, {Phase: run.Backward, In: "MmBackward0", Kernel: "gemm", Time: 30, Launches: 2},
		{Phase: run.Forward, In: "ReLU", Kernel: "relu", Time: 7, Launches: 7}, {Phase: run.Backward, Kernel: "nccl:AllReduce f32", Time: 3, Launches: 1},
		{Phase: run.Optimizer, In: "aten::_fused_adamw_", Kernel: "adam", Time: 9, Launches: 9},
	}
)

// checkLaunched holds the tree to the kernel table: what lies in a node adds up to it, and all kernels
// in all places to the kernels.
func checkLaunched(t *testing.T, r *diff.Report) {
	t.Helper()
	sums, all := map[int]*[2]float64{}, [2]float64{}
	kernels := map[int]*[2]float64{}
	for i := range r.Launched.Nodes {
		n := &r.Launched.Nodes[i]
		if n.In >= i || (n.In < 0) != (i == 0) {
			t.Errorf("node %d lies in %d", i, n.In)
		}
		for _, to := range []struct {
			at  int
			sum map[int]*[2]float64
		}{{n.In, sums}, {n.Kernel, kernels}} {
			if to.sum[to.at] == nil {
				to.sum[to.at] = new([2]float64)
			}
			to.sum[to.at][0] += n.Base.Time
			to.sum[to.at][1] += n.Cand.Time
		}
	}
	near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-8*math.Max(math.Abs(a), 1e-3) }
	for at, sum := range sums {
		if at < 0 {
			continue
		}
		if n := &r.Launched.Nodes[at]; !near(sum[0], n.Base.Time) || !near(sum[1], n.Cand.Time) {
			t.Errorf("%s %q: %v lies in it, it has %g, %g", n.Level, n.Name, *sum, n.Base.Time, n.Cand.Time)
		}
	}
	for i := range r.Kernels {
		k := &r.Kernels[i]
		all[0], all[1] = all[0]+k.BaseTime, all[1]+k.CandTime
		if sum := kernels[i]; k.Others == 0 && len(r.Kernels) < 100 && (sum == nil || !near(sum[0], k.BaseTime) || !near(sum[1], k.CandTime)) {
			t.Errorf("kernel %s: got %v, want %g, %g", k.Name, sum, k.BaseTime, k.CandTime)
		}
	}
	if n := &r.Launched.Nodes[0]; !near(n.Base.Time, all[0]) || !near(n.Cand.Time, all[1]) {
		t.Errorf("all: got %g, %g, want %v", n.Base.Time, n.Cand.Time, all)
	}
}

// nodeOf is the node at the end of a path of names below the first.
func nodeOf(r *diff.Report, path ...string) *cause.LaunchedNode {
	at := 0
next:
	for _, name := range path {
		for i := range r.Launched.Nodes {
			if n := &r.Launched.Nodes[i]; n.In == at && n.Name == name {
				at = i
				continue next
			}
		}
		return nil
	}
	return &r.Launched.Nodes[at]
}

// TestLaunched: kernels are shared out as they were launched where that was looked at, also where only
// a side runs them, and what changed is seen in its place.
func TestLaunched(t *testing.T) {
	times := map[string]float64{"gemm": 80, "relu": 10, "nccl:AllReduce f32": 8, "adam": 5, "fill": 1, "new": 3}
	rows := append([]run.LaunchedRow{{Phase: run.Forward, In: "Linear", Kernel: "new", Time: 1, Launches: 1}}, launchedRows...)
	rows[2].Time = 70 // of 80, the forward pass as long as before
	r := difftest.Compare(launchedSet(0, launchedTimes, launchedRows), launchedSet(1, times, rows))
	checkLaunched(t, r)
	for _, tt := range []struct {
		path       []string
		base, cand float64 // ms
	}{
		{[]string{"forward", "Linear", "GEMM", "gemm"}, 10, 10}, {[]string{"backward", "MmBackward0", "GEMM", "gemm"}, 30, 70},
		{[]string{"backward", "", "communication", "nccl:AllReduce f32"}, 8, 8}, {[]string{"optimizer"}, 5, 5}, {[]string{"", "", "memory movement", "fill"}, 1, 1},
		{[]string{"forward", "Linear", "other", "new"}, 0, 3},
	} {
		n := nodeOf(r, tt.path...)
		if n == nil {
			t.Errorf("%q: no such node", tt.path)
		} else if math.Abs(n.Base.Time*1e3-tt.base) > 0.01*tt.base || math.Abs(n.Cand.Time*1e3-tt.cand) > 0.01*tt.cand {
			t.Errorf("%q: got %g, %g ms, want %g, %g", tt.path, n.Base.Time*1e3, n.Cand.Time*1e3, tt.base, tt.cand)
		}
	}
	var order []string
	for i := range r.Launched.Nodes {
		if n := &r.Launched.Nodes[i]; n.In == 0 {
			order = append(order, n.Name)
		}
	}
	if !slices.Equal(order, []string{"forward", "backward", "optimizer", ""}) {
		t.Errorf("the phases are %q", order)
	}
}

// TestLaunchedLevels: a level that a side's captures do not name is left out on both; without any,
// nothing is said; and ranks without launches are not known.
func TestLaunchedLevels(t *testing.T) {
	without := func(phase, in bool) []run.LaunchedRow {
		var out []run.LaunchedRow
		for _, row := range launchedRows {
			if !phase {
				row.Phase = ""
			}
			if !in {
				row.In = ""
			}
			out = append(out, row)
		}
		return run.TopLaunched(out)
	}
	for name, tt := range map[string]struct {
		cand   []run.LaunchedRow
		levels map[cause.LaunchedLevel]bool
	}{
		"phases alone": {without(true, false), map[cause.LaunchedLevel]bool{cause.LaunchedPhase: true}},
		"places alone": {without(false, true), map[cause.LaunchedLevel]bool{cause.LaunchedPlace: true}},
		"neither":      {without(false, false), nil},
		"nothing":      {nil, nil},
	} {
		r := difftest.Compare(launchedSet(0, launchedTimes, launchedRows), launchedSet(1, launchedTimes, tt.cand))
		if tt.levels == nil {
			if r.Launched.Nodes != nil || r.Launched.KnowsPhases != [2]bool{true, false} || r.Launched.KnowsPlaces != [2]bool{true, false} {
				t.Errorf("%s: got %+v", name, r.Launched)
			}
			continue
		}
		checkLaunched(t, r)
		for _, level := range []cause.LaunchedLevel{cause.LaunchedPhase, cause.LaunchedPlace} {
			has := false
			for i := range r.Launched.Nodes {
				has = has || r.Launched.Nodes[i].Level == level
			}
			if has != tt.levels[level] {
				t.Errorf("%s: level %s: %v", name, level, has)
			}
		}
	}
	half := launchedSet(1, launchedTimes, launchedRows)
	half.Runs[0].Ranks[1].Launched = nil
	r := difftest.Compare(launchedSet(0, launchedTimes, launchedRows), half)
	checkLaunched(t, r)
	if n := nodeOf(r, "optimizer"); n == nil || math.Abs(n.Cand.Time-n.Base.Time/2) > 0.01*n.Base.Time {
		t.Errorf("half of the ranks: got %+v", n)
	}
}

// TestLaunchedIsBounded: many kernels in many places have few nodes, and all of their time.
func TestLaunchedIsBounded(t *testing.T) {
	times, rows := map[string]float64{}, []run.LaunchedRow(nil)
	for i := range 60 {
		name := fmt.Sprint("k", i)
		times[name] = 0.1 + 0.01*float64(i)
		for j := range 12 {
			rows = append(rows, run.LaunchedRow{Phase: run.Phases[j%3], In: fmt.Sprint("op", (7*i+j)%90), Kernel: name, Time: int64(1 + i*j), Launches: 1})
		}
	}
	r := difftest.Compare(launchedSet(0, times, rows), launchedSet(1, times, rows))
	if n := len(r.Launched.Nodes); n > 1000 {
		t.Errorf("got %d nodes", n)
	}
	var leaves [2]float64
	for i := range r.Launched.Nodes {
		if n := &r.Launched.Nodes[i]; n.Level == cause.LaunchedKernel {
			leaves[0], leaves[1] = leaves[0]+n.Base.Time, leaves[1]+n.Cand.Time
		}
	}
	if all := &r.Launched.Nodes[0]; math.Abs(leaves[0]-all.Base.Time)+math.Abs(leaves[1]-all.Cand.Time) > 1e-8 {
		t.Errorf("got %v in kernels of %g, %g", leaves, all.Base.Time, all.Cand.Time)
	}
}
