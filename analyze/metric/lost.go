package metric

import (
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// Sets of contents that several metrics are made of.
const (
	deviceWork = trace.Kernels | trace.Copies
	kindOfWork = trace.Kernels | trace.Kinds
	hostWork   = trace.Ranges | trace.SystemCalls | trace.Operators
)

// madeOfCauses is what the causes of idle time are found from, besides idle time itself.
const madeOfCauses = trace.Calls | hostWork | trace.Clocks

// madeOfWaits is what tells why the device waited in a gap: whether its next work was launched before the gap, by the
// host's clock.
const madeOfWaits = deviceWork | trace.Calls | trace.Clocks

// lacks reports whether any of these contents was lost from the capture, in whole or in part.
func (r *Rank) lacks(of trace.Content) bool { return r.Trace.Incomplete()&of != 0 }

// mayRecord reports whether a series can be measured from what the capture still holds.
func (r *Rank) mayRecord(key seriesKey) bool {
	if key.Metric == run.IdleTime && key.Part != "" && r.lacks(madeOfCauses) {
		return false
	}
	return !r.lacks(madeOf(key))
}

// Lost returns the metrics that the capture does not hold whole, in the order of All.
func (r *Rank) Lost() (out []run.LostMetric) {
	for _, m := range All() {
		if why := r.lost(&m); why != "" {
			out = append(out, run.LostMetric{Metric: m.Name, Why: why})
		}
	}
	return out
}

// LoseKinds notes that the kinds of a measured rank's kernels are not known, and drops what was measured from them.
func LoseKinds(r *run.Rank, why string) {
	lost := map[string]bool{}
	var all []run.LostMetric
	for _, m := range All() {
		if m.MadeOf&trace.Kinds != 0 {
			lost[m.Name] = true
			all = append(all, run.LostMetric{Metric: m.Name, Why: why})
		}
	}
	r.Lost = run.MergeLost(r.Lost, all)
	r.Series = slices.DeleteFunc(r.Series, func(s run.Series) bool { return lost[s.Metric] })
}
