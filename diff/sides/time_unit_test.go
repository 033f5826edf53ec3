package sides_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/difftest"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
)

// kernelsOf gives each rank so many kernels, which take factor times what they usually do, but
// the last odd ones, which take what they do.
func kernelsOf(set *run.Set, kernels, odd int, factor float64) *run.Set {
	for i := range set.Runs[0].Ranks {
		r := &set.Runs[0].Ranks[i]
		for k := range kernels {
			f := factor
			if k >= kernels-odd {
				f = 1
			}
			r.Stats = append(r.Stats, run.Stat{Table: run.KernelTable, Name: fmt.Sprintf("kernel%d", k), Count: 60, Median: int64(float64(10_000*(k+1)) * f)})
		}
	}
	return set
}

// TestTimeUnit: times of two sides that are in another unit are not judged, and others are, however
// large the change is.
func TestTimeUnit(t *testing.T) {
	const same = 1
	of := func(level, factor float64, kernels, odd int) *run.Set {
		return kernelsOf(difftest.SetOf("x", difftest.Job{Ranks: difftest.UpTo(2), Steps: 30, Step: difftest.Steady(level*factor, level)}), kernels, odd, factor)
	}
	for _, tt := range []struct {
		name       string
		base, cand *run.Set
		refused    bool
	}{
		{"one unit", of(.1, same, 8, 0), of(.101, same, 8, 0), false},
		{"microseconds", of(.1, same, 8, 0), of(.101, .001, 8, 0), true},
		{"the other way round", of(.1, .001, 8, 0), of(.101, same, 8, 0), true},
		{"six of eight", of(.1, same, 8, 2), of(.101, 1000, 8, 2), true},
		{"five of eight", of(.1, same, 8, 3), of(.101, 1000, 8, 3), false},
		{"kernels rounded to nothing", of(.1, same, 8, 0), of(.101, 1e-6, 8, 0), true},
		{"thirty times", of(.1, same, 8, 0), of(.101, 30, 8, 0), false},
		{"kernels alone", of(.1, same, 8, 0), kernelsOf(of(.101, same, 0, 0), 8, 0, .001), false},
		{"steps alone, thousand times", of(.1, same, 0, 0), of(.101, 1000, 0, 0), true},
		{"steps alone, 300 times", of(.1, same, 0, 0), of(.101, 300, 0, 0), false},
	} {
		r := difftest.Compare(tt.base, tt.cand)
		refused := r.Reason == verdict.ReasonUnclear && difftest.HeadlineOf(r) == "No verdict: times of the two sides seem to be in different units."
		if refused != tt.refused || refused && (r.Judged || r.Gate.State != diff.GateNotJudged || !strings.Contains(difftest.Plain(difftest.BasisOf(r)), "as in another unit of time")) {
			t.Errorf("%s: got gate %s: %s %s", tt.name, r.Gate.State, difftest.HeadlineOf(r), difftest.BasisOf(r))
		}
		for i := range r.Findings {
			if f := &r.Findings[i]; refused && f.Class.Judges() {
				t.Errorf("%s: got finding %q", tt.name, difftest.TextOf(r, f))
			}
		}
		asked := policy.DefaultPolicy()
		asked.Force = true
		forced := diff.Compare(tt.base, tt.cand, asked, diff.Options{})
		if said := strings.Contains(difftest.BasisOf(forced), "Judged only because of --force: "); !forced.Judged || said != tt.refused {
			t.Errorf("%s, by force: got %s %s", tt.name, difftest.HeadlineOf(forced), difftest.BasisOf(forced))
		}
	}
}

