package verdict

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
)

// Judged is what is said of two sides: every metric and part compared, and which of that
// is certain.
type Judged struct {
	*sides.Lined
	Policy        policy.Policy
	Past          *Past // nil: no history
	History       []PastRun
	Level         *CurrentLevel // what the baseline was joined from; nil: it is as it was given
	Elsewhere     Elsewhere     // how the pair's place is another one than the past runs', so that their noise says too little
	tested        map[run.Key]Tested
	between       map[run.Key]func(sd float64) stat.Effect // the effects if runs differed by sd
	Lost          []LostGate                               // gating metrics that are not judged since a side lacks them
	Unequal       []Unequal                                // what differs and must not
	ForcedUnequal []Unequal                                // the same, where it is compared all the same
	shared        *Shared                                  // what all reasons may name; nil: none is given yet
	Moving        bool                                     // the step time changes over runs whose steps are not paired
	Step          float64                                  // the baseline's median step time, s; NaN unknown
	OtherStep     float64                                  // the candidate's, likewise
	Untold        Untold                                   // why kinds of work are not compared

	Metrics      []Comparison // main metrics, in the order of the metric list
	Parts        []Comparison // by collective, direction, … and metrics that are no main ones
	Descriptions []run.Metric // of every metric that occurs above
	Gate         Comparison   // the metric that speaks for the report
	Differences  []Difference // facts that differ between the sides
	Same         []trace.Fact // facts that are equal on both sides
}

// Undecided are two sides of which nothing is said yet.
func Undecided(lined *sides.Lined, policy policy.Policy) *Judged {
	return &Judged{Lined: lined, Policy: policy, tested: map[run.Key]Tested{}, between: map[run.Key]func(float64) stat.Effect{},
		Step: math.NaN(), OtherStep: math.NaN()}
}

// Of compares every metric and part of two sides with each other and says what is
// certain, in the light of past runs. level says which runs of the baseline are among them.
func Of(lined *sides.Lined, policy policy.Policy, history []*run.Set, level *CurrentLevel) *Judged {
	p := Undecided(lined, policy)
	p.Level = level
	p.Past, p.History = p.NewPast(history)
	p.Elsewhere = p.OtherPlace()
	p.DecideAll()
	p.Lost = p.lostGates(p.Metrics)
	p.Differences, p.Same = p.Facts()
	p.requireEqual()
	return p
}

// DecideAll compares what there is with each other and says what of it is certain.
func (p *Judged) DecideAll() {
	metrics := MergedMetrics(p.Base.Set.Metrics, p.Cand.Set.Metrics)
	if p.Descriptions = metrics; Stepless(p.Lined) {
		p.Untold = p.kinds()
		p.Gate = p.NoSteps()
	} else {
		p.Step, p.OtherStep = p.Typical(p.Base.Measure(sides.StepTime)), p.Typical(p.Cand.Measure(sides.StepTime))
		p.Untold = p.kinds()
		p.compareAll(metrics)
		p.setEffectTrend(p.Metrics)
		p.Gate = p.SetGate(p.Metrics)
		p.markSlight(p.Metrics, p.Parts)
	}
}

// compareAll compares all metrics of either side and their parts, and the shapes of curves.
func (p *Judged) compareAll(metrics []run.Metric) {
	if !slices.ContainsFunc(metrics, func(m run.Metric) bool { return m.Name == sides.StepTime.Metric }) {
		metrics = slices.Insert(metrics, 0, stepMetric)
	}
	for _, m := range metrics {
		for _, key := range p.keys(m) {
			c := p.Compare(key, m)
			if p.unheard(m, &c) {
				continue
			}
			if m.Main && key.Part == "" {
				p.Metrics = append(p.Metrics, c)
			} else if c.Runs != [2]int{} {
				p.Parts = append(p.Parts, c)
			}
		}
	}
	main, detail := p.Shape()
	p.Metrics, p.Parts = append(p.Metrics, main...), append(p.Parts, detail...)
	for _, c := range slices.Concat(main, detail) {
		metrics = append(metrics, c.Metric)
	}
	p.Descriptions = metrics
}

// Stepless reports whether the sides have no step to compare. What needs none, a call, a
// second, the capture, is described then and never judged.
func Stepless(p *sides.Lined) bool {
	return p.Plan.Steps == 0 || len(p.Base.Runs) == 0 || len(p.Cand.Runs) == 0
}

