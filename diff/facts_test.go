package diff_test

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/difftest"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

func TestGapsAndCourses(t *testing.T) {
	base, cand := difftest.SetOf("a", difftest.Job{Ranks: difftest.UpTo(2), Steps: 10, Step: difftest.Constant(0.1)}), difftest.SetOf("b", difftest.Job{Ranks: difftest.UpTo(2), Steps: 5, Step: difftest.Constant(0.1)})
	for i, s := range []*run.Set{base, cand} {
		for k := range s.Runs[0].Ranks {
			r := &s.Runs[0].Ranks[k]
			r.Gaps.Counts[0], r.Gaps.Counts[3] = 20, int64(40*i)
			n := 1000 >> i
			r.Activity = run.Activity{Start: 5e7, Bin: diff.CourseBin << i, Busy: make([]uint8, n), Read: make([]float32, n), ReadSource: "file access events"}
			for j := range r.Activity.Busy {
				r.Activity.Busy[j], r.Activity.Read[j] = uint8(100+j%2), 65536
			}
		}
	}
	r := difftest.Compare(base, cand)
	if want := []cause.GapBin{{From: 0, To: verdict.Settled(run.Edge(1)), Base: 2, Cand: 4}, {From: verdict.Settled(run.Edge(1)), To: verdict.Settled(run.Edge(2)), Base: 0, Cand: 0}, {From: verdict.Settled(run.Edge(2)), To: verdict.Settled(run.Edge(3)), Base: 0, Cand: 0}, {From: verdict.Settled(run.Edge(3)), To: verdict.Settled(run.Edge(4)), Base: 0, Cand: 8}}; !slices.Equal(r.Gaps, want) {
		t.Errorf("gaps: got %v, want %v", r.Gaps, want)
	}
	c := r.Activity
	if want := float64(diff.CourseBin*2) * 1e-9; c.Bin != want || len(c.Base[0].Busy) != 500 || len(c.Cand[1].Busy) != 500 {
		t.Fatalf("courses: got bin %g, %d and %d bins", c.Bin, len(c.Base[0].Busy), len(c.Cand[1].Busy))
	}
	if got, want := c.Base[0].Busy[0], uint8(101); got != want { // 100.5 rounded
		t.Errorf("busy: got %d, want %d", got, want)
	}
	if got, want := float64(c.Base[0].Read[0]), 65536/65.536e-6; math.Abs(got-want) > 1 {
		t.Errorf("read: got %g B/s, want %g", got, want)
	}
	if got := c.Base[0].StepStarts; got[0] != 0.05 || c.Base[0].StepNumbers[0] != 1 {
		t.Errorf("step starts: got %v", got)
	}
}

func TestHostileCourse(t *testing.T) {
	base, cand := wide()
	for i, bin := range []int64{0, -1, 3, math.MaxInt64, 1 << 62} {
		base.Runs[0].Ranks[i].Activity.Bin = bin
	}
	r := difftest.Compare(base, cand)
	if got := len(r.Activity.Base); got != 1 {
		t.Errorf("got %d courses, want the one with a valid bin", got)
	}
}

func TestFacts(t *testing.T) {
	mk := func(world int, facts ...trace.Fact) *run.Set {
		return difftest.SetOf("x", difftest.Job{Ranks: difftest.UpTo(8), World: world, Steps: 12, Step: difftest.Constant(0.1), Facts: facts})
	}
	r := difftest.Compare(mk(8, trace.Fact{Key: trace.FactGPU, Value: "A"}, trace.Fact{Key: trace.FactDriver, Value: "1"}, trace.Fact{Key: trace.FactProfiler, Value: "x"}, trace.Fact{Key: trace.FactOS, Value: "l"}),
		mk(16, trace.Fact{Key: trace.FactGPU, Value: "B"}, trace.Fact{Key: trace.FactDriver, Value: "1"}, trace.Fact{Key: trace.FactProfiler, Value: "y"}))
	var got []string
	for _, d := range r.Differences {
		got = append(got, d.Name+" "+d.Class)
		if d.Why == "" {
			t.Errorf("%s: no reason", d.Name)
		}
	}
	if want := []string{"gpu invalidates", "world size invalidates", "os harmless", "profiler harmless"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if !slices.Contains(r.Same, trace.Fact{Key: trace.FactDriver, Value: "1"}) || !slices.Contains(r.Same, trace.Fact{Key: "format", Value: "nsys sqlite"}) {
		t.Errorf("same: got %v", r.Same)
	}
}

func TestWarnings(t *testing.T) {
	base, cand := wide()
	cand.Warnings = append(cand.Warnings, trace.Warning{File: "c", Text: "only here"})
	r := difftest.Compare(base, cand)
	want := []diff.Warning{
		{Warning: trace.Warning{Text: "one"}, Count: 4, First: "x"}, {Warning: trace.Warning{File: "z", Text: "two"}, Count: 2},
		{Side: "candidate", Warning: trace.Warning{File: "c", Text: "only here"}, Count: 1},
	}
	if !reflect.DeepEqual(r.Warnings, want) {
		t.Errorf("got %v, want %v", r.Warnings, want)
	}
}

func TestRunWithoutStepsIsLeftOut(t *testing.T) {
	good := difftest.Job{Ranks: difftest.UpTo(2), Steps: 20, Step: difftest.Steady(0.1, 0)}
	bad := difftest.Job{Name: "broken", Ranks: difftest.UpTo(2)}
	r := difftest.Compare(difftest.SetOf("a", good), difftest.SetOf("b", good, bad))
	if !r.Judged || len(r.Cand.Runs) != 1 || len(r.Warnings) != 1 || r.Warnings[0].Side != "candidate" {
		t.Errorf("got judged %v, runs %v, warnings %v", r.Judged, r.Cand.Runs, r.Warnings)
	}
}

func TestSizesDiffer(t *testing.T) {
	mk := func(world int, ranks ...int) *sides.Side {
		return sides.NewSide("x", difftest.SetOf("x", difftest.Job{Ranks: ranks, World: world, Steps: 3, Step: difftest.Constant(1)}))
	}
	for _, c := range []struct {
		name       string
		base, cand *sides.Side
		want       bool
	}{
		{"known and equal", mk(8, 0, 1), mk(8, 5), false},
		{"known and different", mk(8, 0, 1), mk(16, 0, 1), true},
		{"one known, fits", mk(8, difftest.UpTo(8)...), mk(0, 0, 7), false},
		{"one known, too many", mk(0, difftest.UpTo(9)...), mk(8, 0), true},
		{"one known, rank beyond", mk(8, 0), mk(0, 9), true},
		{"unknown, same ranks", mk(0, 0, 1, 2), mk(0, 0, 1, 2), false},
		{"unknown, a capture is missing", mk(0, difftest.UpTo(8)...), mk(0, 0, 1, 2, 4, 5, 6, 7), false},
		{"unknown, the last of eight is missing", mk(0, difftest.UpTo(8)...), mk(0, difftest.UpTo(7)...), false},
		{"unknown, the last of four is missing", mk(0, difftest.UpTo(4)...), mk(0, difftest.UpTo(3)...), true},
		{"unknown, half", mk(0, difftest.UpTo(16)...), mk(0, difftest.UpTo(8)...), true},
		{"one rank each, unnumbered", mk(0, -1), mk(0, 0), false},
		{"unnumbered, different", mk(0, -1, -1), mk(0, 0), true},
	} {
		if got := sides.SizesDiffer(c.base, c.cand); got.Differ() != c.want {
			t.Errorf("%s: got %+v, want %v", c.name, got, c.want)
		}
	}
}
