package verdict

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
)

const (
	// RatioFloor is the noise floor of shares, as a difference of fractions. Simulated: up to 2.8 %
	// of unchanged pairs fail where runs differ by as much as 2.5 points.
	RatioFloor = 0.02
	// nothing is how many times smaller than the candidate a baseline must be
	// for a percentage of it to say nothing.
	nothing = 1000
)

// Scale says on what scale a metric is tested and how to read the result.
type Scale struct {
	relative bool // the effect is a fraction of the baseline
	LogScale bool // values are tested as logs
	divisor  float64
	floor    float64 // noise between runs that is assumed
	hosts    float64 // noise between hosts that is assumed where each side has its own
	// threshold is the smallest change that matters, as a share of what the
	// scale counts in, before logs.
	threshold float64
	unit      float64 // what 1 on the scale is in the effect shown; logs ignore it
	ofRuns    bool    // a run has one value, which it printed
	limits    stat.Limits
}

// scaleFor chooses how a metric is tested.
//
// Values that are all positive are tested as logs, so that the effect is a ratio. Shares are tested as they are and
// their effect is in points. A metric that is zero in some steps has no logs: it is divided by the baseline's median,
// and the effect is a fraction of that. If the baseline is practically zero as well, a percentage would say nothing:
// the effect is in the metric's unit, and its threshold and floor are those of the baseline's step time (of the
// candidate's median for what is no time).
//
// A part of the step matters by its share of the step: if it is a tenth, a change by 20 % changes the step by 2 %. A
// part too small for that is measured in steps. How much runs differ in a part is another number (partNoise).
func (p *Terms) scaleFor(c *Comparison, base, cand [][]float64) Scale {
	floor, share := p.FloorFor(c.StepsUsed), p.shareOf(c)
	if c.Metric.Unit == "s" && !ofStep(c) && hostOnly(p.Lined) {
		floor = math.Max(floor, p.Policy.HostFloor)
	}
	if c.Metric.Noise == run.NoiseOfMemory {
		floor = memoryFloor
	}
	thr, both := p.Policy.ThresholdOf(c.Key.Metric, p.Policy.Threshold*share), p.shareOfBoth(c)
	noise := func(of float64) float64 { return floor }
	if ofStep(c) && p.Step > 0 {
		noise = func(of float64) float64 {
			return p.PartNoise(c.Metric.Noise, c.Base, c.Cand, p.Step, c.StepsUsed) / of
		}
	}
	ofLogs := p.logFloor(c, floor)
	s := Scale{relative: true, divisor: 1, unit: 1, floor: noise(math.Max(c.Base, c.Cand)), threshold: thr,
		limits: stat.Limits{Alpha: p.Policy.Alpha, Threshold: thr, Equivalence: p.Policy.EqualOf(both, p.Policy.ThresholdOf(c.Key.Metric, p.Policy.Threshold*both))}}
	switch {
	case c.Metric.Unit == "ratio":
		s.relative, s.floor = false, math.Max(RatioFloor, floor)
	case !(c.Base > 0) || c.Base*nothing < c.Cand || share > smallPart:
		if share > smallPart {
			s.threshold = thr / share
			s.limits.Threshold, s.limits.Equivalence = s.threshold, p.Policy.EqualOf(1, s.threshold)
		}
		s.relative, s.divisor = false, p.yardstick(c)
		s.unit, s.floor = s.divisor, noise(s.divisor)
	case positive(base) && positive(cand) && !(ofLogs > mostLog):
		s.LogScale, s.floor = true, ofLogs
		s.limits = s.limits.InLogs()
	default:
		s.divisor = c.Base
	}
	if c.Metric.Noise != run.NoiseOfMemory { // which is the same wherever a job runs
		s.hosts = s.floor / floor * hostFloor
	}
	return s
}

// smallPart is how many times smaller than the step a part must be to be
// measured in steps.
const smallPart = 3

// shareOf returns how many times longer the step is than a part of it; 1 for what is no part of it.
func (p *Terms) shareOf(c *Comparison) float64 {
	if !ofStep(c) || !(p.Step > 0) || !(c.Base > 0) {
		return 1
	}
	return math.Max(1, p.Step/c.Base)
}

// shareOfBoth returns shareOf for both sides together, where it must not matter which side is which.
func (p *Terms) shareOfBoth(c *Comparison) float64 {
	if !ofStep(c) || !(p.Step > 0) || !(c.Base > 0) || !(c.Cand > 0) || !(p.OtherStep > 0) {
		return p.shareOf(c)
	}
	return math.Max(1, math.Sqrt(p.Step/c.Base*p.OtherStep/c.Cand))
}

// ofStep reports whether a metric is a part of the step's time, or a part of such a part that the waterfall shows as
// well.
func ofStep(c *Comparison) bool {
	if c.Key.Part != "" {
		return c.Metric.PartsOfStep
	}
	return c.Metric.PartOfStep
}

// hostOnly reports whether all ranks recorded the host and no device work: such a job shares its processors with
// whatever else runs there.
func hostOnly(p *sides.Lined) bool {
	for _, s := range []*sides.Side{p.Base, p.Cand} {
		for k := range s.Set.EachRank() {
			if r := k.Recorded; r.Has(trace.HasDevice) || r == 0 {
				return false
			}
		}
	}
	return true
}

// yardstick returns the value that a change from zero is compared with.
func (p *Terms) yardstick(c *Comparison) float64 {
	if c.Metric.Unit == "s" && p.Step > 0 {
		return p.Step
	}
	if c.Cand > 0 {
		return c.Cand
	}
	return 1
}

// Apply puts curves on the scale of the test.
func (s Scale) Apply(rows [][]float64) [][]float64 {
	out := make([][]float64, len(rows))
	for i, row := range rows {
		out[i] = make([]float64, len(row))
		for j, v := range row {
			if s.LogScale {
				out[i][j] = math.Log(v)
			} else {
				out[i][j] = v / s.divisor
			}
		}
	}
	return out
}

// back reads a difference on the scale as an effect.
func (s Scale) back(v float64) float64 {
	if s.LogScale {
		return math.Expm1(v)
	}
	return v * s.unit
}

func positive(rows [][]float64) bool {
	return every(rows, func(v float64) bool { return v > 0 && !math.IsInf(v, 0) })
}

func allZero(rows [][]float64) bool { return every(rows, func(v float64) bool { return v == 0 }) }

// every reports whether something holds for every value.
func every(rows [][]float64, holds func(float64) bool) bool {
	for _, row := range rows {
		if slices.ContainsFunc(row, func(v float64) bool { return !holds(v) }) {
			return false
		}
	}
	return true
}

// sameCount reports whether a count is one number in every step of both sides: such is
// no measurement that could have come out otherwise.
func sameCount(c *Comparison, base, cand [][]float64) bool {
	if c.Metric.Unit != "1" {
		return false
	}
	return every(slices.Concat(base, cand), func(v float64) bool { return v == base[0][0] })
}
