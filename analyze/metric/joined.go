package metric

import (
	"slices"

	"perfdiff/analyze/run"
)

// AddOverRanks adds to the ranks of one run what is measured over all of them: comms belongs to
// ranks. What is measured of a whole node stays on one of its ranks. How the clocks of the
// run's hosts agree is returned.
func AddOverRanks(ranks []run.Rank, comms []Communication) (clocks run.Clocks) {
	addRankMetrics(ranks)
	for _, m := range All() {
		if m.OfKernels != nil {
			clocks = m.OfKernels(ranks, comms)
		}
	}
	keepOnePerNode(ranks)
	return clocks
}

// addRankMetrics adds what the values of all ranks tell.
func addRankMetrics(ranks []run.Rank) {
	for _, m := range All() {
		if m.OfRanks != nil {
			m.OfRanks(ranks)
		}
	}
}

// JoinNodes makes the ranks of one run of those that were measured apart, as on single
// nodes: what is measured over all ranks is measured anew where single values tell it,
// and taken away where only the profiles do.
func JoinNodes(ranks []run.Rank, apart []run.Clocks) run.Clocks {
	for i := range ranks {
		r := &ranks[i]
		r.Waits = nil
		r.Series = slices.DeleteFunc(slices.Clone(r.Series), func(s run.Series) bool {
			at, known := placeByName()[s.Metric]
			return known && All()[at].When == InRun
		})
	}
	addRankMetrics(ranks)
	var out run.Clocks
	for _, c := range apart {
		out.Kernels += c.Kernels
		out.PointToPoint += c.PointToPoint
	}
	if out.Kernels > 0 {
		setReasons(&out, []run.Inseparable{{Why: run.NodeSummaries}}) // the single collectives are gone
	}
	return out
}

// RedescribeInseparable puts into the descriptions of a set's metrics why none of its runs has them,
// as SayUnseparable does, in place of what was said of its parts.
func RedescribeInseparable(set *run.Set) {
	waits := waitMetrics()
	for i := range set.Metrics {
		m := &set.Metrics[i]
		if at := slices.IndexFunc(waits, func(w Metric) bool { return w.Name == m.Name }); at >= 0 {
			m.Needs = waits[at].Needs
		}
	}
	DescribeInseparable(set)
}
