package cause

import (
	"cmp"
	"math"
	"sort"

	"perfdiff/analyze/order"
	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
	"perfdiff/diff/verdict"
)

// SideLevel is the change of level of a side: of its runs that have one, the one in the middle.
type SideLevel struct {
	*LevelChange `report:"level"`
	Side         string `report:"side"` // "baseline", "candidate"
	Run          string `report:"run"`
	Runs         int    `report:"runs"` // with a change of level, and all of the side
	OfRuns       int    `report:"of_runs"`
}

// LevelDetails describes a change of level on both sides.
type LevelDetails struct {
	Larger    SideLevel  `report:"larger"`     // that with the larger change
	Other     *SideLevel `report:"other"`      // of the other side; nil: its runs stay on one level
	OtherLine Line       `report:"other_line"` // how the other side goes then
}

// levelOf returns the change of level of a side; nil where no run has one.
func levelOf(s *sides.Side, list []Stability) *SideLevel {
	out := &SideLevel{Side: s.Name, OfRuns: len(list)}
	var all []Stability
	for _, c := range list {
		if c.Level != nil {
			all = append(all, c)
		}
	}
	if out.Runs = len(all); out.Runs == 0 {
		return nil
	}
	sort.SliceStable(all, func(i, j int) bool {
		a, b := &all[i], &all[j]
		return cmp.Compare(a.Level.Change, b.Level.Change) < 0
	})
	middle := order.Lower(all)
	out.LevelChange, out.Run = middle.Level, middle.Run
	return out
}

// most reports whether more than half of the runs have it.
func (l *SideLevel) most() bool { return l != nil && 2*l.Runs > l.OfRuns }

// levelFinding reports that the runs of a side change their level and those of the other do not, or by another amount.
// It is as sure as the test of the drift, which for such a run tests the size of the change; else it is worth a look.
func levelFinding(p *Causes) []Finding {
	c, step := verdict.MetricOf(p.Metrics, run.Drift), verdict.MetricOf(p.Metrics, sides.StepTime.Metric)
	b, d := levelOf(p.Base, p.Stability[0]), levelOf(p.Cand, p.Stability[1])
	if c == nil || step == nil || b == nil && d == nil {
		return nil
	}
	sure := c.Differs() && (b.most() || d.most())
	if !sure && b.most() == d.most() && b.most() {
		return nil // what all runs do at some step is no change between the sides
	}
	tells, other := d, b // the one that the sentence begins with: that with the larger change
	if d == nil || b.most() && !d.most() || b.most() == d.most() && b != nil && math.Abs(b.Change) > math.Abs(d.Change) {
		tells, other = b, d
	}
	rest, median := p.Cand, step.Cand
	if tells == d {
		rest, median = p.Base, step.Base
	}
	f := NewFinding(policy.KindLevelChange)
	f.Metric, f.Class, f.Section, f.Steps, f.Ranks = run.Drift, verdict.ClassLook, "steps", []int64{tells.Step}, tells.Ranks
	f.Unit, f.Delta, f.Lo, f.Hi = "s", tells.After-tells.Before, tells.Before*tells.Lo, tells.Before*tells.Hi
	if tells == b { // which the candidate does not do
		f.Delta, f.Lo, f.Hi = -f.Delta, -f.Hi, -f.Lo
	}
	f.Level = &LevelDetails{Larger: *tells, Other: other}
	if f.Advice, f.Evidence.Kind = tells.advice(), EvidenceLevel; other == nil {
		f.Level.OtherLine = meanLine(rest, median)
	}
	switch from, to := trendOf(c.Base), trendOf(c.Cand); {
	case !sure || from != grows && to != grows:
	case c.Delta > 0:
		f.Class = verdict.ClassWorse
	default:
		f.Class, f.Advice = verdict.ClassBetter, Advice{}
	}
	for _, l := range []*SideLevel{b, d} {
		if l.most() {
			f.Effect += float64(l.Cost * map[bool]float64{true: 1, false: -1}[l == d])
		}
	}
	return []Finding{f}
}

// meanLine returns how a side without a change of level goes, by the mean of its runs.
func meanLine(s *sides.Side, median float64) Line {
	var rises []float64
	for _, x := range verdict.LogCurves(s) {
		rises = append(rises, math.Expm1(stat.Rise(x).Value))
	}
	return line(s, sides.StepTime, median, trendOf(stat.Mean(rises)))
}

// advice returns what to look at: things that can change by themselves in the middle of a run.
func (l *SideLevel) advice() Advice {
	alone := len(l.Ranks) > 0 && !l.All
	clocks := verdict.ClockPair{Base: l.Clock[0], Cand: l.Clock[1]}
	switch {
	case l.AllKernels && clocks.Base > 0 && clocks.Cand > 0 && !clocks.Differ():
		return Advice{Kind: AdviceLevelCompute}
	case l.AllKernels && !l.MoreCalls && alone:
		return Advice{Kind: AdviceLevelSome}
	case l.AllKernels && !l.MoreCalls:
		return Advice{Kind: AdviceLevelClocks}
	}
	switch l.Part.Key {
	case run.Key{Metric: run.InputWaitTime}, run.Key{Metric: run.IdleTime, Part: "input"}:
		return Advice{Kind: AdviceLevelInput}
	case run.Key{Metric: run.ExposedTransferTime}, verdict.ExposedComm:
		return Advice{Kind: AdviceLevelLinks}
	case computing:
		return Advice{Kind: AdviceLevelCompute}
	}
	return Advice{Kind: AdviceLevelPart}
}

// Jump is a change of level that one side has and the other has not, where one number says little
// of the step.
type Jump struct {
	*SideLevel `report:"."`
	Rest       float64 `report:"other_side"`   // s, the median step of the other side
	Match      Match   `report:"matches"`      // of a jump in the baseline: which of its levels the candidate is on
	Alike      bool    `report:"alike_before"` // before the jump both sides take the same, but for what does not matter
	Alone      bool    `report:"one_side"`     // no run of the other side has a change of level
}

// Match says which levels of one side the other is on.
type Match string

// What a side can match.
const (
	MatchesBefore  Match = "before"
	MatchesAfter   Match = "after"
	MatchesNeither Match = "neither"
)

// Jump returns the jump between two levels by which the sides differ; nil where neither side's steps stand on two
// levels, or both do.
func (p *Causes) Jump(c *verdict.Comparison) *Jump {
	b, d := levelOf(p.Base, p.Stability[0]), levelOf(p.Cand, p.Stability[1])
	if !c.OfStepItself() || b.most() == d.most() {
		return nil
	}
	near := func(x, y float64) bool { return math.Abs(x-y) < p.Least() }
	if b.most() {
		j := &Jump{SideLevel: b, Rest: p.OtherStep, Match: MatchesNeither, Alone: d == nil}
		switch {
		case near(j.Rest, b.Before):
			j.Match = MatchesBefore
		case near(j.Rest, b.After):
			j.Match = MatchesAfter
		}
		return j
	}
	return &Jump{SideLevel: d, Rest: p.Step, Alike: near(d.Before, p.Step), Alone: b == nil}
}

// Worse reports whether the candidate jumped to a level on which its steps take longer than the
// baseline's, by what matters.
func (j *Jump) Worse(least float64) bool {
	return j != nil && j.Side == "candidate" && j.Change > 0 && j.After-j.Rest >= least
}

// Better reports the same of a level on which they take less.
func (j *Jump) Better(least float64) bool {
	return j != nil && j.Side == "candidate" && j.Change < 0 && j.Rest-j.After >= least
}
