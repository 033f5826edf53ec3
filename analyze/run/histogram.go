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

// Bin returns the bin of a gap of so many ns.
func Bin(ns int64) int {
	if ns < 1000 {
		return 0
	}
	length := bits.Len64(uint64(ns))
	at := int(firstBin[length][uint64(ns)>>(length-1-eighthBits)%(1<<eighthBits)])
	return at + int(uint64(binEnds[at]-ns)>>63) // one bin more without a branch, which no processor foresees
}

// binEnds holds the longest gap of each bin, in ns. firstBin holds the bin of the shortest gap with so many bits and
// the same bits after the first: it replaces logarithms, which take long for millions of gaps. A bin is longer than an
// eighth of a power of two, so a gap is in this bin or in the next.
var binEnds, firstBin = func() (ends [HistogramBins]int64, first [65][1 << eighthBits]uint8) {
	of := func(ns int64) int { return min(HistogramBins-1, int(10*math.Log10(float64(ns)/1000))) }
	for i := range ends {
		ends[i] = int64(math.Ceil(1000*math.Pow(10, float64(i+1)/10))) - 1
		for of(ends[i]+1) <= i && i < HistogramBins-1 { // by rounding
			ends[i]++
		}
	}
	ends[HistogramBins-1] = math.MaxInt64
	for n := 10; n < len(first)-1; n++ {
		for k := range first[n] {
			first[n][k] = uint8(of(max(1000, 1<<(n-1)+int64(k)<<(n-1-eighthBits))))
		}
	}
	return ends, first
}()

// eighthBits is the number of bits after the first one of a gap that say which eighth it is in.
const eighthBits = 3

// Edge returns the lower edge of a bin, in seconds.
func Edge(i int) float64 { return 1e-6 * math.Pow(10, float64(i)/10) }
