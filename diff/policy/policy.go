package policy

import (
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"perfdiff/analyze/run"
)

// maxIgnored bounds the expressions of kernels to ignore. Chosen, not measured: each is tried on every name, and 4,000
// of them did not end within 25 s.
const maxIgnored = 100

// Policy holds the rules that decide. Shares are fractions, not percent.
type Policy struct {
	Gating []string        `report:"gating"` // metrics whose regression fails, at most MaxGating
	Rules  map[string]Rule `report:"rules"`  // by metric
	// Results are the metrics that gate beside Gating since the runs printed them: see WithResults.
	Results []string `report:"results,omitempty"`
	Waivers []Waiver `report:"waivers"` // regressions that are let through for a while
	// RequireEqual are facts by name ("driver", "gpu"); where one differs there
	// is no verdict. IgnoreKernels are regular expressions of kernels that are
	// left out of the table.
	RequireEqual  []string `report:"require_equal"`
	IgnoreKernels []string `report:"ignore_kernels"`
	// FailOn are outcomes that fail the gate, of Outcomes; WarnOnly lets them pass and
	// says so. Escalate asks for more runs where one or two a side look slower.
	FailOn []string `report:"fail_on"`
	// Allow are what may be missing, of Allowable, and the gate be judged all the same.
	Allow []string `report:"allow"`
	// GateCauses fails on what Report.Causes says, whatever the step time as a whole shows.
	GateCauses    bool    `report:"gate_causes"`
	WarnOnly      bool    `report:"warn_only"`
	Escalate      bool    `report:"escalate"`
	Alpha         float64 `report:"alpha"` // two-sided error of the interval: 0.05
	Shared        float64 // what Alpha is a share of, where several comparisons share it; 0: none do
	Threshold     float64 `report:"threshold"`        // smallest change that matters: 0.02
	StrictKernels bool    `report:"strict_kernels"`   // kernels stand out under any dependence only, by stat.Strict
	Force         bool    `report:"force"`            // compare what is not comparable, and say so
	PerWork       bool    `report:"per_work"`         // steps that do another amount of work are compared for the same: work: per-byte
	Equivalence   float64 `report:"equivalence,said"` // what counts as equal; 0: 3 %, and at least 1.5 times the threshold
	Floor         float64 `report:"floor"`            // assumed run-to-run standard deviation of a time: 0.015
	FewFloor      float64 `report:"few_floor"`        // the same with 3 to 9 steps: 0.05
	HostFloor     float64 `report:"host_floor"`       // the same of the step where no device work was recorded: 0.07
	// From names whose word it is: a file, "flags". Beside is what was said beside the
	// fields, such as which ranks are read, a clause each. Both are shown and decide nothing.
	From   []string `report:"line,said"`
	Beside []string
}

// Level says what a regression of a gating metric does.
type Level string

// The levels.
const (
	LevelFail Level = "fail" // the report's verdict is regressed
	LevelWarn Level = "warn" // it is shown
)

// Rule is what a policy says about one metric.
type Rule struct {
	Threshold float64 `report:"threshold"`      // smallest change that matters, a fraction, points or events in 100 steps; 0: the default
	Level     Level   `report:"level"`          // "": LevelFail
	Better    string  `report:"better"`         // "lower" or "higher", which must be the metric's own direction; "": that
	Unit      string  `report:"unit,omitempty"` // of a number that runs print, of run.ResultUnits; "": what it says itself
}

// DefaultPolicy returns the policy where nobody says otherwise. The error rates of its figures were simulated: with a
// floor of 1.5 % an unchanged job of one run a side fails in 0.1 % of cases where its runs differ by 1.3 % in all, and
// in 3.2 % where they differ by 2 % (golden/rates.txt, which package stat quotes). The floor of jobs without device
// work is measured: steps of real repeats of one on two shared cores differ by 6 to 7 % (golden/real.txt), where waits
// for input do not.
func DefaultPolicy() Policy {
	return Policy{Gating: DefaultGating(), FailOn: []string{Regressed}, Alpha: 0.05, Threshold: 0.02, Floor: 0.015, FewFloor: 0.05, HostFloor: 0.07}
}

// Equal returns the size of a change of the step time that counts as none.
func (p Policy) Equal() float64 { return p.EqualOf(1, p.Threshold) }

// EqualOf does what Equal does for a metric that is a share of the step, by a factor, and has a threshold of its own.
func (p Policy) EqualOf(share, threshold float64) float64 {
	if p.Equivalence > 0 {
		return p.Equivalence * share
	}
	return math.Max(defaultEqual*share, 1.5*threshold)
}

