package verdict

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
)

// Trend is one metric over past runs.
type Trend struct {
	Metric  run.Metric
	Points  []TrendPoint `report:"trend"`       // the runs that were used, in order of time, or of name where no run says when it began
	Ordered bool         `report:"by_time"`     // by time
	Levels  []Stretch    `report:"levels,said"` // stretches of one level each, in order; nil: fewer points than Least
	Least   int          `report:"min_runs"`    // points from which on levels are told
	Runs    []PastRun    `report:"all"`         // all that were given
	Held    *TrendAnchor // what the newest level is held to, see Hold; nil: to nothing
}

// TrendPoint is one run.
type TrendPoint struct {
	Name  string     `report:"name"`
	Began int64      `report:"began"` // UTC nanoseconds; 0 unknown
	Value float64    `report:"step"`  // median over steps of the median over ranks, in the metric's unit; of a shape its value of the run
	From  run.Origin `report:"origin"`
}

// Stretch is a stretch of runs without a change of level.
type Stretch struct {
	From   int     `report:"from"` // of Points, To is the first behind it
	To     int     `report:"to"`
	Value  float64 `report:"step"`
	Change Shift   // from the level before; zero for the first
}

// FollowMetric follows a metric over the runs of a history that have the most common configuration. Its changes of
// level are found by binary segmentation (Scott and Knott 1974): the series is cut at the split with the largest F
// statistic, if that is significant with an error of 1 % over all splits, and each part again. Under stat.MinHistory
// runs nothing is said about levels.
func FollowMetric(sets []*run.Set, metric string, policy policy.Policy) *Trend {
	out := &Trend{Metric: run.Metric{Name: metric, Unit: "s"}, Least: stat.MinHistory}
	for _, s := range SortSets(sets) {
		for _, m := range s.Metrics {
			if m.Name == metric {
				out.Metric = m
			}
		}
	}
	for _, s := range shapesOfRuns {
		if s.metric.Name == metric {
			out.Metric = s.metric
		}
	}
	past, runs := PastOf(sides.Of(MostCommonSet(sets), &run.Set{}, policy.Force), sets, map[string]LeftOut{}, AgainstUsed)
	if out.Runs = runs; past != nil {
		out.Follow(past)
	}
	return out
}

// Follow draws the metric over past runs.
func (out *Trend) Follow(h *Past) {
	out.Ordered = h.ordered || len(h.places) > 0
	var values []float64
	for i, v := range h.values(out.Metric.Name) {
		if r := h.Side.Runs[i]; !math.IsNaN(v) {
			out.Points = append(out.Points, TrendPoint{r.Name, r.Began, v, r.Source.Origin})
			values = append(values, v)
		}
	}
	if len(values) < stat.MinHistory {
		return
	}
	out.Levels = levels(values, 0)
	for i := range out.Levels[1:] {
		out.Levels[i+1].Change = shift(out.Metric, out.Levels[i].Value, out.Levels[i+1].Value)
	}
}

// Shift is by how much one level differs from another. The zero value: there is no other.
type Shift struct {
	By       float64 // a share of the other level where Relative, else in the metric's unit
	Relative bool
}

// shift returns the change from one level of a metric to another: relative, except for ratios and for what was zero
// before.
func shift(m run.Metric, before, after float64) Shift {
	if m.Unit == "ratio" || !(before > 0) {
		return Shift{By: after - before}
	}
	return Shift{By: after/before - 1, Relative: true}
}

// levels cuts values into stretches of one level each; the first begins at the point from.
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

// Followable checks that a metric can be followed over the runs of sets; the error names the metrics that can.
func Followable(sets []*run.Set, metric string) error {
	var names []string
	for _, s := range SortSets(sets) {
		for _, m := range s.Metrics {
			if m.Name == metric {
				return nil
			}
			if m.Main && !slices.Contains(names, m.Name) {
				names = append(names, m.Name)
			}
		}
	}
	for _, s := range shapesOfRuns {
		if s.metric.Name == metric {
			return nil
		}
		names = append(names, s.metric.Name)
	}
	return fmt.Errorf("no such metric; there are %s", strings.Join(names, ", "))
}
