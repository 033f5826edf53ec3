package render

import "perfdiff/diff/cause"

// Pair is two ranks that send to each other.
type Pair struct {
	Ranks     [2]int          `json:"ranks"`     // the lower one first
	Dimension string          `json:"dimension"` // of parallelism that their group serves; "": unknown, or not the same on both sides
	Sides     Both[GroupLoad] `json:"sides"`     // of one of the two ranks in a step
}

func pairDocument(p *cause.PairChange) Pair {
	return Pair{p.Ranks, p.Dimension, Both[GroupLoad]{groupLoad(&p.Base), groupLoad(&p.Cand)}}
}
