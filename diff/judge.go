package diff

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff/stat"
)

// Judged is what is said of two sides: every metric and part compared, and which of that
// is certain.
type Judged struct {
	*Lined
	policy      Policy
	past        *past // nil: no history
	history     []PastRun
	level       *CurrentLevel // what the baseline was joined from; nil: it is as it was given
	elsewhere   string        // how the pair's place is another one than the past runs', so that their noise says too little; ""
	tested      map[run.Key]tested
	between     map[run.Key]func(sd float64) stat.Effect // the effects if runs differed by sd
	lost        []string                                 // gating metrics that are not judged since a side lacks them, a warning each
	environment string                                   // what differs and must not
	moving      bool                                     // the step time changes over runs whose steps are not paired
	step        float64                                  // the baseline's median step time, s; NaN unknown
	otherStep   float64                                  // the candidate's, likewise
	untold      Untold                                   // why kinds of work are not compared

	Metrics      []Comparison // main metrics, in the order of the metric list
	Parts        []Comparison // by collective, direction, … and metrics that are no main ones
	Descriptions []run.Metric // of every metric that occurs above
	Gate         Comparison   // the metric that speaks for the report
	Differences  []Difference // facts that differ between the sides
	Same         []trace.Fact // facts that are equal on both sides
}

// undecided are two sides of which nothing is said yet.
func undecided(lined *Lined, policy Policy) *Judged {
	return &Judged{Lined: lined, policy: policy, tested: map[run.Key]tested{}, between: map[run.Key]func(float64) stat.Effect{},
		step: math.NaN(), otherStep: math.NaN()}
}

// judge compares every metric and part of two sides with each other and says what is
// certain, in the light of past runs. level says which runs of the baseline are among them.
func judge(lined *Lined, policy Policy, history []*run.Set, level *CurrentLevel) *Judged {
	p := undecided(lined, policy)
	p.level = level
	p.past, p.history = p.newPast(history)
	p.elsewhere = p.otherPlace()
	p.decideAll()
	p.lost = p.lostGates(p.Metrics)
	p.Differences, p.Same = p.facts()
	p.requireEqual()
	return p
}

// decideAll compares what there is with each other and says what of it is certain.
func (p *Judged) decideAll() {
	metrics := mergedMetrics(p.base.set.Metrics, p.cand.set.Metrics)
	if p.Descriptions = metrics; p.stepless() {
		p.untold = p.kinds()
		p.Gate = p.noSteps()
	} else {
		p.step, p.otherStep = p.typical(p.base.measure(stepTime)), p.typical(p.cand.measure(stepTime))
		p.untold = p.kinds()
		p.compareAll(metrics)
		p.setEffectTrend(p.Metrics)
		p.Gate = p.gate(p.Metrics)
		p.markSlight(p.Metrics, p.Parts)
	}
}

// compareAll compares all metrics of either side and their parts, and the shapes of curves.
func (p *Judged) compareAll(metrics []run.Metric) {
	if !slices.ContainsFunc(metrics, func(m run.Metric) bool { return m.Name == stepTime.Metric }) {
		metrics = slices.Insert(metrics, 0, stepMetric)
	}
	for _, m := range metrics {
		for _, key := range p.keys(m) {
			c := p.compare(key, m)
			if m.Main && key.Part == "" {
				p.Metrics = append(p.Metrics, c)
			} else if c.Runs != [2]int{} {
				p.Parts = append(p.Parts, c)
			}
		}
	}
	main, detail := p.shape()
	p.Metrics, p.Parts = append(p.Metrics, main...), append(p.Parts, detail...)
	for _, c := range slices.Concat(main, detail) {
		metrics = append(metrics, c.Metric)
	}
	p.Descriptions = metrics
}

// stepless reports whether the sides have no step to compare. What needs none, a call, a
// second, the capture, is described then and never judged.
func (p *Lined) stepless() bool {
	return p.plan.steps == 0 || len(p.base.runs) == 0 || len(p.cand.runs) == 0
}

// part is what was compared under a key that is no main metric's; nil: nothing was.
func (p *Judged) part(key run.Key) *Comparison {
	for i := range p.Parts {
		if p.Parts[i].Key == key {
			return &p.Parts[i]
		}
	}
	return nil
}

// tested is an effect with the limits that it was held against.
type tested struct {
	stat.Effect
	stat.Limits
	back      func(float64) float64 // from the scale of the test to that shown
	deviation func(float64) float64 // the same of a deviation between runs
}

// measured is one series on one side over the steps that enter.
type measured struct {
	rows    [][]float64 // a curve for each run that has the series
	ranks   []int       // ranks that have it, for each of these runs
	mean    float64
	sources []string
	proxy   bool // on any rank
}

func (s *side) measure(key run.Key) measured {
	var m measured
	var means []float64
	for _, r := range s.runs {
		c := r.curvesOf(key)
		if !c.known {
			continue
		}
		m.rows = append(m.rows, slices.Clone(c.medians))
		m.ranks = append(m.ranks, c.ranks)
		means = append(means, c.mean)
		m.sources = append(m.sources, c.sources...)
		m.proxy = m.proxy || c.proxy
	}
	m.mean = stat.Mean(means)
	m.sources = distinct(m.sources)
	return m
}

// median is the median over runs of the median over their steps.
func (m measured) median() float64 {
	medians := make([]float64, len(m.rows))
	for i, row := range m.rows {
		medians[i] = stat.Median(row)
	}
	return stat.Median(medians)
}

