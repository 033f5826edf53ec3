package metric

import (
	"math/bits"

	"perfdiff/analyze/order"
)

// Which half of a long list a gap is in follows no pattern, so that a search by comparing waits
// half of its time for branches that were foreseen wrong. To count the gaps by length, with
// sixteen bins for each power of two, has none; what is left to search is the few gaps in the
// bins of the quantiles.

// minBinnedGaps is how many gaps a step has at least for which that is taken. Chosen, not measured: below, the bins are
// more than the gaps.
const minBinnedGaps = 512

const (
	gapBinBits = 4 // of a length, behind its first one, that are part of its bin
	gapBins    = 64 << gapBinBits
)

// gapBin returns the bin of the length of a gap that counts, in ns: they are in order of length.
func gapBin(ns int64) int {
	n := bits.Len64(uint64(ns)) - 1
	return (n<<gapBinBits | int(uint64(ns)>>((n-gapBinBits)&63)&(1<<gapBinBits-1))) % gapBins
}

// binnedQuantiles does what gapQuantiles does for many gaps.
func binnedQuantiles(gaps []int64) (out [len(quantiles)]int64) {
	var count [gapBins]int32
	for _, ns := range gaps {
		count[gapBin(ns)]++
	}
	var wanted [gapBins]bool
	var in, place [len(quantiles)]int // the bin of each quantile, and its place in it
	var found [len(quantiles)][]int64
	for i := range quantiles {
		at, bin := order.NearestRank(len(gaps), quantiles[i]), 0
		for ; at >= int(count[bin]); bin++ {
			at -= int(count[bin])
		}
		wanted[bin], in[i], place[i] = true, bin, at
		found[i] = make([]int64, 0, count[bin])
	}
	for _, ns := range gaps {
		bin := gapBin(ns)
		if !wanted[bin] {
			continue
		}
		for i := range in {
			if in[i] == bin {
				found[i] = append(found[i], ns)
			}
		}
	}
	for i := range found {
		out[i] = order.Select(found[i], place[i])
	}
	return out
}
