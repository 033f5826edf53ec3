package sides

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/stat"
)

// Measured is one series on one side over the steps that enter.
type Measured struct {
	Rows    [][]float64 // a curve for each run that has the series
	Ranks   []int       // ranks that have it, for each of these runs
	Mean    float64
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
		m.Rows = append(m.Rows, slices.Clone(c.medians))
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
func (m Measured) MeanOfSteps() float64 {
	means := make([]float64, len(m.Rows))
	for i, row := range m.Rows {
		means[i] = stat.Mean(stat.Known(row))
	}
	return stat.Mean(means)
}

// MeanOfRuns returns the mean over runs of their median step.
func (m Measured) MeanOfRuns() float64 { return stat.Mean(m.medians()) }

// Holds reports whether any rank has a value of a metric, or of a part of it.
func (s *Side) Holds(metric string) (holds bool) {
	s.EachRank(func(k *Rank) {
		for key, at := range *k.Index {
			known := func(v float64) bool { return !math.IsNaN(v) }
			holds = holds || key.Metric == metric && slices.ContainsFunc(k.Series[at].Values, known)
		}
	})
	return holds
}
