package render

import "perfdiff/diff"

// Waterfall is the change of the mean step as the sum of the changes of its
// parts, in seconds a step.
type Waterfall struct {
	Parts    []Part       `json:"parts"` // [] where the sides have no breakdown
	Mean     Both[Number] `json:"mean"`  // the sums of the parts
	Delta    Number       `json:"delta"`
	Median   Both[Number] `json:"median"`   // of the verdict
	Residual Number       `json:"residual"` // change of the median less that of the mean
}

// Part is one row of it.
type Part struct {
	PartChange
	Within []PartChange `json:"within"` // what it is made of; they add up to it
}

// PartChange is a part of the step on both sides.
type PartChange struct {
	Kind   string       `json:"kind"` // "compute", "transfer", "wait", "comm", "memory", "idle", or a cause of idle time
	Name   string       `json:"name"`
	Metric string       `json:"metric"` // where its values are
	Part   string       `json:"part"`
	Mean   Both[Number] `json:"mean"`
	Delta  Number       `json:"delta"`
	Low    Number       `json:"low"` // interval of delta; null: none
	High   Number       `json:"high"`
}

func waterfallDocument(w *diff.Waterfall) Waterfall {
	return Waterfall{
		Parts: each(w.Parts, partDocument), Mean: both(w.Base, w.Cand), Delta: Number(w.Delta),
		Median: both(w.MedianBase, w.MedianCand), Residual: Number(w.Residual),
	}
}

func partDocument(p *diff.Part) Part {
	return Part{changeDocument(&p.PartChange), each(p.Within, changeDocument)}
}

func changeDocument(p *diff.PartChange) PartChange {
	return PartChange{
		Kind: p.Kind, Name: p.Name, Metric: p.Metric, Part: p.Part, Mean: both(p.Base, p.Cand),
		Delta: Number(p.Delta), Low: Number(p.Lo), High: Number(p.Hi),
	}
}
