package diff

import "perfdiff/analyze/run"

// Comparison is what was found of a metric or a part of one, nil where it was not compared.
func (r *Report) Comparison(k run.Key) *Comparison {
	for _, list := range [][]Comparison{r.Metrics, r.Parts} {
		for i := range list {
			if list[i].Key == k {
				return &list[i]
			}
		}
	}
	return nil
}

// Class is what the verdict says of a change of this size, in any unit: "better", "worse", or
// "" where there is no verdict or it says neither. It is also "" of a change that points the
// other way than the estimate that was judged, as a mean may: no number is called by a
// verdict on another one.
func (c *Comparison) Class(change float64) string {
	switch {
	case c == nil, change*c.Estimate < 0:
		return ""
	case c.Verdict == Improved:
		return "better"
	case c.Verdict == Regressed:
		return "worse"
	}
	return ""
}
