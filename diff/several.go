package diff

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// Several are candidates that were compared with one baseline, and not with each other.
type Several struct {
	SchemaVersion string
	Tool          string
	Candidates    []*Report // in order of rank: the one with the shortest step first, what has no change of the step time last
	Given         []int     // of each of them, which of the candidates it is in the order in which they were given, from 0
	State         GateState // the worst of theirs
}

// CompareSeveral compares candidates with one baseline. Holm's rule covers the gating metrics of all of them, so that
// the chance of any false verdict is the same as for one comparison. base and options hold for each candidate the
// baseline that it is compared with, which past runs may have joined, and its options. The candidates must pass
// CheckSeveral.
func CompareSeveral(cands []*run.Set, policy policy.Policy, base []*run.Set, options []Options) *Several {
	families := make([]verdict.Family, len(cands))
	for i, cand := range cands {
		families[i] = judge(base[i], cand, policy, options[i]).Family
	}
	s := &Several{SchemaVersion: SchemaVersion, State: GatePassed}
	reports := make([]*Report, len(cands))
	for i, cand := range cands {
		opt := options[i]
		opt.beside = slices.Delete(slices.Clone(families), i, i+1)
		reports[i] = Compare(base[i], cand, policy, opt)
		s.Tool, s.Given = opt.Tool, append(s.Given, i)
		if slices.Index(severity, reports[i].Gate.State) > slices.Index(severity, s.State) {
			s.State = reports[i].Gate.State
		}
	}
	slices.SortStableFunc(s.Given, func(a, b int) int {
		x, y := reports[a], reports[b]
		return cmp.Or(compareNumbers(x.StepChange(), y.StepChange()), strings.Compare(x.About.Names[1], y.About.Names[1]), strings.Compare(x.Cand.Label, y.Cand.Label))
	})
	for _, i := range s.Given {
		s.Candidates = append(s.Candidates, reports[i])
	}
	return s
}

// compareNumbers orders numbers, NaN last.
func compareNumbers(a, b float64) int { return -cmp.Compare(-a, -b) }

// StepChange returns the estimated change of the step time, a fraction; NaN where there is none, or where the sides
// are not comparable.
func (r *Report) StepChange() float64 {
	step := verdict.MetricOf(r.Metrics, sides.StepTime.Metric)
	if step == nil || !step.Relative || !r.Judged || r.Outcome() == verdict.OutcomeNotComparable {
		return math.NaN()
	}
	return step.Estimate
}

// CheckSeveral returns an error if a baseline and candidates cannot share one page: names that are equal unless the
// user named them, one run in two candidates, or candidates that other programs recorded.
func CheckSeveral(base *run.Set, cands []*run.Set, named bool) error {
	var errs []error
	names := map[string]bool{base.Label: true}
	of := map[string]*run.Set{}
	for _, cand := range cands {
		if names[cand.Label] && !named {
			errs = append(errs, fmt.Errorf("%s: two run sets are called so, and nobody could tell them apart on one page "+
				"(name them, the baseline first: --names A,B,C)", cand.Label))
		}
		names[cand.Label] = true
		errs = append(errs, sharedRun(cand, of), otherRecorder(cand, cands[0]))
	}
	return errors.Join(errs...)
}

// sharedRun returns an error if a candidate holds the same file, by content, as an earlier one; of maps the digests of
// files to their candidates.
func sharedRun(cand *run.Set, of map[string]*run.Set) error {
	for _, digest := range sides.Digests(cand) {
		if other := of[digest]; other != nil && other != cand {
			return fmt.Errorf("%s: holds the same recording as %s: a run counts once (leave one of them out)", cand.Label, other.Label)
		}
		of[digest] = cand
	}
	return nil
}

// otherRecorder returns an error if candidates were recorded by different profilers: their order would show what
// profilers cost and count.
func otherRecorder(cand, first *run.Set) error {
	a, b := recorders(first), recorders(cand)
	if slices.Equal(a, b) {
		return nil
	}
	return fmt.Errorf("%s: was recorded by %s, and %s by %s: profilers cost and count differently, so that candidates cannot be "+
		"ranked (compare each with the baseline by itself)", cand.Label, strings.Join(b, " and "), first.Label, strings.Join(a, " and "))
}

// recorders returns the programs that wrote the files of a set, in order.
func recorders(set *run.Set) (out []string) {
	for _, f := range set.Files {
		if f.Err == "" && f.Format != run.FormatIgnored {
			out = append(out, cmp.Or(string(f.Profiler), f.Format, "an unknown program"))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
