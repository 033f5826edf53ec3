package diff

import "perfdiff/analyze/run"

// gaps are the gap histograms of both sides, as gaps per rank and kept step, without
// steps per rank and second, from the first to the last bin that either side has a gap in.
func (p *Causes) gaps() []GapBin {
	base, cand := p.base.gaps(), p.cand.gaps()
	if p.stepless() {
		base, cand = p.base.gapsASecond(), p.cand.gapsASecond()
	}
	first, last := run.HistogramBins, -1
	for i := range base {
		if base[i] > 0 || cand[i] > 0 {
			first, last = min(first, i), i
		}
	}
	var out []GapBin
	for i := first; i <= last; i++ {
		b := GapBin{From: settled(run.Edge(i)), To: settled(run.Edge(i + 1)), Base: base[i], Cand: cand[i]}
		if i == 0 {
			b.From = 0 // the first bin holds everything shorter, too
		}
		out = append(out, b)
	}
	return out
}

// gaps is the mean over ranks of the gaps per kept step, by bin.
func (s *side) gaps() [run.HistogramBins]float64 {
	var sums [run.HistogramBins]float64
	ranks := 0.0
	s.each(func(k *oneRank) {
		kept := float64(len(k.Kept()))
		if kept == 0 || k.alone {
			return
		}
		ranks++
		for i, n := range k.Gaps.Counts {
			sums[i] += float64(n) / kept
		}
	})
	for i := range sums {
		if ranks > 0 {
			sums[i] /= ranks
		}
	}
	return sums
}
