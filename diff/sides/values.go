package sides

import (
	"math"
	"slices"

	"perfdiff/analyze/order"
	"perfdiff/analyze/run"
)

// UsedValues returns the values of the used steps that have one.
func (k *Rank) UsedValues(key run.Key) []float64 {
	values := k.ValuesOf(key)
	if values == nil {
		return nil
	}
	out := make([]float64, 0, len(k.UsedIndex))
	for j := range k.UsedIndex {
		if v := k.ValueOf(values, j); !math.IsNaN(v) {
			out = append(out, v)
		}
	}
	return out
}

// GraphKernel is the name of graph replays whose kernels were not recorded.
const GraphKernel = "CUDA graph"

// MeanOver returns the mean of a series over the used steps of a rank; false: it has none there.
func (k *Rank) MeanOver(key run.Key) (mean float64, ok bool) {
	values := k.UsedValues(key)
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	if len(values) == 0 {
		return 0, false
	}
	return sum / float64(len(values)), true
}

// Hosts returns the hosts of the ranks, each once.
func (s *Side) Hosts() (out []string) {
	s.EachRank(func(k *Rank) { out = append(out, k.Host) })
	return Distinct(out)
}

// Marker returns what marks the steps of most ranks.
func (s *Side) Marker() string {
	var markers []string
	s.EachRank(func(k *Rank) {
		for _, rc := range k.Receipts {
			markers = append(markers, rc.Marker)
		}
	})
	return MostFrequent(WithoutEmpty(markers))
}

// UsedSteps returns how many steps of a run enter.
func (s *Side) UsedSteps() int {
	var used []int
	for _, r := range s.Runs {
		used = append(used, len(r.Used))
	}
	return order.LowerMedian(used)
}

// Held says how many of the compared steps the ranks of a side hold, over all runs, and how many it would be if each
// rank that holds any held all of them.
type Held struct {
	Have int `report:"have"`
	Of   int `report:"of"`
}

// Held counts the compared steps that the ranks of the side hold.
func (s *Side) Held() (h Held) {
	for _, r := range s.Runs {
		for _, k := range r.Ranks {
			if n := k.Holds(); n > 0 && !k.OnOneSideOnly {
				h.Have, h.Of = h.Have+n, h.Of+len(r.Used)
			}
		}
	}
	return h
}

// Holds returns how many of the steps that are compared the rank has.
func (k *Rank) Holds() (n int) {
	for _, i := range k.UsedIndex {
		if i >= 0 {
			n++
		}
	}
	return n
}

// Clocks returns the clocks of each of the side's runs.
func (s *Side) Clocks() []run.Clocks {
	var out []run.Clocks
	for _, r := range s.Runs {
		if i := slices.IndexFunc(s.Set.Runs, func(x run.Run) bool { return x.Name == r.Name }); i >= 0 {
			out = append(out, s.Set.Runs[i].Clocks)
		}
	}
	return out
}
