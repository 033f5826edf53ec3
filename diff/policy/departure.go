package policy

import (
	"cmp"
	"maps"
	"slices"

	"perfdiff/analyze/run"
)

// DepartureKind says how a policy departs from the default; render/words puts it in words.
type DepartureKind string

// The ways in which a policy can depart from the default.
const (
	StepDoesNotGate  DepartureKind = "step-does-not-gate"
	OtherGating      DepartureKind = "gating"            // Names are the metrics
	OtherThreshold   DepartureKind = "threshold"         // Value counts; of the metric in Names, of all where that is empty
	MetricOnlyWarns  DepartureKind = "metric-only-warns" // Names is the metric
	Waives           DepartureKind = "waiver"            // Waiver
	RegressionPasses DepartureKind = "regression-passes" // it is no outcome that fails
	OtherFailures    DepartureKind = "fail-on"           // Names are the outcomes
	MayBeMissing     DepartureKind = "allow"             // Names are of Allowable
	CausesFail       DepartureKind = "gate-causes"
	OnlyWarns        DepartureKind = "warn-only"
	AsksForRuns      DepartureKind = "escalate"
	ComparesAll      DepartureKind = "force"
	OtherAlpha       DepartureKind = "alpha" // Value
	OtherFloor       DepartureKind = "floor" // Value, a fraction, and so are the three below
	OtherFewFloor    DepartureKind = "few-floor"
	OtherHostFloor   DepartureKind = "host-floor"
	OtherEqual       DepartureKind = "equivalence"
	MustBeEqual      DepartureKind = "require-equal"  // Names are facts
	LeavesOutKernels DepartureKind = "ignore-kernels" // Names are regular expressions
	StrictlyKernels  DepartureKind = "strict-kernels"
	ComparesPerWork  DepartureKind = "per-work"
	SaidBeside       DepartureKind = "beside" // Names is a clause of Policy.Beside
)

// Departure is one thing in which a policy is not the default.
type Departure struct {
	Kind   DepartureKind
	Names  []string // as the policy has them
	Value  float64  // a fraction; a threshold of the tail in events in 100 steps; 0 of the kinds without one
	Waiver *Waiver  // of Waives; nil else
}

// Departures returns what differs from the default, the most important first; nil: nothing does.
func (p Policy) Departures() []Departure {
	usual := DefaultPolicy()
	var out []Departure
	add := func(differs bool, kind DepartureKind, value float64, names ...string) {
		if differs {
			out = append(out, Departure{Kind: kind, Value: value, Names: names})
		}
	}
	add(!p.GatesStep(), StepDoesNotGate, 0)
	add(!slices.Equal(p.Gating, usual.Gating), OtherGating, 0, p.Gating...)
	out = append(out, p.ownThresholds(usual.Threshold)...)
	for i := range p.Waivers {
		out = append(out, Departure{Kind: Waives, Waiver: &p.Waivers[i]})
	}
	add(!p.FailsOn(Regressed), RegressionPasses, 0)
	add(len(p.FailOn) > 0 && !slices.Equal(p.FailOn, usual.FailOn), OtherFailures, 0, p.FailOn...)
	add(len(p.Allow) > 0, MayBeMissing, 0, p.Allow...)
	add(p.GateCauses, CausesFail, 0)
	add(p.WarnOnly, OnlyWarns, 0)
	add(p.Escalate, AsksForRuns, 0)
	add(p.Force, ComparesAll, 0)
	alpha := cmp.Or(p.Shared, p.Alpha)
	add(alpha != usual.Alpha, OtherAlpha, alpha)
	add(p.Floor != usual.Floor, OtherFloor, p.Floor)
	add(p.FewFloor != usual.FewFloor, OtherFewFloor, p.FewFloor)
	add(p.HostFloor != usual.HostFloor, OtherHostFloor, p.HostFloor)
	usual.Threshold = p.Threshold // from which it follows
	add(p.Equal() != usual.Equal(), OtherEqual, p.Equal())
	add(len(p.RequireEqual) > 0, MustBeEqual, 0, p.RequireEqual...)
	add(len(p.IgnoreKernels) > 0, LeavesOutKernels, 0, p.IgnoreKernels...)
	add(p.StrictKernels, StrictlyKernels, 0)
	add(p.PerWork, ComparesPerWork, 0)
	for _, clause := range p.Beside {
		add(true, SaidBeside, 0, clause)
	}
	return out
}

// ownThresholds returns the thresholds that a policy sets for single metrics, the step time first.
func (p Policy) ownThresholds(usual float64) []Departure {
	var out []Departure
	if p.Threshold != usual {
		d := Departure{Kind: OtherThreshold, Value: p.Threshold, Names: []string{run.StepTime}}
		if p.Rules[run.StepTime].Threshold > 0 {
			d.Names = nil // the step time has one of its own
		}
		out = append(out, d)
	}
	others := slices.DeleteFunc(slices.Sorted(maps.Keys(p.Rules)), func(metric string) bool { return metric == run.StepTime })
	for _, metric := range append([]string{run.StepTime}, others...) {
		r := p.Rules[metric]
		if r.Threshold > 0 {
			out = append(out, Departure{Kind: OtherThreshold, Value: r.Threshold, Names: []string{metric}})
		}
		if r.Level == LevelWarn {
			out = append(out, Departure{Kind: MetricOnlyWarns, Names: []string{metric}})
		}
	}
	return out
}
