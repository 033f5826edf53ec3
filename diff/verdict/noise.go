package verdict

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
)

// NoiseReport says what repeats of one job differ by.
type NoiseReport struct {
	Runs    []PastRun // all that were given, in order of time, or of name
	Used    int       // of these
	MinRuns int       // runs from which on noise is learned; with fewer there are no Metrics
	ByTime  bool      // all used ones say when they began; else they are in order of name
	Metrics []Noise
	Policy  policy.Policy
}

// Noise says what repeats differ by in one metric.
type Noise struct {
	Metric run.Metric
	Level  float64 // median over runs of the median over steps, in the metric's unit
	// Spread is the standard deviation between runs and Detectable the smallest change
	// that one, three and five runs a side show in 80 % of cases with it as history:
	// fractions where Relative, else in the metric's unit. NaN: too few runs.
	Spread     float64
	Detectable [3]float64
	Relative   bool
	// Gates: Detectable is that among all gating metrics; else that of the metric alone.
	Gating bool
	// Changed names the run from which on the level is another one, and By by
	// how much, in the unit of Spread; "" where it is one level. Rises is the
	// trend over all runs, believed with an error of 5 %; NaN without.
	Changed string
	By      float64
	Trend   float64
	History []float64 // the scalars of the runs, in order, for drawing; fractions where Relative
}

// sizes are the runs a side whose smallest change is stated.
var sizes = [3]int{1, 3, 5}

// MeasureNoise measures what the runs of several sets, which are repeats of one job, differ by. Sets with another
// configuration than most runs are left out and named. It never fails; under stat.MinHistory runs nothing is learned.
func MeasureNoise(sets []*run.Set, policy policy.Policy) *NoiseReport {
	out := &NoiseReport{MinRuns: stat.MinHistory, Policy: policy}
	like := MostCommonSet(sets)
	p := NewTerms(sides.Of(like, &run.Set{}, policy.Force), policy)
	p.Past, out.Runs = PastOf(p.Lined, sets, map[string]LeftOut{}, AgainstUsed)
	out.Used = len(p.Past.Runs())
	if out.Used < stat.MinHistory {
		return out
	}
	out.ByTime = p.Past.ordered
	p.Step = p.Past.Side.Measure(sides.StepTime).Median()
	metrics := like.Metrics
	for _, s := range SortSets(sets) {
		metrics = MergedMetrics(metrics, s.Metrics)
	}
	for _, m := range metrics {
		if m.Main && m.Name != run.ComputeSkew {
			out.add(p, m, p.noiseOf(m))
		}
	}
	for _, s := range shapesOfRuns {
		out.add(p, s.metric, s.noise(p))
	}
	return out
}

// pastScalars are the scalars of past runs with the scale that they are on.
type pastScalars struct {
	values []float64
	level  float64
	scale  Scale
	least  float64 // variance that they cannot go below
}

func (p *Terms) noiseOf(m run.Metric) pastScalars {
	key := run.Key{Metric: m.Name}
	measured := p.Past.Side.Measure(key)
	c := &Comparison{Key: key, Metric: m, Base: measured.Median(), Cand: measured.Median(), StepsUsed: p.Past.plan.Steps}
	if len(measured.Rows) < stat.MinHistory {
		return pastScalars{level: c.Base}
	}
	sc := p.scaleFor(c, measured.Rows, measured.Rows)
	if m.Name == run.Overlap {
		return pastScalars{values: p.Past.overlaps(), level: stat.Mean(p.Past.overlaps()), scale: sc}
	}
	return pastScalars{values: p.Past.scalars(key, sc), level: c.Base, scale: sc}
}

func (out *NoiseReport) add(p *Terms, m run.Metric, n pastScalars) {
	row := Noise{Metric: m, Level: n.level, Relative: n.scale.relative, Spread: math.NaN(), By: math.NaN(), Trend: math.NaN()}
	for i := range row.Detectable {
		row.Detectable[i] = math.NaN()
	}
	if len(n.values) >= stat.MinHistory {
		past := stat.Learn(limitOutlier(n.values, n.scale.floor))
		past.Variance = math.Max(past.Variance, n.least)
		row.Spread = n.scale.back(math.Sqrt(past.Variance))
		past = past.Moderated(n.scale.floor)
		limits := n.scale.limits
		if row.Gating = slices.Contains(p.Policy.Gating, m.Name); row.Gating {
			limits.Alpha *= Weights(p.Policy.Gating)[slices.Index(p.Policy.Gating, m.Name)] // the strictest level of Holm's rule
		}
		for i, runs := range sizes {
			row.Detectable[i] = n.scale.back(stat.Shown(past.Effect(runs), limits))
		}
		if past.ChangedAt > 0 && len(n.values) == len(p.Past.Side.Runs) {
			row.Changed = p.Past.Side.Runs[past.ChangedAt].Name
			row.By = n.scale.back(stat.Mean(n.values[past.ChangedAt:]) - stat.Mean(n.values[:past.ChangedAt]))
		} else if slope, ok := stat.Trend(n.values); ok {
			row.Trend = n.scale.back(slope)
		}
		middle := stat.Mean(n.values)
		for _, v := range n.values {
			row.History = append(row.History, n.scale.back(v-middle))
		}
	}
	out.Metrics = append(out.Metrics, row)
}
