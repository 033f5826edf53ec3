package metric

import (
	"math"
	"slices"

	"perfdiff/analyze/order"
	"perfdiff/analyze/run"
	"perfdiff/analyze/source/remedy"
	"perfdiff/analyze/trace"
)

// computeSkew returns the metric that is measured over ranks, after each rank was measured by itself.
func computeSkew() Metric {
	return Metric{
		Metric: run.Metric{Name: run.ComputeSkew, Unit: "s", Better: run.Lower, Main: true, Joint: true,
			Doc:    "How much longer the rank with the most compute time computes than the median rank.",
			Remedy: remedy.Same("at least two ranks of the same run"),
			Traits: run.Traits{Subject: "Compute skew", Section: run.SectionBreakdown, PartOfStep: true, Depth: run.DepthKinds, Finding: "compute-skew",
				Formula: "largest compute_time over the ranks − their median"}},
		Requires: trace.HasDevice,
		MadeOf:   kindOfWork,
		When:     InRun,
		OfRanks:  addSkew,
	}
}

// addSkew adds compute_skew to the ranks of a run: one value for each step number, the same on every rank that has the
// step; none for a step of fewer than two ranks.
//
// If any rank lost its compute time, nobody knows who computes longest, and no rank has a value. The reason stays with
// the ranks that lost it: the files of the others lack nothing.
func addSkew(ranks []run.Rank) {
	lost := false
	for i := range ranks {
		if why := ranks[i].WhyLost(run.ComputeTime); why != "" {
			lost = true
			ranks[i].Lost = run.MergeLost(ranks[i].Lost, []run.LostMetric{{Metric: run.ComputeSkew, Why: why}})
		}
	}
	if lost {
		return
	}
	key := run.Key{Metric: run.ComputeTime}
	byStep := map[int64][]float64{}
	for i := range ranks {
		for s, v := range ranks[i].Values(key) {
			if !math.IsNaN(v) && ranks[i].Steps[s].Dropped == "" {
				n := ranks[i].Steps[s].Number
				byStep[n] = append(byStep[n], v)
			}
		}
	}
	skew := make(map[int64]float64, len(byStep))
	for n, v := range byStep {
		if len(v) > 1 {
			skew[n] = slices.Max(v) - order.Median(v)
		}
	}
	if len(skew) == 0 {
		return
	}
	for i := range ranks {
		values := filled(len(ranks[i].Steps), math.NaN())
		for s, st := range ranks[i].Steps {
			if v, ok := skew[st.Number]; ok && st.Dropped == "" {
				values[s] = v
			}
		}
		ranks[i].Series = append(ranks[i].Series, run.Series{Key: run.Key{Metric: run.ComputeSkew}, Values: values})
	}
}