// Part is what was compared under a key that is no main metric's; nil: nothing was.
func (p *Judged) Part(key run.Key) *Comparison {
	for i := range p.Parts {
		if p.Parts[i].Key == key {
			return &p.Parts[i]
		}
	}
	return nil
}

// Tested is an effect with the limits that it was held against.
type Tested struct {
	stat.Effect
	stat.Limits
	back      func(float64) float64 // from the scale of the test to that shown
	deviation func(float64) float64 // the same of a deviation between runs
}

// Compare judges one series.
func (p *Judged) Compare(key run.Key, metric run.Metric) Comparison {
	base, cand := p.Base.Measure(key), p.Cand.Measure(key)
	c := Comparison{
		Key: key, Metric: metric,
		Source: Source(base.Sources, cand.Sources),
		Base:   p.Typical(base), Cand: p.Typical(cand), BaseMean: base.Mean, CandMean: cand.Mean,
		Estimate: math.NaN(), Lo: math.NaN(), Hi: math.NaN(), Relative: metric.Unit != "ratio",
		Threshold: p.Policy.Threshold, Detectable: math.NaN(), Shown: math.NaN(),
		WithinLo: math.NaN(), WithinHi: math.NaN(), Tipping: math.NaN(), FirstStep: math.NaN(), LastStep: math.NaN(),
		P:    math.NaN(),
		Runs: [2]int{len(base.Rows), len(cand.Rows)}, Ranks: [2]int{sides.Middle(base.Ranks), sides.Middle(cand.Ranks)},
	}
	c.Delta = c.Cand - c.Base
	if p.Untold.HoldsUnknown(key.Metric) && key.Part == "" {
		c.Holds = "unknown"
	}
	for i, s := range []struct {
		of *sides.Side
		sides.Measured
	}{{p.Base, base}, {p.Cand, cand}} {
		if len(s.Rows) == 0 {
			c.NotRecorded[i] = p.Needs(s.of, metric)
		}
	}
	if c.NotRecorded != [2]Need{} {
		c.Reason = ReasonNotRecorded
		return p.explain(c)
	}
	rowsB, rowsC, steps := p.answered(base.Rows, cand.Rows)
	c.StepsUsed = steps
	p.setMeanApart(&c, base, cand)
	if steps < sides.MinSteps {
		c.Reason = ReasonTooFewSteps
		return p.explain(c)
	}
	kinds := sides.AnsweredKinds(slices.Concat(base.Rows, cand.Rows), p.LoadKinds())
	if kinds != nil {
		c.Base, c.Cand = stat.Levels(rowsB, rowsC, kinds)
		c.Delta = c.Cand - c.Base
	}
	p.test(&c, rowsB, rowsC, kinds)
	p.setEstimateApart(&c)
	other := p.inputFromOther(&c)
	p.judgeable(&c, other || sourcesDiffer(base.Sources, cand.Sources) || base.Proxy || cand.Proxy || p.Ranks && metric.Joint)
	return p.explain(c)
}

// unheard reports whether reports do not speak of a main metric, since no side recorded it.
func (p *Judged) unheard(m run.Metric, c *Comparison) bool {
	return m.WhereRecorded && c.Runs == [2]int{} && !slices.Contains(p.Policy.Gating, m.Name)
}

// Source is what both sides of a metric were measured from, or each where they differ.
func Source(base, cand []string) string {
	names := sides.Distinct(slices.Concat(base, cand))
	switch len(names) {
	case 0:
		return ""
	case 1:
		return names[0]
	}
	if !sourcesDiffer(base, cand) {
		return names[0] + " and others"
	}
	return "baseline: " + base[0] + "; candidate: " + cand[0]
}

// sourcesDiffer reports whether a metric was measured from different things.
func sourcesDiffer(base, cand []string) bool {
	return len(base) > 0 && len(cand) > 0 && !slices.Equal(base, cand)
}

// answered leaves out the steps that a metric cannot answer: for every run
// where steps are paired, for the run itself where they are not. steps is the
// number left, the fewest of any run.
func (p *Judged) answered(base, cand [][]float64) (b, c [][]float64, steps int) {
	out, steps := AnsweredBy(slices.Concat(base, cand), p.Plan.Paired)
	return out[:len(base)], out[len(base):], steps
}

