package cause

import (
	"perfdiff/analyze/run"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// compareGaps returns the gap histograms of both sides, as gaps per rank and kept step, without
// steps per rank and second, from the first to the last bin that either side has a gap in.
func compareGaps(p *Causes) []GapBin {
	stepless := verdict.Stepless(p.Judged.Lined)
	base, cand := gaps(p.Base, stepless), gaps(p.Cand, stepless)
	first, last := run.HistogramBins, -1
	for i := range base {
		if base[i] > 0 || cand[i] > 0 {
			first, last = min(first, i), i
		}
	}
	var out []GapBin
	for i := first; i <= last; i++ {
		b := GapBin{From: verdict.Settled(run.Edge(i)), To: verdict.Settled(run.Edge(i + 1)), Base: base[i], Cand: cand[i]}
		if i == 0 {
			b.From = 0 // the first bin holds everything shorter, too
		}
		out = append(out, b)
	}
	return out
}

// gaps returns the mean over ranks of the gaps per kept step, or a second of the device, by bin.
func gaps(s *sides.Side, stepless bool) [run.HistogramBins]float64 {
	var sums [run.HistogramBins]float64
	ranks := 0.0
	s.EachRank(func(k *sides.Rank) {
		all, times, over := &k.Gaps, 1.0, float64(len(k.Kept()))
		if stepless {
			if over = 0; k.Whole != nil {
				all, times, over = &k.Whole.Gaps, 1e9, float64(k.Whole.Device)
			}
		}
		if over <= 0 || k.OnOneSideOnly {
			return
		}
		ranks++
		for i, n := range all.Counts {
			sums[i] += float64(n) * times / over
		}
	})
	for i := range sums {
		if ranks > 0 {
			sums[i] /= ranks
		}
	}
	return sums
}
