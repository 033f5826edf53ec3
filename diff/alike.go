package diff

import (
	"slices"

	"perfdiff/diff/cause"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
)

// Two sides that were not recorded alike, or not on the same machines, can differ by that alone. It
// is looked for before anything is compared, and said beside the verdict.

// Unlike names a way in which the sides are not alike that may be the whole reason why they differ.
type Unlike string

// The kinds; render/words says them.
const (
	UnlikeNodes    Unlike = "nodes"    // they ran on other hosts, and nothing says what hosts differ by
	UnlikeMachines Unlike = "machines" // their machines differ in something that takes time
	UnlikeRecorded Unlike = "recorded" // their profilers did other things, which take time themselves
)

// unlike returns the ways in which the sides are not alike. Several runs a side are on enough machines to show what
// these differ by, as far as the test between runs sees it. The cost of a profiler is the same in all runs, and only
// runs without a profiler show it.
func unlike(p *cause.Causes) (out []Unlike) {
	single := min(len(p.Base.Runs), len(p.Cand.Runs)) < 2
	for _, d := range p.Differences {
		switch {
		case d.Class != policy.ClassLook:
		case d.Name == policy.Hosts && single:
			out = append(out, UnlikeNodes)
		case d.Why.OfMachine() && single:
			out = append(out, UnlikeMachines)
		case d.Why.TakesTime() && !p.Unprofiled.Enough():
			out = append(out, UnlikeRecorded)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Looks returns the differences between the sides to look at before believing the verdict, first those that hold it
// back. Missing ranks are reported elsewhere.
func (r *Report) Looks() (out []verdict.Difference) {
	var rest []verdict.Difference
	for _, d := range r.Differences {
		switch {
		case d.Class != policy.ClassLook || d.Why == policy.RanksOfBoth:
		case d.Why.OfMachine() || d.Why.TakesTime():
			out = append(out, d)
		default:
			rest = append(rest, d)
		}
	}
	return append(out, rest...)
}

// failed returns the gate of causes that fail a build. If the sides are not alike, longer times fail nothing: that
// needs runs on the same machines, recorded alike.
func (r *Report) failed(causes []GateCause) Gate {
	untimed := func(c GateCause) bool {
		return !slices.Contains([]GateCauseKind{CauseRegressed, CauseSlowerKernel, CauseFindings, CausePart}, c.Kind)
	}
	if !r.holdsBack() || slices.ContainsFunc(causes, untimed) {
		return Gate{GateFailed, causes}
	}
	state := GateNotJudged
	if r.Headline.AsksForRuns {
		state = GateMoreRuns
	}
	return Gate{state, append(causes, r.notAlike())}
}

// FewRuns reports whether more runs a side could decide what these do not.
func (r *Report) FewRuns() bool { return min(len(r.Base.Runs), len(r.Cand.Runs)) < verdict.EnoughRuns }

// holdsBack reports whether no slowdown fails the build, since the sides are not alike and the policy
// does not judge all the same.
func (r *Report) holdsBack() bool { return len(r.Headline.Unlike) > 0 && !r.Policy.Force }

// notAlike returns the cause of a gate for sides that are not alike.
func (r *Report) notAlike() GateCause { return GateCause{Kind: CauseNotAlike, Headline: &r.Headline} }
