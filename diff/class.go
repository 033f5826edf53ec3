package diff

import (
	"perfdiff/analyze/run"
	"perfdiff/diff/verdict"
)

// Comparison returns the comparison of a metric or a part, nil where it was not compared.
func (r *Report) Comparison(k run.Key) *verdict.Comparison {
	for _, list := range [][]verdict.Comparison{r.Metrics, r.Parts} {
		for i := range list {
			if list[i].Key == k {
				return &list[i]
			}
		}
	}
	return nil
}
