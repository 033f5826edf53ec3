package metric

import (
	"slices"

	"perfdiff/analyze/run"
)

// AddOverRanks adds to the ranks of one run what is measured over all of them; comms[i] is the communication of
// ranks[i]. What is measured for a whole node stays on one of its ranks. It returns how the clocks of the run's hosts
// agree, and which ranks communicate with each other.
func AddOverRanks(ranks []run.Rank, comms []Communication) (clocks run.Clocks, partners run.Communication) {
	addRankMetrics(ranks)
	for _, m := range All() {
		if m.OfKernels != nil {
			clocks, partners = m.OfKernels(ranks, comms)
		}
	}
	keepOnePerNode(ranks)
	return clocks, partners
}

// addRankMetrics adds the metrics that follow from the values of all ranks.
func addRankMetrics(ranks []run.Rank) {
	for _, m := range All() {
		if m.OfRanks != nil {
			m.OfRanks(ranks)
		}
	}
}

// JoinNodes makes one run of ranks that were measured node by node, each with its own clocks. Metrics over all ranks
// are measured again if the ranks' values are enough for it, and removed if that would need the profiles.
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

// RedescribeInseparable describes a joined set anew, as DescribeInseparable does, without what was said about its
// parts.
func RedescribeInseparable(set *run.Set) {
	waits := waitMetrics()
	for i := range set.Metrics {
		m := &set.Metrics[i]
		if at := slices.IndexFunc(waits, func(w Metric) bool { return w.Name == m.Name }); at >= 0 {
			*m = m.Needing(waits[at].Remedy)
		}
	}
	DescribeInseparable(set)
}
