package sides

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/stat"
)

// Measured is one series on one side over the steps that enter.
type Measured struct {
	Rows    [][]float64 // a curve for each run that has the series, NaN in steps of another kind
	Ranks   []int       // ranks that have it, for each of these runs
	Mean    float64
	steps   []float64 // of each of these runs the mean of its curve over all steps
	Sources []string
	Proxy   bool // on any rank
}

// Measure gathers a series over the runs of a side, of the steps that enter.
func (s *Side) Measure(key run.Key) Measured {
	var m Measured
	var means []float64
	for _, r := range s.Runs {
		c := r.curvesOf(key)
		if !c.known {
			continue
		}
		m.steps = append(m.steps, stat.Mean(stat.Known(c.medians)))
		row := slices.Clone(c.medians)
		for _, j := range r.Others.leftOut() {
			if j >= len(row) { // one number of the run
				break
			}
			row[j] = math.NaN()
		}
		m.Rows = append(m.Rows, row)
		m.Ranks = append(m.Ranks, c.ranks)
		means = append(means, c.mean)
		m.Sources = append(m.Sources, c.sources...)
		m.Proxy = m.Proxy || c.proxy
	}
	m.Mean = stat.Mean(means)
	m.Sources = Distinct(m.Sources)
	return m
}

// Gather makes the curves of series, which Measure takes then.
func (s *Side) Gather(keys []run.Key) {
	for _, r := range s.Runs {
		for _, key := range keys {
			r.curvesOf(key)
		}
	}
}

// Median returns the median over runs of the median over their steps.
func (m Measured) Median() float64 { return stat.Median(m.medians()) }

// medians returns the median over steps of each run.
func (m Measured) medians() []float64 {
	out := make([]float64, len(m.Rows))
	for i, row := range m.Rows {
		out[i] = stat.Median(row)
	}
	return out
}

// MeanOfSteps returns the mean over steps of the median rank's time.
func (m Measured) MeanOfSteps() float64 { return stat.Mean(m.steps) }

// MeanOfRuns returns the mean over runs of their median step.
func (m Measured) MeanOfRuns() float64 { return stat.Mean(m.medians()) }

// Holds reports whether any rank has a value of a metric, or of a part of it.
func (s *Side) Holds(metric string) (holds bool) {
	for _, r := range s.Runs {
		if _, ok := r.Source.Result(metric); ok {
			return true
		}
	}
	s.EachRank(func(k *Rank) {
		for key, at := range *k.Index {
			known := func(v float64) bool { return !math.IsNaN(v) }
			holds = holds || key.Metric == metric && slices.ContainsFunc(k.Series[at].Values, known)
		}
	})
	return holds
}
