package stat

import (
	"maps"
	"slices"
)

// Stratified returns the scalars of runs whose steps are of several kinds: base[i][s] and cand[i][s] are of kind[s],
// and all rows are equally long, at least 3. As in Paired the curve that all runs share is subtracted. The scalar of a
// run is the mean of its kinds' medians, each weighted by its number of steps, the same for all runs: if only one kind
// became slower a plain median would show all of it, or nothing. Its variance is what is left within the kinds, from
// batches in order of time, and scaled as in Paired.
func Stratified(base, cand [][]float64, kind []int) Sides {
	ref := sharedCurve(base, cand)
	k, n := Batches(len(ref)), float64(len(base)+len(cand))
	var sides Sides
	var f following
	reduce := func(rows [][]float64) []float64 {
		values := make([]float64, len(rows))
		for i, x := range less(rows, ref) {
			value, rest := ofKinds(x, kind)
			values[i] = value
			sides.Variance += MeanScalar(rest, k).Variance
			f.add(rest, k)
		}
		return values
	}
	sides.Base, sides.Cand = reduce(base), reduce(cand)
	sides.Variance *= n / (n - 1) / n
	sides.DF, sides.Follow = BatchDF(k)*(n-1), f.ofBatches()
	return sides
}

// Levels returns what the runs of each side usually take, for rows as in Stratified: what all runs share plus the mean
// scalar of the side, so that they differ by the effect that Stratified sees on the same scale.
func Levels(base, cand [][]float64, kind []int) (b, c float64) {
	s, shared := Stratified(base, cand, kind), OfKinds(sharedCurve(base, cand), kind)
	return shared + Mean(s.Base), shared + Mean(s.Cand)
}

// OfKinds returns the mean of the medians of each kind's values, weighted by their numbers;
// NaN values do not count.
func OfKinds(x []float64, kind []int) float64 {
	value, _ := ofKinds(x, kind)
	return value
}

// ofKinds also returns every value less the median of its kind.
func ofKinds(x []float64, kind []int) (mean float64, rest []float64) {
	members := map[int][]float64{}
	for s, v := range x {
		members[kind[s]] = append(members[kind[s]], v)
	}
	medians, weight := map[int]float64{}, map[int]float64{}
	for g, v := range members {
		medians[g], weight[g] = Median(v), float64(len(Known(v)))
	}
	sum, total := 0.0, 0.0
	for _, g := range slices.Sorted(maps.Keys(weight)) { // sums of floats depend on their order
		if weight[g] > 0 {
			sum += float64(weight[g] * medians[g])
			total += weight[g]
		}
	}
	rest = make([]float64, len(x))
	for s, v := range x {
		rest[s] = v - medians[kind[s]]
	}
	return sum / total, rest
}
