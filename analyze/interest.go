package analyze

import (
	"cmp"
	"math"
	"slices"

	"perfdiff/analyze/order"
	"perfdiff/analyze/picture"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// wishes returns what timelines of a run should show, which is known only after all its ranks: the ranks that a report
// may name, and a step in which each of them is late.
func wishes(ranks []run.Rank) picture.Wishes {
	excess := ownExcess(ranks)
	late := ranksOftenLast(ranks)
	if slow, ok := slowestOwn(excess); ok && !slices.Contains(late, slow) {
		late = append(late, slow)
	}
	return picture.Wishes{
		Ranks: func(step int64) []int { return ranksByInterest(ranks, step, late) },
		Late:  func(typical int64, proposed []int64) []int64 { return lateSteps(excess, late, typical, proposed) },
	}
}

// ranksByInterest sorts the ranks for the timeline of a step, which may not have room for all: first the one that
// arrives last, then the one that waits longest, then those that are late all the time or take longest themselves,
// then the others by number.
func ranksByInterest(ranks []run.Rank, step int64, late []int) []int {
	value := func(r *run.Rank, metric string) float64 {
		i := slices.IndexFunc(r.Steps, func(s trace.Step) bool { return s.Number == step })
		if v := r.Values(run.Key{Metric: metric}); i >= 0 && v != nil && v[i] > 0 {
			return v[i]
		}
		return 0
	}
	var out []int
	add := func(rank int) {
		if !slices.Contains(out, rank) {
			out = append(out, rank)
		}
	}
	for _, metric := range []string{run.LastArrivals, run.ExposedWaitTime} {
		best, most := -1, 0.0
		for i := range ranks {
			if v := value(&ranks[i], metric); v > most && !slices.Contains(out, ranks[i].Rank) {
				best, most = ranks[i].Rank, v
			}
		}
		if best >= 0 {
			add(best)
		}
	}
	for _, rank := range late {
		add(rank)
	}
	for i := range ranks {
		add(ranks[i].Rank)
	}
	return out
}

// ranksOftenLast returns the ranks that most often arrive last over all steps, the most frequent
// first: as many as a timeline draws closely.
func ranksOftenLast(ranks []run.Rank) []int {
	type often struct {
		rank  int
		times float64
	}
	var all []often
	for i := range ranks {
		sum := 0.0
		for _, v := range ranks[i].Values(run.Key{Metric: run.LastArrivals}) {
			if v > 0 {
				sum += v
			}
		}
		if sum > 0 {
			all = append(all, often{ranks[i].Rank, sum})
		}
	}
	slices.SortStableFunc(all, func(a, b often) int { return cmp.Compare(b.times, a.times) })
	var out []int
	for _, x := range all[:min(3, len(all))] {
		out = append(out, x.rank)
	}
	return out
}

// ownExcess returns by which fraction each rank's own time, the step without waiting for others, is above the median
// rank's, by rank and step number. Where waiting is not known it uses the step itself.
func ownExcess(ranks []run.Rank) map[int]map[int64]float64 {
	of, all := map[int]map[int64]float64{}, map[int64][]float64{}
	for i := range ranks {
		step, wait := ranks[i].Values(run.Key{Metric: run.StepTime}), ranks[i].Values(run.Key{Metric: run.ExposedWaitTime})
		own := map[int64]float64{}
		for k, s := range ranks[i].Steps {
			if s.Dropped != "" || k >= len(step) || math.IsNaN(step[k]) {
				continue
			}
			v := step[k]
			if k < len(wait) && !math.IsNaN(wait[k]) {
				v -= wait[k]
			}
			own[s.Number] = v
			all[s.Number] = append(all[s.Number], v)
		}
		of[ranks[i].Rank] = own
	}
	for _, v := range all {
		slices.Sort(v)
	}
	for _, own := range of {
		for n := range own {
			own[n] = own[n]/order.Lower(all[n]) - 1
		}
	}
	return of
}

// slowestOwn returns the rank whose own time is most above the others' over all its steps; false where there is none.
func slowestOwn(excess map[int]map[int64]float64) (rank int, ok bool) {
	most := 0.0
	for n, own := range excess {
		sum := 0.0
		for _, v := range sortedValues(own) {
			sum += v
		}
		if sum > most || sum == most && ok && n < rank {
			rank, most, ok = n, sum, true
		}
	}
	return rank, ok
}

// sortedValues returns the values in order, so that their sum is the same in every run of the program.
func sortedValues(of map[int64]float64) []float64 {
	out := make([]float64, 0, len(of))
	for _, v := range of {
		out = append(out, v)
	}
	slices.Sort(out)
	return out
}

// leastLate is by which part of the median rank's own time a rank is late at least that has a step
// for itself. Chosen, not measured: in a job without late ranks, chance alone makes some last.
const leastLate = 0.05

// lateSteps returns for each late rank the step, among some, in which it is furthest above the others; the typical step
// if it is not more than twice as far in any.
func lateSteps(excess map[int]map[int64]float64, late []int, typical int64, steps []int64) (out []int64) {
	for _, rank := range late {
		best, most := typical, math.Max(leastLate, 2*excess[rank][typical])
		for _, n := range steps {
			if v := excess[rank][n]; v > most && !math.IsInf(v, 0) {
				best, most = n, v
			}
		}
		if best != typical && !slices.Contains(out, best) {
			out = append(out, best)
		}
	}
	return out
}
