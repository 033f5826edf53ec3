package verdict

import (
	"slices"

	"perfdiff/diff/stat"
)

// Family is what one comparison may claim: the p-values of its gating metrics, and the share of
// the error rate that each has among them.
type Family struct{ P, Shares []float64 }

// families are those that are tested together: a comparison's own, then those beside it that
// hold anything.
func families(own Family, beside []Family) []Family {
	return append([]Family{own}, slices.DeleteFunc(slices.Clone(beside), func(f Family) bool { return len(f.P) == 0 })...)
}

// holmLevels are those to which Holm's rule holds the metrics of the first family, all of them
// tested together; each family has an equal share of alpha to begin with.
func holmLevels(families []Family, alpha float64) []float64 {
	var values, shares []float64
	for _, f := range families {
		values, shares = append(values, f.P...), append(shares, f.Shares...)
	}
	_, all := stat.Holm(values, shares, alpha)
	return all[:len(families[0].P)]
}

// tested is how many metrics families hold, and of how many candidates they are; 0 of one.
func tested(families []Family) (metrics, candidates int) {
	for _, f := range families {
		metrics += len(f.P)
	}
	if len(families) > 1 {
		candidates = len(families)
	}
	return metrics, candidates
}
