package diff

import (
	"fmt"
	"math"

	"perfdiff/analyze/run"
	"perfdiff/diff/number"
	"perfdiff/diff/stat"
)

// A rank is a straggler that arrives last at more than half of the collectives
// of a run with at least three ranks.
const (
	stragglerShare = 0.5
	stragglerRanks = 3
)

// straggler is the rank of a side that arrives last most often.
type straggler struct {
	rank  int
	share float64 // of all collectives of its run
	phase string  // what it does longer than the median rank: "computes", "waits for input"; "" unknown
	more  float64 // by how much, s a step
}

// phases are what a rank can be late with, by metric.
var phases = []struct{ metric, verb string }{
	{"compute_time", "computes"}, {"input_wait_time", "waits for input"},
}

// straggler is that of the side over all its runs, if it has one.
func (s *side) straggler() (straggler, bool) {
	last := run.Key{Metric: "last_arrivals"}
	total, of, numbers := 0.0, map[int]float64{}, s.numbers()
	if len(numbers) < stragglerRanks {
		return straggler{}, false
	}
	s.each(func(k *oneRank) {
		for _, v := range k.usedValues(last) {
			of[k.Rank.Rank] += v
			total += v
		}
	})
	who := numbers[0]
	for _, n := range numbers {
		if of[n] > of[who] {
			who = n
		}
	}
	if of[who] <= stragglerShare*total {
		return straggler{}, false
	}
	out := straggler{rank: who, share: of[who] / total}
	for _, p := range phases {
		var all, own []float64
		s.each(func(k *oneRank) {
			mean := stat.Mean(k.usedValues(run.Key{Metric: p.metric}))
			if all = append(all, mean); k.Rank.Rank == who {
				own = append(own, mean)
			}
		})
		if d := stat.Mean(own) - stat.Median(all); d > out.more {
			out.phase, out.more = p.verb, d
		}
	}
	return out, true
}

// stragglers is the finding about a rank that all others wait for, where that
// changed between the sides and the waiting with it.
func (p *pair) stragglers(r *Report) []Finding {
	wait := metricOf(r.Parts, "exposed_wait_time")
	if wait == nil || !wait.changed() || !(math.Abs(wait.Delta) >= p.policy.Threshold*p.step) {
		return nil
	}
	base, before := p.base.straggler()
	cand, after := p.cand.straggler()
	f := Finding{Metric: "exposed_wait_time", Section: "ranks", Effect: wait.Delta}
	sc := number.ScaleOf("s", math.Max(wait.Base, wait.Cand))
	f.Number, f.Unit = sc.Signed(wait.Delta), sc.Name
	switch {
	case after && wait.Delta > 0 && !(before && base.rank == cand.rank && base.share >= cand.share):
		f.Class = "worse"
		f.Text = fmt.Sprintf("Rank %d arrives last at %s of all collectives, and the others wait for it.", cand.rank, number.Share(cand.share))
		if cand.phase != "" && cand.more >= wait.Delta/2 {
			f.Text = fmt.Sprintf("Rank %d arrives last at %s of all collectives: it %s %s a step longer than the median rank, and the others wait.",
				cand.rank, number.Share(cand.share), cand.phase, sc.With(cand.more))
		}
	case before && wait.Delta < 0 && !(after && base.rank == cand.rank):
		f.Class = "better"
		f.Text = fmt.Sprintf("Rank %d, which arrived last at %s of all collectives, no longer does.", base.rank, number.Share(base.share))
	default:
		return nil
	}
	return []Finding{f}
}
