package sides

import (
	"maps"
	"math"
	"slices"

	"perfdiff/analyze/run"
)

// What ranks do together is told apart, as into waiting and transfer, only where the calls of all
// of them could be matched. That can fail for some ranks of one side alone, as where another
// profiler names no peers, and the ranks that are left stand for another part of the job.

// matchJoint keeps values that ranks have together only for ranks that have them on both sides, unless a side has them
// for no rank: there they are not recorded. Communication whose dimension of parallelism is unknown is left out if the
// sides know of different dimensions.
func matchJoint(base, cand *Side) {
	names := jointMetrics(base, cand)
	held := [2]map[run.Key][]int{base.holders(names), cand.holders(names)}
	for key, ranks := range held[0] {
		others, both := held[1][key]
		if !both || slices.Equal(ranks, others) {
			continue
		}
		base.forgetKey(key, missingFrom(ranks, others))
		cand.forgetKey(key, missingFrom(others, ranks))
	}
	if slices.Equal(dimensionsOf(held[0]), dimensionsOf(held[1])) {
		return
	}
	for _, name := range []string{run.DimensionTime, run.DimensionWaitTime, run.DimensionTransferTime, run.DimensionBandwidth, run.DimensionAlgorithm} {
		key := run.Key{Metric: name, Part: run.OtherDimension}
		base.forgetKey(key, held[0][key])
		cand.forgetKey(key, held[1][key])
	}
}

// jointMetrics returns the metrics that measure several devices together and have one value for all ranks.
func jointMetrics(all ...*Side) map[string]bool {
	out := map[string]bool{}
	for _, s := range all {
		for _, m := range s.Set.Metrics {
			if m.Joint && m.AcrossDevices {
				out[m.Name] = true
			}
		}
	}
	return out
}

// holders returns, for each series of some metrics, the sorted numbers of the ranks that have values in half of their
// steps.
func (s *Side) holders(names map[string]bool) map[run.Key][]int {
	out := map[run.Key][]int{}
	s.EachRank(func(k *Rank) {
		if k.Index == nil || k.OnOneSideOnly || k.Rank.Rank < 0 {
			return
		}
		for key, at := range *k.Index {
			if names[key.Metric] && holdsHalf(k.Series[at].Values) {
				out[key] = append(out[key], k.Rank.Rank)
			}
		}
	})
	for key, ranks := range out {
		slices.Sort(ranks)
		out[key] = slices.Compact(ranks)
	}
	return out
}

func holdsHalf(values []float64) bool {
	n := 0
	for _, v := range values {
		if !math.IsNaN(v) {
			n++
		}
	}
	return n > 0 && 2*n >= len(values)
}

// missingFrom returns the ranks of a list that are not in the other; both are sorted.
func missingFrom(ranks, other []int) (out []int) {
	for _, n := range ranks {
		if _, is := slices.BinarySearch(other, n); !is {
			out = append(out, n)
		}
	}
	return out
}

// dimensionsOf returns the dimensions of parallelism that a side tells apart.
func dimensionsOf(held map[run.Key][]int) (out []string) {
	for key := range maps.Keys(held) {
		if key.Metric == run.DimensionTime {
			out = append(out, key.Part)
		}
	}
	slices.Sort(out)
	return out
}