// defaultEqual is the size of a change of the step time that counts as none, a share: three runs a side show that for
// two thirds of unchanged pairs whose runs differ by 1 % (simulated, golden/rates.txt: unch.).
const defaultEqual = 0.03

// ThresholdOf returns the smallest change of a metric that matters; least where the policy does not set it.
func (p Policy) ThresholdOf(metric string, least float64) float64 {
	if t := p.Rules[metric].Threshold; t > 0 {
		return t
	}
	return least
}

// LevelOf returns what a regression of a metric does.
func (p Policy) LevelOf(metric string) Level {
	if p.Rules[metric].Level == LevelWarn {
		return LevelWarn
	}
	return LevelFail
}

// WaiverOf returns the waiver of a metric; nil: it has none.
func (p Policy) WaiverOf(metric string) *Waiver {
	for i := range p.Waivers {
		if p.Waivers[i].Metric == metric && metric != "" {
			return &p.Waivers[i]
		}
	}
	return nil
}

// Outcomes returns what Policy.FailOn can name besides FailKinds.
func Outcomes() []string {
	return []string{Regressed, SlowerKernel, "inconclusive", "missing-rank", "missing-file", "warning"}
}

// FailsOn reports whether an outcome, of Outcomes or FailKinds, fails the gate.
func (p Policy) FailsOn(outcome string) bool { return slices.Contains(p.FailOn, outcome) }

// Regressed is the outcome that a gating metric regressed.
const Regressed = "regressed"

// SlowerKernel is the outcome that a kernel takes longer, which fails only by a policy: the
// step as a whole did not become slower.
const SlowerKernel = "slower-kernel"

// CheckOutcome returns an error if Policy.FailOn cannot name this, and lists what it can name.
func CheckOutcome(name string) error {
	if slices.Contains(Outcomes(), name) || slices.Contains(FailKinds(), name) {
		return nil
	}
	return fmt.Errorf("%q is no outcome: choose of %s; or of the kinds of findings %s",
		name, strings.Join(Outcomes(), ", "), strings.Join(FailKinds(), ", "))
}

// Check says what is wrong with a policy before the long work starts. measured are the metrics that exist.
func (p Policy) Check(measured []run.Metric) error {
	gateable := Gateable(measured)
	for i, name := range p.Gating {
		if !slices.Contains(namesOf(gateable), name) && p.Rules[name].Better == "" { // which makes it a number that runs print
			return fmt.Errorf("%q cannot gate: choose of %s", name, strings.Join(namesOf(gateable), ", "))
		}
		if slices.Contains(p.Gating[:i], name) {
			return fmt.Errorf("%s is listed twice", name)
		}
	}
	if err := p.checkRules(gateable); err != nil {
		return err
	}
	for _, w := range p.Waivers {
		if w.Kind == "" && !slices.Contains(p.Gating, w.Metric) {
			return fmt.Errorf("a waiver of %q: it does not gate", w.Metric)
		}
	}
	if err := p.checkWaivers(); err != nil {
		return err
	}
	for _, name := range p.RequireEqual {
		if _, ok := FactEffects[name]; !ok {
			return fmt.Errorf("%q cannot be required to be equal: choose of %s", name, strings.Join(slices.Sorted(maps.Keys(FactEffects)), ", "))
		}
	}
	for _, name := range p.FailOn {
		if err := CheckOutcome(name); err != nil {
			return err
		}
	}
	for _, name := range p.Allow {
		if !slices.Contains(Allowable(), name) {
			return fmt.Errorf("%q cannot be allowed: choose of %s", name, strings.Join(Allowable(), ", "))
		}
	}
	if len(p.IgnoreKernels) > maxIgnored {
		return fmt.Errorf("%d kernels to ignore: there must be at most %d expressions (join them with |)", len(p.IgnoreKernels), maxIgnored)
	}
	for _, expr := range p.IgnoreKernels {
		if _, err := regexp.Compile(expr); err != nil {
			return fmt.Errorf("kernels to ignore: %w", err)
		}
	}
	if len(p.Gating) == 0 || len(p.Gating) > MaxGating {
		return fmt.Errorf("%d gating metrics: there must be 1 to %d", len(p.Gating), MaxGating)
	}
	for _, f := range []struct {
		name  string
		value float64
	}{{"threshold", p.Threshold}, {"equivalence", p.Equivalence}} {
		if !(f.value >= 0 && f.value < 1) {
			return fmt.Errorf("%s is %g: it must be a fraction from 0 to below 1", f.name, f.value)
		}
	}
	return p.checkBounds()
}
