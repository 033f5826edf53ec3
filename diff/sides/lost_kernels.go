package sides

import (
	"maps"
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// Traces of PyTorch number no rows, so that kernels that were lost together with their launches leave
// no hole. Their steps tell: on one side each step launches the same kernels, and on the other each
// lacks some, now these and now those. No change of a program does that.

// lostInMost tells random loss from another program. Chosen, not measured: a program that leaves work out leaves out
// the same kernels, or the same steps. If kernels are lost at random, those that make up this share of the launches
// miss some in some steps, and so does this share of the steps.
const lostInMost = 0.5

// loseKernels marks what is computed from kernels as lost on a side whose steps lack kernels at random while the other
// side's steps hold all of them.
func loseKernels(base, cand *Side) {
	if !recordedBy(base.Set, trace.PyTorchProfiler) || !recordedBy(cand.Set, trace.PyTorchProfiler) {
		return
	}
	for _, s := range [][2]*Side{{base, cand}, {cand, base}} {
		whole := s[0].constantLaunches()
		if why := s[1].lostAtRandom(whole); why != "" {
			s[1].EachRank(func(k *Rank) { k.loseKernels(s[1].Set.Metrics, why) })
		}
	}
}

// constantLaunches returns how often each kernel is launched in a step, by rank, for ranks whose kept steps all launch
// the same in every run; other ranks are not in it.
func (s *Side) constantLaunches() map[int]map[string]float64 {
	out := map[int]map[string]float64{}
	s.EachRank(func(k *Rank) {
		of := map[string]float64{}
		constant := k.eachLaunches(func(kernel string, low, high, _, _ float64) bool {
			of[kernel] = low
			return low == high
		})
		if have, ok := out[k.Rank.Rank]; !constant || len(of) == 0 || ok && !maps.Equal(have, of) {
			of = nil
		}
		out[k.Rank.Rank] = of
	})
	return out
}

// eachLaunches calls f for every kernel of a rank with its fewest and most launches in a kept step,
// their mean and the share of steps with fewer than the most, until f is false.
func (k *Rank) eachLaunches(f func(kernel string, low, high, mean, fewer float64) bool) bool {
	kept := k.Kept()
	for i := range k.Series {
		x := &k.Series[i]
		if x.Metric != KernelLaunches || x.Part == "" || len(kept) == 0 {
			continue
		}
		low, high, sum := math.Inf(1), 0.0, 0.0
		for _, step := range kept {
			v := launchesIn(x, step)
			low, high, sum = min(low, v), max(high, v), sum+v
		}
		fewer := 0
		for _, step := range kept {
			if launchesIn(x, step) < high {
				fewer++
			}
		}
		if n := float64(len(kept)); !f(x.Part, low, high, sum/n, float64(fewer)/n) {
			return false
		}
	}
	return true
}

// launchesIn returns how often a kernel is launched in a step, by its series; 0 where nothing is known.
func launchesIn(x *run.Series, step int) float64 {
	if step < len(x.Values) && x.Values[step] > 0 {
		return x.Values[step]
	}
	return 0
}

// stepsBelow returns the share of kept steps that launch fewer kernels in all than so many.
func (k *Rank) stepsBelow(all float64) float64 {
	kept, launched := k.Kept(), map[int]float64{}
	for i := range k.Series {
		if x := &k.Series[i]; x.Metric == KernelLaunches && x.Part != "" {
			for _, step := range kept {
				launched[step] += launchesIn(x, step)
			}
		}
	}
	below := slices.DeleteFunc(slices.Clone(kept), func(step int) bool { return launched[step] >= all })
	return float64(len(below)) / float64(max(1, len(kept)))
}

// lostAtRandom says what is lost of the kernels of a side, to go on after "needs"; "" if nothing is, or no more than
// may be. whole holds the launches of a step that lost none.
func (s *Side) lostAtRandom(whole map[int]map[string]float64) string {
	var launched, should, uneven, short float64
	ranks, lost := 0, true
	s.EachRank(func(k *Rank) {
		of := whole[k.Rank.Rank]
		if of == nil || k.Rank.Rank < 0 {
			lost = false
			return
		}
		ranks++
		all := 0.0
		for _, n := range of {
			all += n
		}
		should, short = should+all, short+k.stepsBelow(all)
		lost = k.eachLaunches(func(kernel string, low, high, mean, fewer float64) bool {
			launched += mean
			if fewer > 0 {
				uneven += of[kernel]
			}
			return high <= of[kernel]
		}) && lost
	})
	gone := int64(math.Round(1000 * (should - launched)))
	if !lost || ranks == 0 || short < lostInMost*float64(ranks) || uneven < lostInMost*should || !trace.Kernels.Beyond(gone, int64(1000*should)) {
		return ""
	}
	n := float64(ranks)
	return run.KernelsLost(should/n, launched/n)
}

// loseKernels removes from a rank what is made of kernels, and says why.
func (k *Rank) loseKernels(metrics []run.Metric, why string) {
	ofKernels := map[string]bool{}
	var lost []run.LostMetric
	for _, m := range metrics {
		if m.MadeOfKernels {
			ofKernels[m.Name] = true
			lost = append(lost, run.LostMetric{Metric: m.Name, Why: why})
		}
	}
	own := *k.Rank // nobody changes a set
	own.Lost = run.MergeLost(own.Lost, lost)
	own.Series = slices.DeleteFunc(slices.Clone(own.Series), func(x run.Series) bool { return ofKernels[x.Metric] })
	k.Rank, k.Index = &own, indexOf(own.Series)
}
