package metric

import (
	"slices"
	"sync"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// bySource are all metrics, those with several sources once for each of them.
func bySource() []Metric { return listedBySource() }

var listedBySource = sync.OnceValue(func() (out []Metric) {
	for _, m := range All() {
		if m.Sources == nil {
			out = append(out, m)
		}
		for _, s := range m.Sources {
			one := m
			one.from, one.Requires, one.MadeOf, one.Measure = s.Name, s.Requires, s.MadeOf, s.Measure
			out = append(out, one)
		}
	}
	return out
})

// sources are those of bytes read and written, in the order of their series.
var sources = []string{run.SourceStorage, run.SourceFiles}

// sourcePlace is the place of a source among several; -1 of what has one.
func sourcePlace(source string) int { return slices.Index(sources, source) }

// keyOf is what tells the series of a rank apart. What samplers were read from does not:
// it may be another table in the next capture.
func keyOf(s run.Series) seriesKey {
	if sourcePlace(s.Source) < 0 {
		return seriesKey{Key: s.Key}
	}
	return seriesKey{s.Key, s.Source}
}

// madeOf is what a series is made of, as far as that can be lost.
func madeOf(key seriesKey) trace.Content {
	m := &All()[placeByName()[key.Metric]]
	for _, s := range m.Sources {
		if s.Name == key.source {
			return s.MadeOf
		}
	}
	return m.MadeOf
}

// lost is why the capture does not hold a metric whole, "" if it does: from any source that
// it recorded.
func (r *Rank) lost(m *Metric) string {
	why := r.Trace.WhyIncomplete(m.MadeOf)
	for _, s := range m.Sources {
		if r.Trace.Recorded.Has(s.Requires) && !r.lacks(s.MadeOf) {
			return ""
		}
	}
	return why
}
