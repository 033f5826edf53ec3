package run

// Result is one number of a run that a program printed about itself, as a benchmark does: "median_ttft_ms". Its metric
// is in Set.Metrics.
type Result struct {
	Metric string
	Value  float64 // in the metric's unit, finite
}

// MaxResults bounds how many metrics of what runs print are read, and gate together. Chosen, not measured: the numbers
// of a benchmark at some loads.
const MaxResults = 64

// ResultUnits are the units of what runs print, beside none.
var ResultUnits = []string{"s", "B", "B/s", "1/s", "tokens/s", "1", "ratio"}

// Result returns what a run printed of a metric; false: nothing.
func (r *Run) Result(metric string) (value float64, ok bool) {
	for i := 0; r != nil && i < len(r.Results); i++ {
		if r.Results[i].Metric == metric {
			return r.Results[i].Value, true
		}
	}
	return 0, false
}

// OfResults reports whether nothing is known of the runs of a set but what they printed.
func (set *Set) OfResults() bool {
	for k := range set.EachRank() {
		for _, rc := range k.Receipts {
			if rc.By.Kind == MarkResult {
				return true
			}
		}
	}
	return false
}