// AnsweredBy leaves out the steps that curves do not answer: of all where steps are paired, of
// each curve by itself where they are not. steps is the number left, the fewest of any.
func AnsweredBy(all [][]float64, paired bool) (out [][]float64, steps int) {
	keep := func(row, j int) bool { return !math.IsNaN(all[row][j]) }
	if paired {
		keep = func(_, j int) bool {
			return !slices.ContainsFunc(all, func(x []float64) bool { return math.IsNaN(x[j]) })
		}
	}
	out, steps = make([][]float64, len(all)), math.MaxInt
	for i := range all {
		for j, v := range all[i] {
			if keep(i, j) {
				out[i] = append(out[i], v)
			}
		}
		steps = min(steps, len(out[i]))
	}
	return out, steps
}

// test fills in the effect and what follows from it. kinds are those of paired steps
// that carry loads, nil of all others.
func (p *Judged) test(c *Comparison, base, cand [][]float64, kinds []int) {
	sc := p.scaleFor(c, base, cand)
	c.Relative, c.Logs = sc.relative, sc.Logs
	c.Floor, c.Threshold = sc.floor*sc.unit, sc.threshold*sc.unit
	if p.Identical || allZero(base) && allZero(cand) || sameCount(c, base, cand) {
		c.Estimate, c.Lo, c.Hi = 0, 0, 0
		c.Verdict, c.Reason = Unchanged, ReasonDecided
		if p.Identical { // nothing was measured twice, so that nothing is known to be equal
			c.Verdict, c.Reason = Inconclusive, ReasonSameFiles
		}
		return
	}
	sides := stat.Unpaired
	if p.Plan.Paired {
		sides = stat.Paired
	}
	base, cand = sc.Apply(base), sc.Apply(cand)
	past := p.Past.scalars(c.Key, sc)
	s, ok := p.overlapSides(c.Key)
	if ok { // what is tested is what is shown, and what its noise is learned from
		past = p.Past.overlaps()
		c.Base, c.Cand = stat.Mean(s.Base), stat.Mean(s.Cand)
		c.Delta = c.Cand - c.Base
	} else if kinds != nil {
		s = stat.Stratified(base, cand, kinds)
	} else {
		s = sides(base, cand)
	}
	e := p.Effect(c, s, past, sc.floor, 0)
	c.Floor *= sc.unit
	if c.Estimate = sc.back(e.Estimate); sc.relative {
		c.Estimate = math.Max(c.Estimate, -1)
	}
	t := Tested{e, sc.limits, sc.back, func(sd float64) float64 { return sd * sc.unit }}
	c.setInterval(t, sc.limits.Alpha)
	c.setShown(t)
	c.setWithin(s, t, p.Policy.Alpha)
	p.setTipping(c, t, sc.limits.Alpha)
	c.Equal = sc.back(sc.limits.Equivalence)
	p.Decide(c, t)
	moving := !p.Plan.Paired && trending(base, cand, sc.limits.Threshold) || p.Like.Moving(p.Policy.Threshold)
	p.movingSteps(c, moving)
	if c.Verdict != Inconclusive && moving {
		c.Verdict, c.Reason, c.RunsNeeded = Inconclusive, ReasonNoCommonSteps, 0
	}
}

// trending reports whether the runs of either side together change over time by what would
// be a change. Where steps are not paired the sides may stand at other places of one trend,
// which all runs of a side have; what one run alone does is noise between runs. Too few
// steps to tell count as a trend.
func trending(base, cand [][]float64, threshold float64) bool {
	for _, rows := range [][][]float64{base, cand} {
		sum := 0.0
		for _, x := range rows {
			if len(x) < stat.MinDrift {
				return true
			}
			sum += stat.Drift(x).Value
		}
		if !(math.Abs(sum/float64(len(rows))) < threshold) {
			return true
		}
	}
	return false
}

// Decide turns an effect into a verdict with its reason.
func (p *Judged) Decide(c *Comparison, t Tested) {
	e, l := t.Effect, t.Limits
	outcome := stat.Decide(e, l)
	switch {
	case outcome == stat.Equal:
		c.Verdict = Unchanged
	case outcome == stat.Unclear:
		c.Verdict = Inconclusive
	case (outcome == stat.Lower) == (c.Metric.Better == run.Lower):
		c.Verdict = Improved
	default:
		c.Verdict = Regressed
	}
	c.Reason = ReasonDecided
	p.tested[c.Key] = t
	if c.Verdict == Inconclusive {
		c.RunsNeeded = stat.RunsNeeded(e, l)
		c.Reason = p.unclear(c, math.Abs(e.Estimate) >= l.Threshold)
	}
}

