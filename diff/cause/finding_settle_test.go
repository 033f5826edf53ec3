package cause_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/difftest"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
)

// found is the first finding of a kind, those without room included; nil of none.
func found(r *diff.Report, kind policy.Kind) *cause.Finding {
	i := slices.IndexFunc(r.Findings, func(f cause.Finding) bool { return f.Kind == kind })
	if i < 0 {
		return nil
	}
	return &r.Findings[i]
}

// TestBetterAndWorseAreTested: of every kind that can be made up, a finding that judges has an
// interval which leaves out zero and lies around the number that is shown.
func TestBetterAndWorseAreTested(t *testing.T) {
	judged := 0
	pairs := madeUp()
	pairs["late"] = [2]*run.Set{lateSet(1, "compute"), lateSet(1, "compute", 3)}
	for kind, pair := range pairs {
		for _, back := range []bool{false, true} {
			if back {
				pair = [2]*run.Set{pair[1], pair[0]}
			}
			r := difftest.Compare(pair[0], pair[1])
			for i := range r.Findings {
				f := &r.Findings[i]
				c := f.Change()
				if !f.Class.Judges() {
					continue
				}
				if judged++; !(c.Lo > 0 || c.Hi < 0) || !(c.Lo <= c.Estimate && c.Estimate <= c.Hi) || f.NeedsRuns() {
					t.Errorf("%s: %s is %s by %g (%g to %g), one run per side", kind, f.Kind, f.Class, c.Estimate, c.Lo, c.Hi)
				}
			}
		}
	}
	if judged < 5 {
		t.Errorf("only %d findings judge", judged)
	}
}

// runsOf are several runs of one rank each, whose steps take 100 ms, with spikes of 200 ms at the
// given places of each.
func runsOf(label string, spikes ...[]int) *run.Set {
	var jobs []difftest.Job
	for i, at := range spikes {
		w := difftest.NoisySteps(.1, .002, uint64(i+1)+uint64(len(label)*100))
		jobs = append(jobs, difftest.Job{Ranks: difftest.UpTo(1), Steps: 60, Step: func(rank, s int) float64 {
			if slices.Contains(at, s) {
				return .3
			}
			return w(rank, s)
		}})
	}
	return difftest.SetOf(label, jobs...)
}

// TestSpikesAreRates: spikes of eight runs are not counted against those of one, and one run that
// has far more of them than any of eight is not hidden behind those. What is shown is the
// difference of both sides' means over runs.
func TestSpikesAreRates(t *testing.T) {
	eight := func(spikes ...[]int) *run.Set {
		return runsOf("main", append(spikes, make([][]int, 8-len(spikes))...)...)
	}
	some := [][]int{{7, 31}, {12}, {50, 55}, {}, {3}}
	many := []int{4, 9, 17, 20, 28, 33, 41, 46, 52}
	for _, tt := range []struct {
		name       string
		base, cand *run.Set
		class      verdict.Class
		delta      float64
	}{
		{"some of eight runs against a quiet one", eight(some...), runsOf("pr", nil), verdict.ClassNone, 0},
		{"the same the other way round", runsOf("pr", nil), eight(some...), verdict.ClassNone, 0},
		{"one run full of them against some of eight", eight(some...), runsOf("pr", many), verdict.ClassWorse, 9*.2/60 - 6*.2/60/8},
		{"and back", runsOf("pr", many), eight(some...), verdict.ClassBetter, -9*.2/60 + 6*.2/60/8},
	} {
		r := difftest.Compare(tt.base, tt.cand)
		f := found(r, policy.KindSpike)
		switch {
		case tt.class == verdict.ClassNone && (f == nil || f.Class == verdict.ClassLook): // a stall or two is told
		case f == nil || f.Class != tt.class || !(f.Delta > tt.delta-.001 && f.Delta < tt.delta+.001) || f.Delta != f.Cand-f.Base:
			t.Errorf("%s: got %+v", tt.name, f)
		}
	}
}

// times is a set with so many runs like the one of a set.
func times(n int, set func() *run.Set) *run.Set {
	out := set()
	for i := range n - 1 {
		more := set()
		more.Runs[0].Name = fmt.Sprint("more", i)
		out.Runs = append(out.Runs, more.Runs[0])
	}
	return out
}

// TestFailOnNeedsRuns: a straggler fails a build that names the kind where three runs per side show it.
// One run per side says what these two were like: it is said, and fails nothing.
func TestFailOnNeedsRuns(t *testing.T) {
	p := policy.DefaultPolicy()
	p.FailOn, p.Gating = []string{"straggler"}, []string{run.StepTime}
	for runs, want := range map[int]struct {
		state diff.GateState
		class verdict.Class
		said  string
	}{
		1: {diff.GatePassed, verdict.ClassLook, "Gate: passed. A finding of the kind straggler is about these runs alone and no reason to fail: three runs per side would tell whether that holds."},
		2: {diff.GatePassed, verdict.ClassWorse, "Gate: passed. A finding of the kind straggler is about these runs alone and no reason to fail: three runs per side would tell whether that holds."},
		3: {diff.GateFailed, verdict.ClassWorse, "Gate: failed. A finding of the kind straggler fails by the policy."},
	} {
		base, cand := times(runs, func() *run.Set { return lateSet(1, "") }), times(runs, func() *run.Set { return lateSet(1, "compute", 3) })
		r := diff.Compare(base, cand, p, diff.Options{})
		f := found(r, policy.KindStraggler)
		if said := difftest.Plain(difftest.GateLineOf(r)); f == nil || f.Class != want.class || r.Gate.State != want.state || said != want.said {
			t.Errorf("%d runs per side: %s, %q, %+v", runs, r.Gate.State, said, f)
		}
		if f != nil && strings.Contains(difftest.Shown(r, f).Evidence, "of these two runs alone") != (runs == 1) {
			t.Errorf("%d runs per side: stands on %q", runs, difftest.Shown(r, f).Evidence)
		}
	}
}

// TestSharedSpikesBesideOwn: slow steps that both sides have are compared also where a side has one of its own.
func TestSharedSpikesBesideOwn(t *testing.T) {
	side := func(label string, shared float64, own ...int) *run.Set {
		w := difftest.NoisySteps(.1, .002, uint64(len(label)))
		return difftest.One(60, 0, func(rank, s int) float64 {
			switch {
			case s%20 == 10:
				return shared
			case slices.Contains(own, s):
				return .3
			}
			return w(rank, s)
		})
	}
	for _, own := range [][]int{nil, {25}} {
		for _, sides := range [][2]*run.Set{{side("base", .3), side("cand", .8, own...)}, {side("base", .3, own...), side("cand", .8)}} {
			r := difftest.Compare(sides[0], sides[1])
			if f := found(r, policy.KindSharedSpike); f == nil || math.Abs(f.Delta-.025) > .001 {
				t.Errorf("beside its own at %v: got %v", own, kindsOf(r))
			}
		}
	}
}