// TestRankTimes: ranks of a side whose steps take several times as long as those of the others are
// not judged, where they wait for each other or no job explains it.
func TestRankTimes(t *testing.T) {
	for _, tt := range []struct {
		name   string
		odd    []int
		factor float64
		joined bool
		basis  string // "" it is judged
	}{
		{"one of four in microseconds", []int{2}, .001, true, "rank 2 take 0.10 ms and those of ranks 0-1, 3 take 100 ms, as in another unit of time"},
		{"likewise, and none communicates", []int{2}, .001, false, "as in another unit of time"},
		{"three of four", []int{0, 1, 2}, .001, true, "those of rank 3 take 100 ms, as in another unit of time"},
		{"one of four, five times", []int{3}, 5, true, "though these ranks wait for each other"},
		{"likewise, and none communicates", []int{3}, 5, false, ""},
		{"twice", []int{3}, 2, true, "of ranks 0-2 take 100 ms and those of rank 3 take 200 ms, though these ranks wait for each other"},
		{"likewise, and none communicates", []int{3}, 2, false, ""},
		{"a fifth longer", []int{3}, 1.2, true, "though these ranks wait for each other"},
		{"a fifth shorter, two of four", []int{0, 1}, .8, true, "though these ranks wait for each other"},
		{"a tenth longer, which the ends of 30 steps may be", []int{3}, 1.1, true, ""},
	} {
		times := func(rank, s int) float64 {
			if slices.Contains(tt.odd, rank) {
				return .1 * tt.factor
			}
			return .1
		}
		j := difftest.Job{Ranks: difftest.UpTo(4), Steps: 30, Step: difftest.Steady(.1, 1)}
		base := difftest.SetOf("base", j)
		j.Step = times
		cand := difftest.SetOf("cand", j)
		if tt.joined {
			communicate(base)
			communicate(cand)
		}
		for _, side := range []string{"Candidate", "Baseline"} {
			r := difftest.Compare(base, cand)
			refused := r.Reason == verdict.ReasonUnclear && difftest.HeadlineOf(r) == "No verdict: step times of ranks differ more than they can."
			if refused != (tt.basis != "") || refused && (r.Judged || r.Gate.State != diff.GateNotJudged || !strings.Contains(difftest.Plain(difftest.BasisOf(r)), tt.basis) || !strings.HasPrefix(difftest.BasisOf(r), side)) {
				t.Errorf("%s, %s: got gate %s: %s %s", tt.name, side, r.Gate.State, difftest.HeadlineOf(r), difftest.Plain(difftest.BasisOf(r)))
			}
			base, cand = cand, base
		}
	}
}

// TestRankTimesOfOwnEnds: what a rank does between its steps may be what others wait for in theirs.
func TestRankTimesOfOwnEnds(t *testing.T) {
	for _, ends := range []string{"", run.OwnEnds} {
		j := difftest.Job{Ranks: difftest.UpTo(4), Steps: 30, Step: func(rank, _ int) float64 { return .1 + .03*float64(rank/3) }}
		marker := run.Marker{Kind: run.MarkNumbered, Name: "step N"}
		base, cand := markedBy(difftest.SetOf("base", j), marker), markedBy(difftest.SetOf("cand", j), marker)
		for _, set := range []*run.Set{base, cand} {
			communicate(set)
			for i := range set.Runs[0].Ranks {
				set.Runs[0].Ranks[i].Receipts[0].Marker += ends
			}
		}
		if r := difftest.Compare(base, cand); (r.Reason == verdict.ReasonUnclear) != (ends == "") {
			t.Errorf("ends %q: got %s %s", ends, difftest.HeadlineOf(r), difftest.Plain(difftest.BasisOf(r)))
		}
	}
}

