package html

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff"
)

// valuesByStep returns the values of a series on all ranks, by step of the page and by side.
func (s *sheet) valuesByStep(key string) [][2][]float64 {
	index := map[int64]int{}
	values := make([][2][]float64, len(s.r.Steps))
	for i, p := range s.r.Steps {
		index[p.Number] = i
	}
	for i := range s.r.Ranks {
		for k, side := range []*diff.RankSide{&s.r.Ranks[i].Base, &s.r.Ranks[i].Cand} {
			v := side.Values[key]
			for j, n := range side.Steps {
				if at, known := index[n]; known && j < len(v) && !math.IsNaN(v[j]) {
					values[at][k] = append(values[at][k], v[j])
				}
			}
		}
	}
	return values
}

// perStep returns one value of a series for each step and side: the median over ranks, or their mean.
// All are NaN where the job is too large for it.
func (s *sheet) perStep(key string, ofMeans bool) (out [2][]float64) {
	if key == run.StepTime && !ofMeans { // of all runs
		for i := range s.r.Steps {
			out[0], out[1] = append(out[0], s.r.Steps[i].Base.Median), append(out[1], s.r.Steps[i].Cand.Median)
		}
		return out
	}
	if len(s.r.Steps)*len(s.r.Ranks) > mostCardCells {
		none := slices.Repeat([]float64{math.NaN()}, len(s.r.Steps))
		return [2][]float64{none, none}
	}
	for _, v := range s.valuesByStep(key) {
		for side := range out {
			x := interpolatedQuantile(v[side], 0.5)
			if ofMeans {
				x = mean(v[side])
			}
			out[side] = append(out[side], x)
		}
	}
	return out
}

// withoutOmitted returns values by step with NaN for steps that are left out of every number.
func (s *sheet) withoutOmitted(values [2][]float64) (out [2][]float64) {
	for side := range values {
		out[side] = slices.Clone(values[side])
		for i := range s.r.Steps {
			if s.r.Steps[i].Omission.Omitted() {
				out[side][i] = math.NaN()
			}
		}
	}
	return out
}

// meanOfKept returns the mean of a rank's values over the steps that are not left out.
func meanOfKept(side *diff.RankSide, key string) float64 {
	sum, n := 0.0, 0
	for i, x := range side.Values[key] {
		if !math.IsNaN(x) && i < len(side.Omissions) && !side.Omissions[i].Omitted() {
			sum, n = sum+x, n+1
		}
	}
	return sum / float64(n)
}

// medianOwnTime returns the median time that a rank takes for a step without waiting for others; NaN where waiting is
// not told from transfer.
func medianOwnTime(side *diff.RankSide) float64 {
	return interpolatedQuantile(keptValues(side, side.OwnTime), 0.5)
}
