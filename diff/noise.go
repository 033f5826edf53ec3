package diff

import (
	"fmt"
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/stat"
)

// NoiseReport is what repeats of one job differ by.
type NoiseReport struct {
	Runs    []PastRun // all that were given, in order of time
	Used    int       // of these
	Ordered bool      // all used ones say when they began
	Metrics []Noise
}

// Noise is what repeats differ by in one metric.
type Noise struct {
	Metric run.Metric
	Level  float64 // median over runs of the median over steps, in the metric's unit
	// Spread is the standard deviation between runs and Detectable the smallest
	// change that one, three and five runs a side would show with it as history:
	// fractions where Relative, else in the metric's unit. NaN: too few runs.
	Spread     float64
	Detectable [3]float64
	Relative   bool
	// Changed names the run from which on the level is another one, and By by
	// how much, in the unit of Spread; "" where it is one level. Rises is the
	// trend over all runs, believed with an error of 5 %; NaN without.
	Changed string
	By      float64
	Rises   float64
	History []float64 // the scalars of the runs, in order, for drawing; fractions where Relative
}

// sizes are the runs a side whose smallest change is stated.
var sizes = [3]int{1, 3, 5}

// MeasureNoise is what the runs of several sets, which are repeats of one job,
// differ by. Sets that are not like the first are left out and named. It never
// fails; under stat.MinHistory runs nothing is learned.
func MeasureNoise(sets []*run.Set, policy Policy) *NoiseReport {
	out := &NoiseReport{}
	if len(sets) == 0 {
		return out
	}
	empty := &run.Set{}
	p := newPair(sets[0], empty, policy)
	p.past, out.Runs = p.pastOf(sets, map[string]bool{})
	for _, r := range out.Runs {
		if r.Why == "" {
			out.Used++
		}
	}
	if p.past == nil {
		return out
	}
	out.Ordered = p.past.ordered
	p.step = p.past.side.measure(stepTime).median()
	for _, m := range mergedMetrics(sets[0].Metrics, nil) {
		if m.Main && m.Name != "compute_skew" {
			out.add(p, m, p.noiseOf(m))
		}
	}
	for _, s := range p.shapes() {
		out.add(p, s.metric, noisy{values: s.past(), level: s.level(), scale: scale{unit: 1, limits: stat.Limits{Alpha: policy.Alpha, Threshold: s.least}}})
	}
	return out
}

// noisy are the scalars of past runs with the scale that they are on.
type noisy struct {
	values []float64
	level  float64
	scale  scale
}

func (p *pair) noiseOf(m run.Metric) noisy {
	key := run.Key{Metric: m.Name}
	measured := p.past.side.measure(key)
	c := &Comparison{Key: key, Metric: m, Base: measured.median(), Cand: measured.median(), StepsUsed: p.past.plan.steps}
	if len(measured.rows) < stat.MinHistory {
		return noisy{level: c.Base}
	}
	sc := p.scaleFor(c, measured.rows, measured.rows)
	if m.Name == "overlap" {
		return noisy{p.past.overlaps(), stat.Mean(p.past.overlaps()), sc}
	}
	return noisy{p.past.scalars(key, sc), c.Base, sc}
}

func (out *NoiseReport) add(p *pair, m run.Metric, n noisy) {
	row := Noise{Metric: m, Level: n.level, Relative: n.scale.relative, Spread: math.NaN(), By: math.NaN(), Rises: math.NaN()}
	for i := range row.Detectable {
		row.Detectable[i] = math.NaN()
	}
	if len(n.values) >= stat.MinHistory {
		past := stat.LearnSpread(n.values)
		if out.Ordered {
			past = stat.Learn(n.values)
		}
		row.Spread = n.scale.back(math.Sqrt(past.Variance))
		for i, runs := range sizes {
			row.Detectable[i] = n.scale.back(stat.Detectable(past.Effect(runs), n.scale.limits))
		}
		if out.Ordered && past.ChangedAt > 0 && len(n.values) == len(p.past.side.runs) {
			row.Changed = p.past.side.runs[past.ChangedAt].name
			row.By = n.scale.back(stat.Mean(n.values[past.ChangedAt:]) - stat.Mean(n.values[:past.ChangedAt]))
		} else if slope, ok := stat.Trend(n.values); out.Ordered && ok {
			row.Rises = n.scale.back(slope)
		}
		middle := stat.Mean(n.values)
		for _, v := range n.values {
			row.History = append(row.History, n.scale.back(v-middle))
		}
	}
	out.Metrics = append(out.Metrics, row)
}

// shapeNoise is one of the metrics of how runs go on, for past runs.
type shapeNoise struct {
	metric run.Metric
	least  float64
	past   func() []float64
	level  func() float64
}

// shapes are those that gate and whose past is a series of scalars as shown.
func (p *pair) shapes() []shapeNoise {
	drifts := func() (out []float64) {
		for _, x := range p.past.paired() {
			if len(x) >= stat.MinDrift {
				out = append(out, stat.Drift(x).Value)
			}
		}
		return out
	}
	return []shapeNoise{{
		metric: driftMetric, least: p.policy.thresholdOf("drift", driftLeast), past: drifts,
		level: func() float64 {
			var v []float64
			for _, x := range logCurves(p.past.side) {
				if len(x) >= stat.MinDrift {
					v = append(v, math.Expm1(stat.Drift(x).Value))
				}
			}
			return stat.Median(v)
		},
	}}
}

// unused is why runs of a history were left out, each reason once with the
// number of runs.
func unused(runs []PastRun) []string {
	n := map[string]int{}
	for _, r := range runs {
		if r.Why != "" {
			n[r.Why]++
		}
	}
	var out []string
	for _, why := range sortedKeys(n) {
		out = append(out, fmt.Sprintf("%s left out: %s", counted(n[why], "past run"), why))
	}
	slices.Sort(out)
	return out
}
