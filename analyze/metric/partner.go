package metric

import (
	"cmp"
	"maps"
	"slices"

	"perfdiff/analyze/collective"
	"perfdiff/analyze/group"
	"perfdiff/analyze/interval"
	"perfdiff/analyze/run"
)

// visitKept visits the kernels in kept steps that wants accepts, each with the ns of it in which no compute runs.
func (c *Communication) visitKept(r *run.Rank, wants func(k int) bool, visit func(k int, exposed int64)) {
	var exposed, inside interval.Set
	unpacked := -1
	for k := range c.Spans {
		s := &c.Spans[k]
		if s.Step >= len(r.Steps) || r.Steps[s.Step].Dropped != "" || !r.Steps[s.Step].HasWindow() || !wants(k) {
			continue
		}
		if unpacked != s.Step && s.Step < len(c.Exposed) {
			exposed, unpacked = c.Exposed[s.Step].Unpack(exposed[:0]), s.Step
		}
		inside = exposed.Clip(inside[:0], s.Start, s.End)
		visit(k, inside.Total())
	}
}

// countedUse is a use that is being counted.
type countedUse struct {
	run.GroupUse
	seen [2]int // rank and step of the last call, from 1
}

// count counts a kernel of rank i that runs for exposed ns without compute.
func (u *countedUse) count(s *collective.Span, split collective.Split, i int, exposed int64) {
	if now := [2]int{i + 1, s.Step + 1}; u.seen != now {
		u.seen = now
		u.Steps++
	}
	u.Calls++
	u.Bytes += float64(s.Bytes)
	u.Time += s.End - s.Start
	u.Exposed += exposed
	if split.Wait != collective.Unknown {
		u.Split++
		u.Wait += split.Wait
		u.Transfer += s.End - s.Start - split.Wait
	}
}

// countedPair is a pair whose kernels are being counted.
type countedPair struct {
	countedUse
	dimension string
	several   bool // its groups serve different dimensions
}

// findPairs returns the ranks of a run that send to each other in kept steps, if both are known: the kernels of the
// two were matched, or the program names the other rank of the job.
func (g *groups) findPairs(ranks []run.Rank, comms []Communication, splits [][]collective.Split) []run.Pair {
	found := map[[2]int]*countedPair{}
	for i := range ranks {
		own, peer := ranks[i].Rank, -1
		known := func(k int) bool { // asked first, since of a single rank none is
			if s := &comms[i].Spans[k]; s.PointToPoint() {
				peer = g.peerRank(ranks, s, splits[i][k])
				return peer >= 0 && peer != own
			}
			return false
		}
		comms[i].visitKept(&ranks[i], known, func(k int, exposed int64) {
			s := &comms[i].Spans[k]
			at := [2]int{min(own, peer), max(own, peer)}
			dimension := string(g.dimensionOf[s.Comm])
			x := found[at]
			if x == nil {
				x = &countedPair{dimension: dimension}
				found[at] = x
			}
			x.several = x.several || x.dimension != dimension
			x.count(s, splits[i][k], i, exposed)
		})
	}
	order := slices.SortedFunc(maps.Keys(found), func(a, b [2]int) int { return cmp.Or(cmp.Compare(a[0], b[0]), cmp.Compare(a[1], b[1])) })
	var out []run.Pair
	for _, at := range order[:min(len(order), run.MaxPairs)] {
		x := found[at]
		x.Collective = sendRecv
		if x.several {
			x.dimension = string(group.Unknown)
		}
		out = append(out, run.Pair{Ranks: at, Dimension: x.dimension, Use: x.GroupUse})
	}
	return out
}

// peerRank returns the rank that a point-to-point kernel exchanges data with; -1 unknown.
func (g *groups) peerRank(ranks []run.Rank, s *collective.Span, split collective.Split) int {
	if split.Peer != collective.Nobody {
		return ranks[split.Peer].Rank
	}
	if of := g.numbered[s.Comm]; s.Peer > 0 && int(s.Peer) <= len(of) {
		return of[s.Peer-1]
	}
	return -1
}