// unclear is why no verdict came out. An estimate of at least the threshold
// may be a change that more runs would show; a smaller one is noise as far as
// anybody can tell.
func (p *Judged) unclear(c *Comparison, large bool) string {
	switch {
	case c.StepsUsed < sides.EnoughSteps:
		return ReasonTooFewSteps
	case p.Plan.Disjoint:
		return ReasonNoCommonSteps
	case large:
		return ReasonNeedsRuns
	}
	return ReasonNoise
}

// judgeable takes the verdict back where there must be none.
func (p *Judged) judgeable(c *Comparison, context bool) {
	reason := ""
	switch {
	case len(p.Doubts) > 0:
		reason = ReasonUnclear
	case p.Sizes.Differ():
		reason = ReasonRankCount
	case p.Untold.hides(&c.Metric) && !p.Identical:
		reason = ReasonKinds
	case c.Metric.Better == run.Neither, context:
		reason = ReasonNotJudged
	case p.Plan.Unsettled && !p.Identical:
		reason = ReasonNoSteadyState
	}
	if reason != "" {
		c.Verdict, c.Reason, c.RunsNeeded = Inconclusive, reason, 0
	}
	c.Aside = context || reason != "" && reason != ReasonNotJudged
}

// NoSteps is the gate where a side has no step to compare, or none of the same unit.
func (p *Judged) NoSteps() Comparison {
	nan, reason := math.NaN(), ReasonNoSteps
	if p.Unit != nil {
		reason = ReasonOtherSteps
	} else if p.LoadsDiffer() {
		reason = ReasonLoad
	}
	return Comparison{
		Key: sides.StepTime, Metric: run.Metric{Traits: stepMetric.Traits}, Gate: true, Reason: reason, Relative: true,
		Base: nan, Cand: nan, BaseMean: nan, CandMean: nan, Delta: nan,
		Estimate: nan, Lo: nan, Hi: nan, Detectable: nan, Shown: nan, WithinLo: nan, WithinHi: nan, Tipping: nan, FirstStep: nan, LastStep: nan, P: nan,
	}
}

// MergedMetrics are the metrics of both sides in the order of the baseline's
// list, then those that only the candidate has.
func MergedMetrics(base, cand []run.Metric) []run.Metric {
	out := slices.Clone(base)
	for _, m := range cand {
		if !slices.ContainsFunc(out, func(have run.Metric) bool { return have.Name == m.Name }) {
			out = append(out, m)
		}
	}
	return out
}

// stepMetric is the step time of sides whose summaries do not describe it.
var stepMetric = run.Metric{Name: sides.StepTime.Metric, Unit: "s", Better: run.Lower, Main: true,
	Traits: run.Traits{Subject: "Step time", Section: run.SectionSteps, Depth: run.DepthStep}}

// keys are the series of a metric on either side: itself, then its parts in
// order of name. A main metric is there even if no side recorded it.
func (p *Judged) keys(m run.Metric) []run.Key {
	if m.Name == sides.KernelTime || m.Name == sides.KernelLaunches {
		return nil
	}
	found := map[string]bool{}
	if m.Main {
		found[""] = true
	}
	for _, s := range []*sides.Side{p.Base, p.Cand} {
		var last *sides.SeriesIndex
		s.Each(func(k *sides.Rank) {
			if k.Index == last {
				return
			}
			last = k.Index
			for i := range k.Series { // those that were forgotten too
				if k.Series[i].Metric == m.Name {
					found[k.Series[i].Part] = true
				}
			}
		})
	}
	var keys []run.Key
	for _, part := range sides.SortedKeys(found) {
		keys = append(keys, run.Key{Metric: m.Name, Part: part})
	}
	return keys
}

// Reason is one part of what a finding explains itself with, in s a step. Reasons of one
// finding are of one partition of its whole, as the waterfall has it: they never add up to
// more than the whole changed by.
type Reason struct {
	Metric, Part string   // where it is measured; Part "other": all causes that are not named
	Base, Cand   float64  // means over runs, used steps and ranks
	Places       []string // where in the program the host is, the most first; nil: not recorded, or not asked
	Most         bool     // of its change is in Places
}

// Profilers are those that recorded either side.
func (p *Judged) Profilers() sides.Profilers { return sides.ProfilersOf(p.Base.Set, p.Cand.Set) }

// The rule by which a kernel stands out of the noise. It explains and never
// gates; its rates were simulated.
const (
	FalseShare  = 0.05
	LeastChange = 0.03
)