// compare judges one series.
func (p *Judged) compare(key run.Key, metric run.Metric) Comparison {
	base, cand := p.base.measure(key), p.cand.measure(key)
	c := Comparison{
		Key: key, Metric: metric,
		Source: source(base.sources, cand.sources),
		Base:   p.typical(base), Cand: p.typical(cand), BaseMean: base.mean, CandMean: cand.mean,
		Estimate: math.NaN(), Lo: math.NaN(), Hi: math.NaN(), Relative: metric.Unit != "ratio",
		Threshold: p.policy.Threshold, Detectable: math.NaN(), Shown: math.NaN(),
		WithinLo: math.NaN(), WithinHi: math.NaN(), Tipping: math.NaN(), FirstStep: math.NaN(), LastStep: math.NaN(),
		P:    math.NaN(),
		Runs: [2]int{len(base.rows), len(cand.rows)}, Ranks: [2]int{middle(base.ranks), middle(cand.ranks)},
	}
	c.Delta = c.Cand - c.Base
	if p.untold.holdsUnknown(key.Metric) && key.Part == "" {
		c.Holds = "unknown"
	}
	for i, s := range []struct {
		of *side
		measured
	}{{p.base, base}, {p.cand, cand}} {
		if len(s.rows) == 0 {
			c.NotRecorded[i] = p.needs(s.of, metric)
		}
	}
	if c.NotRecorded != [2]string{} {
		c.Reason = ReasonNotRecorded
		return p.explain(c)
	}
	rowsB, rowsC, steps := p.answered(base.rows, cand.rows)
	c.StepsUsed, c.MeanNote = steps, p.meanNote(&c, base, cand)
	if steps < minSteps {
		c.Reason = ReasonTooFewSteps
		return p.explain(c)
	}
	kinds := answeredKinds(slices.Concat(base.rows, cand.rows), p.loadKinds())
	if kinds != nil {
		c.Base, c.Cand = stat.Levels(rowsB, rowsC, kinds)
		c.Delta = c.Cand - c.Base
	}
	p.test(&c, rowsB, rowsC, kinds)
	c.EstimateNote = p.estimateNote(&c)
	other := p.inputFromOther(&c)
	p.judgeable(&c, other || sourcesDiffer(base.sources, cand.sources) || base.proxy || cand.proxy || p.ranks && metric.Joint)
	return p.explain(c)
}

// needs says what a side lacks of a metric: what to record with the profiler in use.
func (p *Judged) needs(s *side, m run.Metric) string {
	if why := s.whyLost(m.Name); why != "" {
		return why
	}
	if s.world() == 1 && m.Devices {
		return "a job on several devices: on one there is no communication"
	}
	if m.Needs == "" {
		return "the captures do not hold it"
	}
	if m.NeedsNsight == "" || m.NeedsPyTorch == "" {
		return m.Needs
	}
	return p.profilers().Either(m.NeedsNsight, m.NeedsPyTorch, m.Needs)
}

func source(base, cand []string) string {
	names := distinct(slices.Concat(base, cand))
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
	out, steps := answeredBy(slices.Concat(base, cand), p.plan.paired)
	return out[:len(base)], out[len(base):], steps
}

func answeredBy(all [][]float64, paired bool) (out [][]float64, steps int) {
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
	c.Relative, c.Logs = sc.relative, sc.logs
	c.Floor, c.Threshold = sc.floor*sc.unit, sc.threshold*sc.unit
	if p.same || allZero(base) && allZero(cand) || sameCount(c, base, cand) {
		c.Estimate, c.Lo, c.Hi = 0, 0, 0
		c.Verdict, c.Reason = Unchanged, ReasonDecided
		if p.same { // nothing was measured twice, so that nothing is known to be equal
			c.Verdict, c.Reason = Inconclusive, ReasonSameFiles
		}
		return
	}
	sides := stat.Unpaired
	if p.plan.paired {
		sides = stat.Paired
	}
	base, cand = sc.apply(base), sc.apply(cand)
	past := p.past.scalars(c.Key, sc)
	s, ok := p.overlapSides(c.Key)
	if ok { // what is tested is what is shown, and what its noise is learned from
		past = p.past.overlaps()
		c.Base, c.Cand = stat.Mean(s.Base), stat.Mean(s.Cand)
		c.Delta = c.Cand - c.Base
	} else if kinds != nil {
		s = stat.Stratified(base, cand, kinds)
	} else {
		s = sides(base, cand)
	}
	e := p.effect(c, s, past, sc.floor, 0)
	c.Floor *= sc.unit
	if c.Estimate = sc.back(e.Estimate); sc.relative {
		c.Estimate = math.Max(c.Estimate, -1)
	}
	t := tested{e, sc.limits, sc.back, func(sd float64) float64 { return sd * sc.unit }}
	c.setInterval(t, sc.limits.Alpha)
	c.setShown(t)
	c.setWithin(s, t, p.policy.Alpha)
	p.setTipping(c, t, sc.limits.Alpha)
	c.Equal = sc.back(sc.limits.Equivalence)
	p.decide(c, t)
	moving := !p.plan.paired && trending(base, cand, sc.limits.Threshold) || p.like.moving(p.policy.Threshold)
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

// decide turns an effect into a verdict with its reason.
func (p *Judged) decide(c *Comparison, t tested) {
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
	case c.StepsUsed < enoughSteps:
		return ReasonTooFewSteps
	case p.plan.disjoint:
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
	case len(p.doubts) > 0:
		reason = ReasonUnclear
	case p.sizes != "":
		reason = ReasonRankCount
	case p.untold.hides(&c.Metric) && !p.same:
		reason = ReasonKinds
	case c.Metric.Better == run.Neither, context:
		reason = ReasonNotJudged
	case p.plan.unsettled && !p.same:
		reason = ReasonNoSteadyState
	}
	if reason != "" {
		c.Verdict, c.Reason, c.RunsNeeded = Inconclusive, reason, 0
	}
	c.aside = context || reason != "" && reason != ReasonNotJudged
}
