package verdict

import (
	"slices"

	"perfdiff/diff/stat"
)

// Family holds what one comparison may claim: the p-values of its gating metrics, and the share of the error rate that
// each gets.
type Family struct{ P, Shares []float64 }

// families returns all families that are tested together: a comparison's own, then the others that are not empty.
func families(own Family, beside []Family) []Family {
	return append([]Family{own}, slices.DeleteFunc(slices.Clone(beside), func(f Family) bool { return len(f.P) == 0 })...)
}

// holmLevels returns the levels of the metrics of the first family when Holm's rule tests all families together; each
// family starts with an equal share of alpha.
func holmLevels(families []Family, alpha float64) []float64 {
	var values, shares []float64
	for _, f := range families {
		values, shares = append(values, f.P...), append(shares, f.Shares...)
	}
	_, all := stat.Holm(values, shares, alpha)
	return all[:len(families[0].P)]
}

// tested returns how many metrics the families hold, and for how many candidates; 0 candidates if there is only one.
func tested(families []Family) (metrics, candidates int) {
	for _, f := range families {
		metrics += len(f.P)
	}
	if len(families) > 1 {
		candidates = len(families)
	}
	return metrics, candidates
}
