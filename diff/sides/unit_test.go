package sides_test

import (
	"fmt"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/difftest"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// markedBy gives all ranks of a set the same marker.
func markedBy(set *run.Set, m run.Marker) *run.Set {
	for i := range set.Runs {
		for j := range set.Runs[i].Ranks {
			r := &set.Runs[i].Ranks[j]
			r.Receipts = []run.Receipt{{Marker: m.String(), By: m, Found: len(r.Steps), Kept: len(r.Steps)}}
		}
	}
	return set
}

// launching gives all ranks so many launches a step of each of ten kernels; of those
// that other names it is its own number.
func launching(set *run.Set, times float64, other map[int]float64) *run.Set {
	for i := range set.Runs {
		for j := range set.Runs[i].Ranks {
			r := &set.Runs[i].Ranks[j]
			for k := range 10 {
				values := make([]float64, len(r.Steps))
				for s := range values {
					if values[s] = times * float64(k+1); other[k] > 0 {
						values[s] = other[k]
					}
				}
				r.Series = append(r.Series, run.Series{Key: run.Key{Metric: sides.KernelLaunches, Part: fmt.Sprint("kernel", k)}, Values: values})
			}
		}
	}
	return set
}

func TestOtherUnit(t *testing.T) {
	steps := run.Marker{Kind: run.MarkNumbered, Name: "step N"}
	layers := run.Marker{Kind: run.MarkLaunch, Name: "gemm", Every: 1}
	side := func(times float64, m run.Marker, other map[int]float64) *run.Set {
		return launching(markedBy(twoRanks(30), m), times, other)
	}
	half := map[int]float64{0: 1, 1: 2, 2: 3}
	more := map[int]float64{0: 3, 1: 5, 2: 7.5, 3: 12, 4: 12}
	for _, tt := range []struct {
		name       string
		base, cand *run.Set
		reason     string
		says       string
	}{
		{"the same", side(1, steps, nil), side(1, steps, nil), verdict.ReasonNoise, ""},
		{"another marker", side(1, steps, nil), side(1, layers, nil), verdict.ReasonOtherSteps, `range "step N"`},
		{"twice as many of all kernels", side(1, steps, nil), side(2, steps, nil), verdict.ReasonOtherSteps, "times as often"},
		{"two or three times as many of all", side(1, steps, nil), side(2, steps, more), verdict.ReasonOtherSteps, "times as often"},
		{"half as many of all or fewer", side(2, steps, more), side(1, steps, nil), verdict.ReasonOtherSteps, "times as often"},
		{"more of all, one by a third", side(1, steps, nil), side(2, steps, map[int]float64{0: 3, 1: 5, 2: 7.5, 3: 12, 5: 8}), verdict.ReasonNoise, ""},
		{"twice as many of most", side(1, steps, half), side(2, steps, half), verdict.ReasonNoise, ""},
	} {
		r := diff.Compare(tt.base, tt.cand, policy.DefaultPolicy(), diff.Options{})
		if tt.reason == verdict.ReasonOtherSteps && (r.Judged || r.Reason != tt.reason || !strings.Contains(difftest.BasisOf(r), tt.says) || r.Outcome() != verdict.OutcomeNotComparable) {
			t.Errorf("%s: got judged %v, reason %s: %s", tt.name, r.Judged, r.Reason, difftest.BasisOf(r))
		}
		if tt.reason != verdict.ReasonOtherSteps && (!r.Judged || r.Reason == verdict.ReasonOtherSteps) {
			t.Errorf("%s: got judged %v, reason %s: %s", tt.name, r.Judged, r.Reason, difftest.BasisOf(r))
		}
		policy := policy.DefaultPolicy()
		policy.Force = true
		forced := diff.Compare(tt.base, tt.cand, policy, diff.Options{})
		if got := strings.HasPrefix(difftest.BasisOf(forced), "Judged only because of --force"); !forced.Judged || got != (tt.says != "") {
			t.Errorf("%s, forced: got judged %v: %s", tt.name, forced.Judged, difftest.BasisOf(forced))
		}
	}
}

// TestUnnumbered: launches have no numbers, and are paired by order only where there are
// as many on both sides.
func TestUnnumbered(t *testing.T) {
	launch := run.Marker{Kind: run.MarkLaunch, Name: "adam", Every: 1}
	for _, tt := range []struct {
		base, cand int
		m          run.Marker
		paired     bool
	}{
		{30, 30, launch, true}, {30, 31, launch, false}, {30, 31, run.Marker{Kind: run.MarkNumbered, Name: "step N"}, true},
	} {
		p := difftest.NewPair(markedBy(twoRanks(tt.base), tt.m), markedBy(twoRanks(tt.cand), tt.m), policy.DefaultPolicy())
		if p.Plan.Paired != tt.paired {
			t.Errorf("%d and %d steps by %s: got paired %v, want %v", tt.base, tt.cand, tt.m, p.Plan.Paired, tt.paired)
		}
	}
}

// twoRanks is a run of two ranks with so many steps of 100 ms.
func twoRanks(steps int) *run.Set {
	return difftest.SetOf("x", difftest.Job{Ranks: difftest.UpTo(2), World: 2, Steps: steps, Step: difftest.Steady(0.1, 1)})
}
