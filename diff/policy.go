package diff

import (
	"fmt"
	"slices"
	"strings"
)

// DefaultPolicy is what decides where nobody says otherwise. The figures are
// those whose error rates were simulated: with a floor of 1.5 % an unchanged
// job of one run a side was called regressed in at most 3.2 % of cases.
func DefaultPolicy() Policy {
	return Policy{Gating: DefaultGating(), Alpha: 0.05, Threshold: 0.02, Equivalence: 0.03, Floor: 0.015, FewFloor: 0.05}
}

// thresholdOf is the smallest change of a metric that matters, least where the
// policy says nothing of it.
func (p Policy) thresholdOf(metric string, least float64) float64 {
	if t := p.Rules[metric].Threshold; t > 0 {
		return t
	}
	return least
}

func (p Policy) levelOf(metric string) Level {
	if p.Rules[metric].Level == LevelWarn {
		return LevelWarn
	}
	return LevelFail
}

// Check says what is wrong with a policy before the long work starts.
func (p Policy) Check() error {
	for i, name := range p.Gating {
		if !slices.Contains(Gateable(), name) {
			return fmt.Errorf("%q cannot gate: choose of %s", name, strings.Join(Gateable(), ", "))
		}
		if slices.Contains(p.Gating[:i], name) {
			return fmt.Errorf("%s is listed twice", name)
		}
	}
	if len(p.Gating) == 0 || len(p.Gating) > MaxGating {
		return fmt.Errorf("%d gating metrics: there must be 1 to %d", len(p.Gating), MaxGating)
	}
	if !(p.Alpha > 0 && p.Alpha < 1) {
		return fmt.Errorf("alpha is %g: it must lie between 0 and 1", p.Alpha)
	}
	for _, f := range []struct {
		name  string
		value float64
	}{{"threshold", p.Threshold}, {"equivalence", p.Equivalence}} {
		if !(f.value >= 0 && f.value < 1) {
			return fmt.Errorf("%s is %g: it must be a fraction from 0 to below 1", f.name, f.value)
		}
	}
	if !(p.Floor > 0 && p.Floor < 1 && p.FewFloor > 0 && p.FewFloor < 1) {
		return fmt.Errorf("noise floor is %g, %g with few steps: both must lie between 0 and 1", p.Floor, p.FewFloor)
	}
	return nil
}
