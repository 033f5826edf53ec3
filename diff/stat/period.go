package stat

import (
	"math"
	"slices"
)

// Periodic is a spike that comes back: the steps between two, and what one costs
// beyond its neighbours.
type Periodic struct {
	Period int     // steps; 0: no period
	Places []int   // of the first step of each spike
	Excess float64 // mean of what a spike adds, in the unit of x
}

// leastSpikes is how many spikes make a period; one less does if all distances are the
// same. Of 2,000 pairs of runs with as many spikes at random fewer than one in fifty then
// show one. Simulated: TestPeriodByChance.
const leastSpikes = 5

// Period finds spikes of x that come at equal distances: within a twentieth of their median, or one step; with seven
// spikes or more one distance may differ.
func Period(x []float64) Periodic {
	spikes := Spikes(x)
	var out Periodic
	for i := range spikes {
		if spikes[i] && (i == 0 || !spikes[i-1]) {
			out.Places = append(out.Places, i)
		}
	}
	out.Excess = excess(x, spikes) / math.Max(1, float64(len(out.Places)))
	if len(out.Places) < leastSpikes-1 {
		return out
	}
	var apart []float64
	for i := 1; i < len(out.Places); i++ {
		apart = append(apart, float64(out.Places[i]-out.Places[i-1]))
	}
	middle := Median(apart)
	near, same := 0, 0
	for _, d := range apart {
		if math.Abs(d-middle) <= math.Max(1, 0.05*middle) {
			near++
		}
		if d == middle {
			same++
		}
	}
	regular := near == len(apart) || len(apart) >= 6 && near == len(apart)-1
	if len(out.Places) < leastSpikes {
		regular = same == len(apart)
	}
	if middle >= 2 && regular {
		out.Period = int(math.Round(middle))
	}
	return out
}

// excess returns how much spikes take beyond the median of the eight nearest steps that are none.
func excess(x []float64, spikes []bool) float64 {
	sum := 0.0
	for i, s := range spikes {
		if s && !math.IsNaN(x[i]) {
			sum += beyondNear(x, spikes, i)
		}
	}
	return sum
}

// beyondNear returns how far value i is beyond the median of the eight nearest values that are no spikes; 0 where
// there are none.
func beyondNear(x []float64, spikes []bool, i int) float64 {
	var near []float64
	for d := 1; d < len(x) && len(near) < 8; d++ {
		for _, j := range []int{i - d, i + d} {
			if j >= 0 && j < len(x) && !spikes[j] && !math.IsNaN(x[j]) {
				near = append(near, x[j])
			}
		}
	}
	if len(near) == 0 {
		return 0
	}
	slices.Sort(near)
	return x[i] - Median(near)
}

// SpikeSizes returns how much each spike of x adds, by the place of its first step: all of its steps together, beyond
// their neighbours.
func SpikeSizes(x []float64) map[int]float64 {
	spikes, out, first := Spikes(x), map[int]float64{}, 0
	for i, s := range spikes {
		if !s {
			continue
		}
		if i == 0 || !spikes[i-1] {
			first = i
		}
		out[first] += beyondNear(x, spikes, i)
	}
	return out
}
