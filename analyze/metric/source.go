package metric

import (
	"slices"
	"sync"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

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

// sources lists the sources of bytes read and written, in the order of their series.
var sources = []string{run.SourceStorage, run.SourceFiles}

// sourcePlace returns the place of a source among several; -1 for a metric with one.
func sourcePlace(source string) int { return slices.Index(sources, source) }

// keyOf returns what identifies a series of a rank. The table that a sampler was read from does not: it may be another
// one in the next capture.
func keyOf(s run.Series) seriesKey {
	if sourcePlace(s.Source) < 0 {
		return seriesKey{Key: s.Key}
	}
	return seriesKey{s.Key, s.Source}
}

// madeOf returns what a series is computed from, as far as that can be lost.
func madeOf(key seriesKey) trace.Content {
	m := &All()[placeByName()[key.Metric]]
	for _, s := range m.Sources {
		if s.Name == key.source {
			return s.MadeOf
		}
	}
	return m.MadeOf
}

// lost returns why the capture does not hold a metric whole, "" if it does: from any source that
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
