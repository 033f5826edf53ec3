package diff

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/stat"
)

// shapeOfRun is a metric of how a run goes on: each past run has one value.
type shapeOfRun struct {
	metric run.Metric
	values func(*past) []float64 // as shown, in order of the runs; NaN where a run has none
	noise  func(*Judged) noisy   // the scalars that are tested
}

// shapesOfRuns are those that gate.
var shapesOfRuns = []shapeOfRun{
	{driftMetric, (*past).drifts, (*Judged).driftNoise},
	{tailMetric, (*past).tails, (*Judged).tailNoise},
	{imbalanceMetric, (*past).imbalances, (*Judged).imbalanceNoise},
}

// values are those of a metric, one for each run: of a shape that of the run, else
// the median over steps of the median over ranks. NaN where a run has none.
func (h *past) values(metric string) []float64 {
	for _, s := range shapesOfRuns {
		if s.metric.Name == metric {
			return s.values(h)
		}
	}
	out := make([]float64, len(h.side.runs))
	for i, r := range h.side.runs {
		curve, ranks := r.curve(run.Key{Metric: metric})
		if out[i] = stat.Median(curve); ranks == 0 {
			out[i] = math.NaN()
		}
	}
	return out
}

func (h *past) drifts() []float64 {
	out := make([]float64, len(h.side.runs))
	for i, x := range logCurves(h.side) {
		if out[i] = math.NaN(); len(x) >= stat.MinDrift {
			out[i] = settled(math.Expm1(stat.Rise(x).Value))
		}
	}
	return out
}

func (p *Judged) driftNoise() noisy {
	n := noisy{level: stat.Median(p.past.drifts()), scale: scale{unit: 1, floor: p.driftFloor(), limits: p.limits(run.Drift, driftLeast)}}
	for _, x := range p.past.paired() {
		if len(x) >= stat.MinDrift {
			n.values = append(n.values, stat.Drift(x).Value)
		}
	}
	return n
}

// spikes are those of past runs.
func (h *past) spikes() (out [][]bool) {
	for _, r := range h.runs() {
		curve, _ := r.curve(stepTime)
		out = append(out, stat.Spikes(curve))
	}
	return out
}

// regular are the places at which most past runs spike, as those of the pair do not
// count; nil where their steps are not the same.
func (h *past) regular(spikes [][]bool) []bool {
	if !h.plan.paired || slices.ContainsFunc(spikes, func(x []bool) bool { return len(x) != len(spikes[0]) }) {
		return nil
	}
	return stat.Regular(spikes, spikes)
}

// tails are the events in 100 steps.
func (h *past) tails() []float64 {
	spikes := h.spikes()
	regular := h.regular(spikes)
	out := make([]float64, len(spikes))
	for i, x := range spikes {
		if out[i] = math.NaN(); len(x) >= tailSteps {
			out[i] = 100 * float64(stat.Events(x, regular)) / float64(len(x))
		}
	}
	return out
}

// tailNoise is on roots of counts, as the verdict is: a difference of roots is one of
// counts times the sum of the roots.
func (p *Judged) tailNoise() noisy {
	n := noisy{least: stat.PoissonVariance}
	length := float64(p.past.plan.steps)
	var rates []float64
	for _, rate := range p.past.tails() {
		if !math.IsNaN(rate) {
			rates, n.values = append(rates, rate), append(n.values, stat.CountScalar(rate/100*length))
		}
	}
	n.level = stat.Mean(rates)
	n.scale = scale{unit: 2 * stat.Mean(n.values) * 100 / length, floor: math.Sqrt(stat.PoissonVariance), limits: p.limits(run.Tail, tailLeast)}
	n.scale.limits.Threshold /= n.scale.unit
	n.scale.limits.Equivalence /= n.scale.unit
	return n
}

// slowest is by how much, on logs, the rank that computes longest is above the median
// rank, and which rank that is; NaN and -1 of fewer than two ranks.
func (r *oneRun) slowest() (float64, int) {
	held := r.having(run.Key{Metric: run.ComputeTime})
	rows := make([][]float64, len(held))
	for i, h := range held {
		rows[i] = make([]float64, len(r.used))
		for j := range r.used {
			rows[i][j] = math.Log(h.rank.value(h.Values, j))
		}
	}
	v, at := stat.Largest(stat.Offsets(rows))
	if len(held) < 2 || at < 0 || math.IsInf(v, 0) {
		return math.NaN(), -1
	}
	return v, held[at].rank.Rank.Rank
}

func (h *past) imbalances() []float64 {
	out := make([]float64, len(h.side.runs))
	for i, r := range h.side.runs {
		v, _ := r.slowest()
		out[i] = settled(math.Expm1(v))
	}
	return out
}

func (p *Judged) imbalanceNoise() noisy {
	var n noisy
	for _, r := range p.past.side.runs {
		if v, _ := r.slowest(); !math.IsNaN(v) {
			n.values = append(n.values, v)
		}
	}
	middle := stat.Mean(n.values)
	factor := math.Exp(middle) // from logs to shares, there
	n.level, n.scale = math.Expm1(middle), scale{unit: factor, floor: imbalanceFloor, limits: p.limits(run.Imbalance, imbalanceLeast)}
	n.scale.limits.Threshold /= factor
	n.scale.limits.Equivalence /= factor
	return n
}
