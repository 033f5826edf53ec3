package verdict

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
)

// shapesOfRuns are the metrics of how a run goes on, of which each past run has one value: as shown, in order of the
// runs, NaN where a run has none.
var shapesOfRuns = map[string]func(*Past) []float64{
	run.Drift: (*Past).drifts, run.Tail: (*Past).tails, run.Imbalance: (*Past).imbalances,
}

// values returns a metric's value in each run: a shape has one value a run, other metrics the median over steps of the
// median over ranks. NaN where a run has none.
func (h *Past) values(metric string) []float64 {
	if of := shapesOfRuns[metric]; of != nil {
		return of(h)
	}
	out := make([]float64, len(h.Side.Runs))
	for i, r := range h.Side.Runs {
		curve, ranks := r.Curve(run.Key{Metric: metric})
		if out[i] = stat.Median(curve); ranks == 0 {
			out[i] = math.NaN()
		}
	}
	return out
}

func (h *Past) drifts() []float64 {
	out := make([]float64, len(h.Side.Runs))
	for i, x := range LogCurves(h.Side) {
		if out[i] = math.NaN(); len(x) >= stat.MinDrift {
			out[i] = Settled(math.Expm1(stat.Rise(x).Value))
		}
	}
	return out
}

// spikes returns which steps of each past run are spikes.
func (h *Past) spikes() (out [][]bool) {
	for _, r := range h.Runs() {
		curve, _ := r.Curve(sides.StepTime)
		out = append(out, stat.Spikes(curve))
	}
	return out
}

// regular returns the steps at which most past runs spike, which do not count as spikes of the pair; nil where the
// runs do not have the same steps.
func (h *Past) regular(spikes [][]bool) []bool {
	if !h.plan.Paired || slices.ContainsFunc(spikes, func(x []bool) bool { return len(x) != len(spikes[0]) }) {
		return nil
	}
	return stat.Regular(spikes, spikes)
}

// tails returns the events in 100 steps.
func (h *Past) tails() []float64 {
	spikes := h.spikes()
	regular := h.regular(spikes)
	out := make([]float64, len(spikes))
	for i, x := range spikes {
		if out[i] = math.NaN(); len(x) >= TailSteps {
			out[i] = 100 * float64(stat.Events(x, regular)) / float64(len(x))
		}
	}
	return out
}

// slowest returns by how much, on logs, the rank that computes longest is above the median rank, and which rank that
// is; NaN and -1 with fewer than two ranks.
func slowest(r *sides.Run) (float64, int) {
	held := r.RanksWith(run.Key{Metric: run.ComputeTime})
	rows := make([][]float64, len(held))
	for i, h := range held {
		rows[i] = make([]float64, len(r.Used))
		for j := range r.Used {
			rows[i][j] = math.Log(h.Rank.ValueOf(h.Values, j))
		}
	}
	v, at := stat.Largest(stat.Offsets(rows))
	if len(held) < 2 || at < 0 || math.IsInf(v, 0) {
		return math.NaN(), -1
	}
	return v, held[at].Rank.Rank.Rank
}

func (h *Past) imbalances() []float64 {
	out := make([]float64, len(h.Side.Runs))
	for i, r := range h.Side.Runs {
		v, _ := slowest(r)
		out[i] = Settled(math.Expm1(v))
	}
	return out
}

// Values returns a metric's value in each run that counts, in their order and the metric's unit: the median over steps of
// the median over ranks, of the mean step their mean, of a shape its value; NaN where a run has none.
func (h *Past) Values(metric string) []float64 {
	if metric != run.StepTimeMean {
		return h.values(metric)
	}
	out := make([]float64, len(h.Side.Runs))
	for i, r := range h.Side.Runs {
		if out[i] = math.NaN(); len(r.Used) > 0 {
			curve, _ := r.Curve(sides.StepTime)
			out[i] = stat.Mean(curve)
		}
	}
	return out
}

// MeanErrors returns the variance of the mean step of each run as its steps show it, a share of the mean, squared; 0
// where a run has too few steps.
func (h *Past) MeanErrors() []float64 {
	out := make([]float64, len(h.Side.Runs))
	for i, r := range h.Side.Runs {
		curve, _ := r.Curve(sides.StepTime)
		if curve = stat.Known(curve); len(curve) >= sides.MinSteps {
			out[i] = stat.RelativeError(curve)
		}
	}
	return out
}

// RunsOf returns the runs of one set as past ones, over the steps of h that they have, to take their Values; of a nil h
// over their own.
func (h *Past) RunsOf(set *run.Set) *Past {
	out, none := &Past{Side: sides.NewSide(set.Label, set)}, &sides.Side{Set: &run.Set{}}
	if h == nil {
		out.plan = sides.NewPlan(out.Side, none)
	} else {
		out.plan = h.plan.PlanOf(h.Side, out.Side)
	}
	return out
}
