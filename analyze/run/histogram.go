package run

import (
	"math"
	"math/bits"
)

// Histogram counts gaps by length, in ten bins a decade from 1 us.
type Histogram struct {
	Counts [HistogramBins]int64 // gaps shorter than 1 us are in bin 0
	Total  int64                // ns in all gaps
}

// HistogramBins is the number of bins, which cover 1 us to 1,000 s.
const HistogramBins = 90

// Bin is the bin of a gap of so many ns.
func Bin(ns int64) int {
	if ns < 1000 {
		return 0
	}
	bin := int(firstBin[bits.Len64(uint64(ns))]) // of the powers of two, where logarithms of millions of gaps take long
	for bin < HistogramBins-1 && ns >= binEdges[bin+1] {
		bin++
	}
	return bin
}

// binEdges are the shortest gaps of the bins, in ns, and firstBin is the bin of the
// shortest gap of so many bits.
var binEdges, firstBin = func() (edges [HistogramBins]int64, first [65]uint8) {
	of := func(ns int64) int { return min(HistogramBins-1, int(10*math.Log10(float64(ns)/1000))) }
	for i := range edges {
		edges[i] = int64(math.Ceil(1000 * math.Pow(10, float64(i)/10)))
		for of(edges[i]) < i { // by rounding
			edges[i]++
		}
	}
	for n := 11; n < len(first); n++ {
		first[n] = uint8(of(1 << (n - 1)))
	}
	return edges, first
}()

// Edge is the lower edge of a bin, in seconds.
func Edge(i int) float64 { return 1e-6 * math.Pow(10, float64(i)/10) }
