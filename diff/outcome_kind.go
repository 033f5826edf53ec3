package diff

import (
	"perfdiff/diff/cause"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
)

// A policy can let findings of a kind fail beside what fails by itself (Policy.FailOn), and
// a waiver can let them through for a while.

// forBetter reports whether a finding says that something got better, or that nothing changed. A finding that only
// asks for a look counts by its effect.
func forBetter(f *cause.Finding) bool {
	switch f.Class {
	case verdict.ClassWorse:
		return false
	case verdict.ClassLook:
	default:
		return true
	}
	switch {
	case f.Effect != 0:
		return f.Effect < 0
	case f.Kind == policy.KindWorkRate:
		return f.Delta > 0
	case f.NeedsRuns(), f.Kind == policy.KindKernelShift, f.Kind == policy.KindMemoryGrowth:
		return f.Delta < 0
	}
	return false
}

// ofKind returns how many findings of a kind are not for the better, including those for which the report has no room,
// and whether they fail: what single runs happen to be like counts only with enough runs a side to tell.
func (r *Report) ofKind(kind string) (n int, holds bool) {
	for _, list := range [][]cause.Finding{r.Findings, r.findingsLeftOut} {
		for i := range list {
			if f := &list[i]; string(f.Kind) == kind && !forBetter(f) {
				n, holds = n+1, holds || !r.FewRuns() || !f.NeedsRuns()
			}
		}
	}
	return n, holds
}

// failingKinds returns the kinds with findings that the policy makes fail, those for which there are too few runs to
// tell, and the waivers that let some through all the same.
func (r *Report) failingKinds() (failing, unsure []GateCause, waived []*policy.Waiver) {
	for _, kind := range policy.FailKinds() {
		n, holds := r.ofKind(kind)
		if n == 0 || !r.Policy.FailsOn(kind) {
			continue
		}
		if w := waiverOfKind(r.Policy, kind); w != nil {
			waived = append(waived, w)
		} else if holds {
			failing = append(failing, GateCause{Kind: CauseFindings, Name: kind, Count: n})
		} else {
			unsure = append(unsure, GateCause{Kind: CauseOfTheseRuns, Name: kind, Count: n})
		}
	}
	return failing, unsure, waived
}

// waiverOfKind returns the waiver of a kind of findings, nil where there is none.
func waiverOfKind(p policy.Policy, kind string) *policy.Waiver {
	for i := range p.Waivers {
		if w := &p.Waivers[i]; w.Kind != "" && string(w.Kind) == kind {
			return w
		}
	}
	return nil
}

// KindsLetThrough returns the waivers of kinds of findings that would have failed but for them.
func (r *Report) KindsLetThrough() []*policy.Waiver {
	_, _, waived := r.failingKinds()
	return waived
}
