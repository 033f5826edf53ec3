package history

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
	"perfdiff/diff/series"
	"perfdiff/diff/verdict"
)

// scale is what a metric is followed on: logs where all its values are positive, so that a change is a ratio; shares
// as they are; and a part of the step as a share of the first run's step, by which it matters.
type scale struct {
	logs  bool
	unit  float64 // what 1 on the scale is in the metric's unit; 1 of logs
	worse float64 // 1 where more is worse, else -1
	rule  series.Rule
}

// scaleOf chooses the scale for values of all runs; step is the first run's step time, NaN unknown.
func scaleOf(m *run.Metric, values []float64, step float64, p policy.Policy) scale {
	s := scale{unit: 1, worse: 1, rule: series.Rule{Z: series.OtherZ, Floor: p.Floor, Least: p.ThresholdOf(m.Name, p.Threshold)}}
	if m.Better == run.Higher {
		s.worse = -1
	}
	switch {
	case m.Name == run.StepTime || m.Name == run.StepTimeMean:
		s.logs, s.rule.Z = true, series.Default.Z
	case m.Name == run.Tail: // events in 100 steps
		s.rule.Floor, s.rule.Least = 1, p.ThresholdOf(m.Name, 1)
	case m.Unit == "ratio":
		s.rule.Floor = math.Max(verdict.RatioFloor, p.Floor)
	case m.PartOfStep && step > 0:
		s.unit = step
	case positive(values):
		s.logs = true
	default:
		s.unit = math.Max(firstOf(values), math.SmallestNonzeroFloat64)
	}
	return s
}

// put returns a value on the scale, on which more is worse; NaN stays.
func (s *scale) put(v float64) float64 {
	if s.logs {
		return s.worse * math.Log(v)
	}
	return s.worse * v / s.unit
}

// back returns the value of a place on the scale.
func (s *scale) back(v float64) float64 {
	if s.logs {
		return math.Exp(s.worse * v)
	}
	return s.worse * v * s.unit
}

// size returns a difference on the scale as a change: a share of what it changed from, or in the metric's unit.
func (s *scale) size(d float64) float64 {
	if s.logs {
		return math.Expm1(s.worse * d)
	}
	return s.worse * d * s.unit
}

func positive(values []float64) bool {
	return !slices.ContainsFunc(values, func(v float64) bool { return v <= 0 })
}

// firstOf returns the first value that is known and not zero, 0 if there is none.
func firstOf(values []float64) float64 {
	for _, v := range values {
		if v > 0 {
			return v
		}
	}
	return 0
}
