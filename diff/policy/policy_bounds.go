package policy

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"perfdiff/analyze/run"
)

// The limits within which a policy can move what decides. Beyond them every change would pass, or none: at an error of
// 1e-7 an interval excludes nothing, and with a noise floor of half the step no single run could show that it doubled.
// Chosen, not measured: they keep out slips of the pen.
const (
	leastAlpha, mostAlpha = 0.001, 0.2
	mostFloor             = 0.1
)

// BetterOf returns the direction in which a metric that can gate is good, as policies write it.
func BetterOf(m run.Metric) string {
	if m.Better == run.Higher {
		return "higher"
	}
	return "lower"
}

// checkRules says which rule is of no metric that can gate, or turns its direction.
func (p Policy) checkRules(gateable []run.Metric) error {
	for _, metric := range slices.Sorted(maps.Keys(p.Rules)) {
		at := slices.IndexFunc(gateable, func(m run.Metric) bool { return m.Name == metric })
		switch {
		case at >= 0 && p.Rules[metric].Unit != "":
			return fmt.Errorf("%s has a unit of its own: leave unit out", metric)
		case at < 0 && p.Rules[metric].Better != "": // a number that runs print
			continue
		case at < 0:
			return fmt.Errorf("%q is no main metric: choose of %s; of a number that runs print, say which is better: {better: lower}",
				metric, strings.Join(namesOf(gateable), ", "))
		}
		if r, own := p.Rules[metric], BetterOf(gateable[at]); r.Better != "" && r.Better != own {
			return fmt.Errorf("%s is better when %s: a policy cannot turn that (leave better out)", metric, own)
		}
	}
	return nil
}

// checkBounds says which setting lies where it would decide everything by itself.
func (p Policy) checkBounds() error {
	if !(p.Alpha >= leastAlpha && p.Alpha <= mostAlpha) {
		return fmt.Errorf("alpha is %g: it must lie between %g and %g, as in 0.05", p.Alpha, leastAlpha, mostAlpha)
	}
	for _, floor := range []float64{p.Floor, p.FewFloor, p.HostFloor} {
		if !(floor > 0 && floor <= mostFloor) {
			return fmt.Errorf("noise floor is %g, %g with few steps, %g without device work: each must be above 0 and at most %g (learn more noise from past runs: --history)",
				p.Floor, p.FewFloor, p.HostFloor, mostFloor)
		}
	}
	return nil
}

// GatesStep reports whether the step time is among the gating metrics.
func (p Policy) GatesStep() bool { return slices.Contains(p.Gating, run.StepTime) }
