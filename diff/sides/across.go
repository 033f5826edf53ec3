package sides

import (
	"math"

	"perfdiff/analyze/run"
	"perfdiff/diff/stat"
)

// Values lie rank by rank, and a curve wants them step by step: of a thousand ranks each
// would come from another place of memory. So they are turned round some steps at a time,
// and what a run's curves are is worked out once.

// curves holds one series over the used steps of a run.
type curves struct {
	medians []float64 // over ranks, NaN where none has a value; sums over nodes of what adds up
	mean    float64   // over steps of the mean over ranks, or of the sum over nodes
	ranks   int       // that hold the series
	known   bool      // a step has a median
	sources []string  // of the series, each once
	proxy   bool      // on any rank
}

// curvesOf returns the curves of a series; they are kept until other steps are used.
func (r *Run) curvesOf(key run.Key) *curves {
	if c := r.curves[key]; c != nil {
		return c
	}
	if v, ok := r.Source.Result(key.Metric); ok && key.Part == "" {
		return &curves{medians: []float64{v}, mean: v, ranks: 1, known: true}
	}
	series := r.RanksWith(key)
	c := &curves{medians: make([]float64, len(r.Used)), ranks: len(series)}
	means := make([]float64, len(r.Used))
	sums := len(series) > 0 && series[0].Source == run.SourceStorage && r.reads.AddsUp(key.Metric)
	values := func(i, first int, out []float64) { series[i].Rank.CopyValues(series[i].Values, first, out) }
	EachStep(len(r.Used), len(series), values, func(j int, over []float64) {
		if sums {
			means[j] = sumOf(over)
			c.medians[j] = means[j]
		} else {
			means[j] = stat.Mean(over)
			c.medians[j] = stat.MedianInPlace(over)
		}
		c.known = c.known || !math.IsNaN(c.medians[j])
	})
	c.mean = stat.Mean(means)
	for i := range series {
		if s := series[i].Source; i == 0 || s != series[i-1].Source {
			c.sources = append(c.sources, s)
		}
		c.proxy = c.proxy || series[i].Proxy
	}
	c.sources = Distinct(c.sources)
	if r.curves == nil {
		r.curves = map[run.Key]*curves{}
	}
	r.curves[key] = c
	return c
}

// StepsAtOnce is how many steps are turned round at a time: two lines of a cache of each
// rank, and so little together that it stays in one.
const StepsAtOnce = 16

// EachStep calls f for each of so many steps with one value for each rank, in the order of ranks. f may reorder them.
// values copies a rank's values from the step first on into out.
func EachStep(steps, ranks int, values func(rank, first int, out []float64), f func(step int, over []float64)) {
	block := make([]float64, StepsAtOnce*ranks)
	var room [StepsAtOnce]float64
	for first := 0; first < steps; first += StepsAtOnce {
		n := min(StepsAtOnce, steps-first)
		for i := range ranks {
			values(i, first, room[:n])
			for j := range n {
				block[j*ranks+i] = room[j]
			}
		}
		for j := range n {
			f(first+j, block[j*ranks:(j+1)*ranks])
		}
	}
}

// sumOf adds values up; NaN if one of them is not known, since a sum over fewer nodes is another quantity.
func sumOf(v []float64) (sum float64) {
	for _, x := range v {
		sum += x
	}
	return sum
}