// TestRankTimesOfReplicas: ranks whose groups are known to have no member in common do not wait for
// each other.
func TestRankTimesOfReplicas(t *testing.T) {
	group := func(size int, ranks ...int) run.Group { return run.Group{Ranks: ranks, Size: size} }
	for _, tt := range []struct {
		name    string
		groups  []run.Group
		refused bool
	}{
		{"none recorded", nil, true},
		{"two replicas", []run.Group{group(2, 0, 1), group(2, 2, 3)}, false},
		{"likewise, joined by a group", []run.Group{group(2, 0, 1), group(2, 2, 3), group(2, 1, 2)}, true},
		{"likewise, joined first", []run.Group{group(2, 1, 2), group(2, 0, 1), group(2, 2, 3)}, true},
		{"members that are not known", []run.Group{group(4, 0, 1), group(4, 2, 3)}, true},
		{"one of which is known", []run.Group{group(2, 0, 1), group(4, 2, 3)}, false},
		{"one with ranks of either pace", []run.Group{group(3, 0, 1, 2)}, true},
		{"two ranks without", []run.Group{group(2, 0, 1)}, false},
		{"two ranks without, of either pace", []run.Group{group(2, 0, 2)}, true},
	} {
		j := difftest.Job{Ranks: difftest.UpTo(4), Steps: 30, Step: difftest.Steady(.1, 1)}
		base := difftest.SetOf("base", j)
		j.Step = func(rank, _ int) float64 { return .1 + .1*float64(rank/2) }
		cand := difftest.SetOf("cand", j)
		communicate(base)
		communicate(cand)
		cand.Runs[0].Groups = tt.groups
		if r := difftest.Compare(base, cand); (r.Reason == verdict.ReasonUnclear) != tt.refused {
			t.Errorf("%s: got %s %s", tt.name, difftest.HeadlineOf(r), difftest.Plain(difftest.BasisOf(r)))
		}
	}
}

// TestDeviceClock: a device that takes less time for the steps than the host that launches them has a
// clock that is off.
func TestDeviceClock(t *testing.T) {
	for _, tt := range []struct {
		name    string
		host    float64 // of the device's steps
		steps   int
		ranks   int     // that are so
		base    float64 // likewise, of all ranks of the baseline
		refused bool
	}{
		{"alike", 1, 30, 4, 1, false},
		{"the host runs ahead", .2, 30, 4, 1, false},
		{"the device takes a fifth less", 1.25, 30, 4, 1, true},
		{"on three of four ranks", 1.25, 30, 3, 1, true},
		{"on two of four", 1.25, 30, 2, 1, false},
		{"over few steps", 1.25, 8, 4, 1, false},
		{"by two steps of thirty", 1.07, 30, 4, 1, false},
		{"and in the baseline", 1.25, 30, 4, 1.23, false},
		{"and more of it in the baseline", 1.25, 30, 4, 1.5, true},
	} {
		j := difftest.Job{Ranks: difftest.UpTo(4), Steps: tt.steps, Step: difftest.Steady(.1, 1)}
		marker := run.Marker{Kind: run.MarkNumbered, Name: "step N"}
		base, cand := markedBy(difftest.SetOf("base", j), marker), markedBy(difftest.SetOf("cand", j), marker)
		hosted := func(set *run.Set, i int, host float64) {
			r := &set.Runs[0].Ranks[i]
			r.Series = append(r.Series, run.Series{Key: run.Key{Metric: run.HostStepTime}, Values: slices.Repeat([]float64{.1 * host}, len(r.Steps))})
		}
		for i := range cand.Runs[0].Ranks {
			hosted(base, i, tt.base)
			if i < tt.ranks {
				hosted(cand, i, tt.host)
			} else {
				hosted(cand, i, 1)
			}
		}
		r := difftest.Compare(base, cand)
		refused := r.Reason == verdict.ReasonUnclear && difftest.HeadlineOf(r) == "No verdict: clocks of host and device run at different rates."
		if refused != tt.refused || refused && (r.Judged || r.Gate.State != diff.GateNotJudged ||
			!strings.Contains(difftest.Plain(difftest.BasisOf(r)), fmt.Sprintf("Candidate: steps of %d of 4 ranks take 100 ms on the device and 125 ms on the host", tt.ranks))) {
			t.Errorf("%s: got gate %s: %s %s", tt.name, r.Gate.State, difftest.HeadlineOf(r), difftest.Plain(difftest.BasisOf(r)))
		}
	}
}

// communicate gives all ranks some communication in each step.
func communicate(set *run.Set) {
	for i := range set.Runs[0].Ranks {
		r := &set.Runs[0].Ranks[i]
		r.Series = append(r.Series, run.Series{Key: run.Key{Metric: run.CommTime}, Values: slices.Repeat([]float64{.001}, len(r.Steps))})
	}
}
