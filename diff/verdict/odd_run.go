package verdict

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
)

// OddRun is a run whose steps stand apart from those of all other runs of its side, as on a bad
// node.
type OddRun struct {
	Side   string    `report:"side"`
	Run    string    `report:"name"`
	Step   float64   `report:"step"`   // its median step, s
	Others []float64 `report:"others"` // those of the other runs of the side, s
	Hosts  []string  `report:"hosts"`  // that no other run of the side was on; nil: none, or not known
	// Part is the part of the step that holds most of what it takes longer or less, by By s;
	// of its zero value none holds half of it.
	Part run.Metric `report:"-"`
	By   float64    `report:"by"`
}

// OddRuns returns the runs that stand apart, at most one of each side; of whatever verdict.
func (p *Terms) OddRuns() (out []OddRun) {
	for _, s := range []*sides.Side{p.Base, p.Cand} {
		steps := medianOf(s, sides.StepTime)
		logs := make([]float64, len(steps))
		for i, v := range steps {
			logs[i] = math.Log(v)
		}
		at, _ := stat.Odd(logs, p.Policy.Floor)
		if at < 0 {
			continue
		}
		odd := OddRun{Side: s.Name, Run: s.Runs[at].Name, Step: steps[at], Others: slices.Delete(slices.Clone(steps), at, at+1)}
		odd.Hosts = ownHosts(s, at)
		odd.setPart(s, at)
		out = append(out, odd)
	}
	return out
}

// RunSteps returns the median steps of the runs of the baseline and of the candidate, s.
func (p *Terms) RunSteps() [][]float64 {
	return [][]float64{medianOf(p.Base, sides.StepTime), medianOf(p.Cand, sides.StepTime)}
}

// medianOf returns the medians of a series over the steps of each run of a side, NaN where a run
// has none.
func medianOf(s *sides.Side, key run.Key) []float64 {
	out := make([]float64, len(s.Runs))
	for i, r := range s.Runs {
		curve, _ := r.Curve(key)
		out[i] = stat.Median(curve)
	}
	return out
}

// ownHosts returns the hosts of a run of a side that none of the others was on.
func ownHosts(s *sides.Side, at int) (own []string) {
	others := map[string]bool{"": true}
	for i, r := range s.Runs {
		for _, k := range r.Ranks {
			others[k.Host] = others[k.Host] || i != at
		}
	}
	for _, k := range s.Runs[at].Ranks {
		if !others[k.Host] {
			own = append(own, k.Host)
		}
	}
	return sides.Distinct(own)
}

// whole are the parts that a step is made of, which add up to it.
var whole = []string{run.ComputeTime, run.ExposedCommTime, run.ExposedMemoryTime, run.IdleTime}

// setPart finds the part of the step that makes at least half of the difference between the run and the median of the
// others.
func (o *OddRun) setPart(s *sides.Side, at int) {
	off := o.Step - stat.Median(o.Others)
	for i := range s.Set.Metrics {
		m := &s.Set.Metrics[i]
		if !slices.Contains(whole, m.Name) {
			continue
		}
		values := medianOf(s, run.Key{Metric: m.Name})
		own := values[at] // which Delete moves
		by := own - stat.Median(slices.Delete(values, at, at+1))
		if by/off >= mostOfIt && math.Abs(by) > math.Abs(o.By) {
			o.Part, o.By = *m, by
		}
	}
}

// mostOfIt is the share of a difference that a part must hold to be named for it. By definition of most of it.
const mostOfIt = 0.5
