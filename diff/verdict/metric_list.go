package verdict

import (
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/sides"
)

// MergedMetrics returns the metrics of both sides: the baseline's list, then those that only the candidate has.
func MergedMetrics(base, cand []run.Metric) []run.Metric {
	out := slices.Clone(base)
	for _, m := range cand {
		at := slices.IndexFunc(out, func(have run.Metric) bool { return have.Name == m.Name })
		if at < 0 {
			out = append(out, m)
		} else if m.OfResult && m.Unit != out[at].Unit { // one number cannot be in two units
			out[at].Better, out[at].Main = run.Neither, false
		}
	}
	return out
}

// stepMetric is the step time of sides whose summaries do not describe it.
var stepMetric = run.Metric{Name: sides.StepTime.Metric, Unit: "s", Better: run.Lower, Main: true,
	Traits: run.Traits{Subject: "Step time", Section: run.SectionSteps, Depth: run.DepthStep}}

// keysOf returns the series of a metric on either side: itself, then its parts in
// order of name. A main metric is there even if no side recorded it.
func keysOf(p *sides.Lined, m run.Metric) []run.Key {
	if m.Name == sides.KernelTime || m.Name == sides.KernelLaunches {
		return nil
	}
	found := map[string]bool{}
	if m.Main || m.OfResult {
		found[""] = true
	}
	for _, s := range []*sides.Side{p.Base, p.Cand} {
		var last *sides.SeriesIndex
		s.EachRank(func(k *sides.Rank) {
			if k.Index == last {
				return
			}
			last = k.Index
			for i := range k.Series { // those that were forgotten too
				if k.Series[i].Metric == m.Name {
					found[k.Series[i].Part] = true
				}
			}
		})
	}
	var keys []run.Key
	for _, part := range sides.SortedKeys(found) {
		keys = append(keys, run.Key{Metric: m.Name, Part: part})
	}
	return keys
}
