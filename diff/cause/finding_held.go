package cause

import (
	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
	"perfdiff/diff/verdict"
)

// heldFinding reports what changed in the device memory that steps hold: that they keep some of it for good, which
// also moves the peak, or else the peak.
func heldFinding(p *Causes) []Finding {
	if f := growthFinding(p); f != nil {
		return f
	}
	for _, name := range []string{run.MemoryAllocatedPeak, run.MemoryReservedPeak} {
		c := verdict.MetricOf(p.Metrics, name)
		if c == nil || c.NotRecorded[0].Is() || c.NotRecorded[1].Is() {
			continue // reserved is all that is known
		}
		if !c.Changed() {
			return nil
		}
		f := changeFinding(p, subject{metric: name, kind: policy.KindMemoryPeak}, c)
		if peak, rank := peakOf(p.Cand); peak != nil && peak.During != "" {
			during := ClausePeakDuring.clause(peak.During)
			during.Ranks = []int{rank}
			f.add(during)
		}
		if f.Class == verdict.ClassWorse {
			f.Advice.Kind = AdviceMemoryPeak
		}
		return []Finding{f}
	}
	return nil
}

// peakOf returns the largest peak of a side, and its rank.
func peakOf(s *sides.Side) (most *run.MemoryPeak, rank int) {
	s.EachRank(func(k *sides.Rank) {
		if x := run.LargerPeak(most, k.MemoryPeak); x != most {
			most, rank = x, k.Rank.Rank
		}
	})
	return most, rank
}

// Bounds of growth. Chosen, not measured: amounts of memory repeat to the byte, so these only separate what goes on
// from what a run does once.
const (
	leastGrowth = 0.005 // of the peak, that a run must keep in all
	evenGrowth  = 0.25  // of it, that each half of the run must keep
	growthSteps = 6     // with fewer a run says nothing of what goes on
)

// growthFinding reports that the steps of one side keep memory for good in all of its runs, and those of the other in
// none.
func growthFinding(p *Causes) []Finding {
	c := p.Part(run.Key{Metric: run.MemoryGrowth})
	if c == nil || c.NotRecorded[0].Is() || c.NotRecorded[1].Is() || c.Reason == verdict.ReasonNotJudged {
		return nil
	}
	base, cand := growth(p, p.Base), growth(p, p.Cand)
	if base.runs == 0 || cand.runs == 0 || !(base.grow == 0 && cand.grow == cand.runs || base.grow == base.runs && cand.grow == 0) {
		return nil
	}
	f := NewFinding(policy.KindMemoryGrowth)
	f.of(c)
	f.Metric, f.Class, f.Section = run.MemoryGrowth, verdict.ClassWorse, c.Metric.Section
	f.Base, f.Cand, f.Delta, f.OfMeans = base.mean, cand.mean, cand.mean-base.mean, true
	f.Evidence = Evidence{Kind: EvidenceHeld, Of: c.Key, Counts: [2]int{base.runs, cand.runs}}
	if f.Advice.Kind = AdviceMemoryGrowth; base.grow > 0 {
		f.Class, f.Advice = verdict.ClassBetter, Advice{}
	}
	return []Finding{f}
}

// memoryGrowth says how many runs of a side keep memory for good, and how much.
type memoryGrowth struct {
	runs, grow int     // those that are known, and those of them that grow
	mean       float64 // bytes a step
}

func growth(p *Causes, s *sides.Side) (g memoryGrowth) {
	peak := 0.0
	for _, name := range []string{run.MemoryReservedPeak, run.MemoryAllocatedPeak} {
		if m := s.Measure(run.Key{Metric: name}); len(m.Rows) > 0 {
			peak = p.TypicalStep(m)
		}
	}
	var means []float64
	for _, row := range s.Measure(run.Key{Metric: run.MemoryGrowth}).Rows {
		kept := stat.Known(row)
		if len(kept) < growthSteps || !(peak > 0) {
			continue
		}
		g.runs++
		half := len(kept) / 2
		first, second := total(kept[:half]), total(kept[half:])
		means = append(means, (first+second)/float64(len(kept)))
		if all := first + second; all >= leastGrowth*peak && first >= evenGrowth*all && second >= evenGrowth*all {
			g.grow++
		}
	}
	g.mean = stat.Mean(means)
	return g
}

func total(values []float64) (sum float64) {
	for _, v := range values {
		sum += v
	}
	return sum
}
