package diff

import (
	"math"

	"perfdiff/analyze/run"
	"perfdiff/diff/cause"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
	"perfdiff/diff/verdict"
)

// RunRow is one run of one side: what its ranks measured, and one number for each metric, since the run is the unit of
// the test.
type RunRow struct {
	Name   string
	Commit string // of the code that ran; "" not known
	Began  int64  // UTC nanoseconds; 0 not known
	Used   int    // steps that enter
	// Values are every metric and part, by key "metric" or "metric/part": over the steps that
	// enter the median of what ranks take in the median, in the metric's unit.
	Values map[string]float64
	// Tested are the numbers that the test compares, by metric, on the scale of the test.
	Tested map[string]float64
	Ranks  []RankOfRun // in order of number
}

// RankOfRun is one rank as one run measured it.
type RankOfRun struct {
	Rank int // -1: not known
	*RankSide
}

// runRows returns the runs of both sides. A rank that stands in a row of ranks is not measured again.
func runRows(p *cause.Causes, rows []RankRow, parts []cause.Part, lists ...[]verdict.Comparison) (out [2][]RunRow) {
	keys := keysOf(lists...)
	p.BothAtOnce(func(side int, s *sides.Side) {
		known := map[*sides.Rank]*RankSide{}
		first := slots(s)
		for i, at := range rankOrder(p) {
			known[first[at]] = rows[i].of(side)
		}
		for i, r := range s.Runs {
			row := RunRow{Name: r.Name, Commit: r.Source.Origin.Commit, Began: r.Began, Used: len(r.Used), Values: map[string]float64{}, Tested: map[string]float64{}}
			var before lastRank
			for _, k := range r.Ranks {
				of := known[k]
				if of == nil {
					measured := rankSide(p, side, k, &before, keys, parts)
					of = &measured
				}
				row.Ranks = append(row.Ranks, RankOfRun{k.Rank.Rank, of})
			}
			for _, key := range keys {
				if curve, _ := r.Curve(key); curve != nil {
					row.Values[name(key)] = stat.Median(stat.Known(curve))
				}
			}
			for _, list := range lists {
				for k := range list {
					if v := testedOf(&list[k], s, side, i); !math.IsNaN(v) {
						row.Tested[list[k].Key.Metric] = v
					}
				}
			}
			out[side] = append(out[side], row)
		}
	})
	return out
}

// testedOf returns the number of one run of a side that a test compares; NaN where the run is not tested.
func testedOf(c *verdict.Comparison, s *sides.Side, side, at int) float64 {
	values := c.Tested[side]
	if c.Part != "" || len(values) == 0 {
		return math.NaN()
	}
	if len(values) == len(s.Runs) {
		return values[at]
	}
	holds := func(r *sides.Run) bool { curve, _ := r.Curve(c.Key); return len(stat.Known(curve)) > 0 }
	if !holds(s.Runs[at]) {
		return math.NaN()
	}
	place := 0 // among the runs that have the series
	for _, r := range s.Runs[:at] {
		if holds(r) {
			place++
		}
	}
	return values[place]
}

// of returns one side of a row.
func (r *RankRow) of(side int) *RankSide { return [2]*RankSide{&r.Base, &r.Cand}[side] }

// keysOf returns the keys of comparisons.
func keysOf(lists ...[]verdict.Comparison) (keys []run.Key) {
	for _, list := range lists {
		for i := range list {
			keys = append(keys, list[i].Key)
		}
	}
	return keys
}
