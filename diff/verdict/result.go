package verdict

import (
	"cmp"
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
)

// What runs print is one number a run. Its noise is what runs of a side, or past ones, differ by: numbers of benchmarks
// differ by a thousandth or by half, so that one run a side decides nothing.

// HasResults reports whether both sides printed something of one name.
func (p *Terms) HasResults() bool {
	for _, m := range p.Base.Set.Metrics {
		if m.OfResult && p.Base.Holds(m.Name) && p.Cand.Holds(m.Name) {
			return true
		}
	}
	return false
}

// OnlyResults reports whether there is nothing else to judge by: no profiles, or no steps in them.
func (p *Terms) OnlyResults() bool {
	return p.Base.Set.OfResults() && p.Cand.Set.OfResults() || Stepless(p.Lined) && p.HasResults()
}

// compareResult judges what runs printed.
func (p *Trial) compareResult(c Comparison, base, cand [][]float64) Comparison {
	sc := p.scaleFor(&c, base, cand)
	c.Relative, c.LogScale = sc.relative, sc.LogScale
	var x proof
	if p.Identical || allZero(base) && allZero(cand) || sameCount(&c, base, cand) {
		c.Floor, c.Threshold = sc.floor*sc.unit, sc.threshold*sc.unit
		c.Estimate, c.Lo, c.Hi = 0, 0, 0
		x.equal, x.sameFiles = true, p.Identical
		return p.finish(c, &x)
	}
	sc.ofRuns, sc.hosts, sc.floor = true, 0, p.floorOfResult(&c, sc.floor)
	s := stat.Sides{Base: sc.values(base), Cand: sc.values(cand), DF: 1}
	e, between := p.Effect(&c, s, RunNoise{Past: p.Past.scalars(c.Key, sc), Floor: sc.floor, shown: true})
	c.Threshold, c.Floor, c.Spread = sc.threshold*sc.unit, c.Floor*sc.unit, s.Spread()*sc.unit
	c.Estimate = math.Max(sc.back(e.Estimate), c.least())
	t := Tested{e, sc.limits, sc.back, func(sd float64) float64 { return sd * sc.unit }}
	c.setInterval(t, sc.limits.Alpha)
	c.setShown(t)
	x.test, x.between, x.single = &t, between, c.History == 0 && max(c.Runs[0], c.Runs[1]) < 2
	c.setTipping(&x, sc.limits.Alpha)
	c.Equivalence = sc.back(sc.limits.Equivalence)
	if c.Metric.Better == run.Neither {
		x.barred = ReasonNotJudged
	} else if bar := p.bar(&c, false); bar == ReasonUnclear || bar == ReasonRankCount {
		x.barred = bar
	}
	return p.finish(c, &x)
}

// floorOfResult returns what runs are taken to differ by in what they print, on the scale: what steps of runs do once
// the runs show what they differ by themselves, and that of few steps for one run a side, which decides nothing.
func (p *Terms) floorOfResult(c *Comparison, few float64) float64 {
	if max(c.Runs[0], c.Runs[1]) < 2 || c.Metric.Unit == "ratio" {
		return few
	}
	return few / p.Policy.FewFloor * p.Policy.Floor
}

// values are the numbers of runs on the scale; none where one of them has no logs.
func (s Scale) values(rows [][]float64) (out []float64) {
	if s.LogScale && !positive(rows) {
		return nil
	}
	for _, row := range s.Apply(rows) {
		if len(row) > 0 {
			out = append(out, row[0])
		}
	}
	return out
}

// classOfResult is how much a number matters to a reader: what regressed first, what is known not to have changed last.
func classOfResult(c *Comparison) int {
	asks := c.Main != nil && c.Main.Asks
	switch {
	case math.IsNaN(c.Estimate):
		return 8
	case !c.Gating && c.Verdict != Improved:
		return 7
	case c.Verdict == Regressed:
		return 0
	case asks, c.Leans() == LeansWorse:
		return 1
	case c.Verdict == Improved:
		return 2
	case c.Leans() == LeansBetter:
		return 3
	case c.Reason == ReasonNeedsRuns && c.Assumed():
		return 4
	case c.Verdict == Unchanged:
		return 6
	}
	return classUnseen
}

// classUnseen is the class of what shows no change beyond chance and may have one.
const classUnseen = 5

// compareResults orders what runs printed by what changed: of one class the largest change first, and of what shows none
// what is known least.
func compareResults(a, b *Comparison) int {
	size := func(c *Comparison) float64 {
		if classOfResult(c) == classUnseen {
			return c.Hi - c.Lo
		}
		return math.Abs(c.Estimate)
	}
	return cmp.Or(cmp.Compare(classOfResult(a), classOfResult(b)), cmp.Compare(size(b), size(a)))
}

// resultsFirst puts what runs printed before all that was measured, in order of what changed.
func resultsFirst(all []Comparison) {
	slices.SortStableFunc(all, func(a, b Comparison) int {
		if a.Metric.OfResult && b.Metric.OfResult {
			return compareResults(&a, &b)
		}
		return run.CompareBool(b.Metric.OfResult, a.Metric.OfResult)
	})
}

// firstResult returns what speaks for a report of results: the worst of what regressed, else the largest of what
// improved, else what is not known to be unchanged.
func (p *Terms) firstResult(all []Comparison) Comparison {
	all = slices.DeleteFunc(slices.Clone(all), func(c Comparison) bool { return !c.Metric.OfResult })
	if len(all) == 0 {
		none := NoSteps(p.Lined)
		none.Key, none.Metric, none.Reason = run.Key{}, run.Metric{OfResult: true}, ReasonNotJudged
		return none
	}
	return slices.MinFunc(all, func(a, b Comparison) int { return compareResults(&a, &b) })
}

// resultsOf returns the policy for two sides.
func resultsOf(lined *sides.Lined, p policy.Policy) policy.Policy {
	alone := lined.Base.Set.OfResults() || lined.Cand.Set.OfResults() || Stepless(lined)
	return p.WithResults(MergedMetrics(lined.Base.Set.Metrics, lined.Cand.Set.Metrics), alone)
}
