package diff

import (
	"math"

	"perfdiff/analyze/run"
	"perfdiff/diff/stat"
)

// Trend is one metric over past runs.
type Trend struct {
	Metric  run.Metric
	Points  []TrendPoint // the runs that were used, in order of time, or of name where no run says when it began
	Ordered bool         // by time
	Levels  []Stretch    // stretches of one level each, in order
	Runs    []PastRun    // all that were given
}

// TrendPoint is one run.
type TrendPoint struct {
	Name  string
	Began int64   // UTC nanoseconds; 0 unknown
	Value float64 // median over steps of the median over ranks, in the metric's unit
}

// Stretch is a stretch of runs without a change of level.
type Stretch struct {
	From, To int // of Points, To is the first behind it
	Value    float64
	Change   float64 // from the level before, a fraction of it; NaN for the first
}

// FollowMetric is a metric over the runs of a history. Its changes of level are
// found by binary segmentation (Scott and Knott 1974): the series is cut at the
// split with the largest F statistic, if that is believed with an error of 1 %
// over all splits, and each part again.
func FollowMetric(sets []*run.Set, metric string, policy Policy) *Trend {
	out := &Trend{Metric: run.Metric{Name: metric, Unit: "s"}}
	if len(sets) == 0 {
		return out
	}
	for _, s := range sets {
		for _, m := range s.Metrics {
			if m.Name == metric {
				out.Metric = m
			}
		}
	}
	p := newPair(sets[0], &run.Set{}, policy)
	p.past, out.Runs = p.pastOf(sets, map[string]bool{})
	if p.past == nil {
		return out
	}
	out.Ordered = p.past.ordered
	var values []float64
	for _, r := range p.past.side.runs {
		curve, ranks := r.curve(run.Key{Metric: metric})
		if v := stat.Median(curve); ranks > 0 && !math.IsNaN(v) {
			out.Points = append(out.Points, TrendPoint{r.name, r.began, v})
			values = append(values, v)
		}
	}
	out.Levels = levels(values, 0)
	for i := range out.Levels {
		out.Levels[i].Change = math.NaN()
		if i > 0 {
			out.Levels[i].Change = out.Levels[i].Value/out.Levels[i-1].Value - 1
		}
	}
	return out
}

func levels(v []float64, from int) []Stretch {
	if len(v) == 0 {
		return nil
	}
	at, _, ok := stat.Changed(v)
	if !ok {
		return []Stretch{{From: from, To: from + len(v), Value: stat.Mean(v)}}
	}
	return append(levels(v[:at], from), levels(v[at:], from+at)...)
}
