// Package collective sees one collective on many ranks: which kernels of the
// ranks of a run belong together, and how much of each is waiting for the last
// rank to arrive.
package collective

import (
	"slices"

	"perfdiff/analyze/run"
)

// Match finds which kernels of the ranks belong to one collective, and splits each kernel's time into wait and
// transfer. The result has an entry for every span of every rank. Match also says how well the clocks of hosts agree.
// world is the number of ranks in the job, 0 unknown; hosts names the host of each rank, nil if clocks are not asked
// for.
//
// Kernels belong together if they share communicator and sequence number. Where these are not recorded, kernels are
// matched by their place among the collectives of a step, if all ranks have the same ones in the same order; else by
// their place among those of the same kind, if all ranks have equally many. Ranks with different counts are left
// unmatched: their kernels are never shifted against each other.
//
// In most collectives every rank waits for the last one, and durations tell wait from transfer. Where data flows from
// or to one rank, between two, or in messages of different sizes, a rank may be done early; such collectives are split
// only where the clocks show what happened. A point-to-point kernel with an unknown peer is matched only if nothing
// else is possible, see matchByTime. That all ranks have equally many of them does not make them an all-to-all: ranks
// that work in pairs have, too.
func Match(ranks []Rank, hosts []string, world int) ([][]Split, run.Clocks) {
	m := &matcher{ranks: ranks, world: world}
	m.setHosts(hosts)
	var clocks run.Clocks
	splits := make([][]Split, len(ranks))
	for r := range ranks {
		clocks.Kernels += len(ranks[r].Spans)
		splits[r] = slices.Repeat([]Split{{Wait: Unknown, Last: Nobody, Uneven: -1, Peer: Nobody}}, len(ranks[r].Spans))
		for i := range ranks[r].Spans {
			if ranks[r].Spans[i].PointToPoint() {
				clocks.PointToPoint++
			}
		}
	}
	steps := m.spansByStep()
	for _, step := range steps {
		m.matchStep(step)
		if clocks.PointToPoint > 0 {
			m.matchPairs(step)
		}
	}
	m.align(&clocks)
	if clocks.PointToPoint > 0 {
		m.matchByTime(steps)
	}
	for _, g := range m.groups {
		f := m.members[g.from:g.to]
		clocks.Matched += len(f)
		if g.dependence == pointToPointPair {
			clocks.PointToPoint -= len(f)
			splits[f[0].rank][f[0].span].Peer, splits[f[1].rank][f[1].span].Peer = f[1].rank, f[0].rank
		}
		if !m.split(g, splits) {
			clocks.Unsplit += len(f)
		}
	}
	return splits, clocks
}
