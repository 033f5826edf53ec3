// Package old knows how summaries of earlier versions differ from those that this perfdiff writes, so
// that they can still be read: they have fewer columns of steps, and series that follow from others are
// the distance to what follows. It writes none. It leaves, with its few callers in saved, one release
// after version 6 of the format.
package old

import (
	"math"

	"perfdiff/analyze/run"
)

// Derivations says how the values of a metric follow from others. It must say what it said when the
// summary was written.
type Derivations func(metric string) run.Derivation

// Reader knows how a summary of an earlier version is read.
type Reader struct {
	version     string
	derivations Derivations
}

// Open returns the reader of a version; nil if it is none of the earlier ones.
func Open(version string, derivations Derivations) *Reader {
	switch version {
	case "1", "2", "3", "4", "5":
		return &Reader{version, derivations}
	}
	return nil
}

// ChecksumsBodyOnly reports whether the checksum of a version leaves out the line that names it.
func ChecksumsBodyOnly(version string) bool { return version == "1" || version == "2" }

// StepColumns returns how many columns steps have: the times, then class, batch and tokens of the load of an
// inference engine, and then how long contexts are.
func (r *Reader) StepColumns() int {
	switch r.version {
	case "5":
		return 9
	case "4":
		return 8
	}
	return 5
}

// Predicted begins a series that is written as distances from a prediction.
const Predicted = 3

// nan stands for NaN among distances.
const nan = math.MinInt64

// Values returns series i of a list. The summary only holds a factor and, in units of the last place, the distances
// from what the series before it predict, times the factor. ok is false where nothing such can have been written.
func (r *Reader) Values(list []run.Series, i int, factor float64, distances []int64) (out []float64, ok bool) {
	from := r.predict(list, i)
	if len(from) != len(distances) || r.version == "1" {
		return nil, false
	}
	out = make([]float64, len(distances))
	for j, n := range distances {
		if out[j] = fromOrdinal(ordinal(float64(from[j]*factor)) + n); n == nan {
			out[j] = math.NaN()
		}
	}
	return out, true
}

// predict returns the expected values of series i of list, from those before it; nil if no rule exists.
func (r *Reader) predict(list []run.Series, i int) []float64 {
	s := &list[i]
	before := func(metric, part string) []float64 {
		for k := range i {
			if list[k].Metric == metric && list[k].Part == part && len(list[k].Values) > 0 {
				return list[k].Values
			}
		}
		return nil
	}
	made := r.derivations(s.Metric)
	switch {
	case made.By != run.NotDerived:
		return combine(made.By, before(made.Of, s.Part), before(made.With, s.Part))
	case s.Part == "":
		return nil
	}
	return remainder(list[:i], before(s.Metric, ""), s.Metric)
}

// combine computes a series from two others; nil if one of them is missing.
func combine(by run.DerivedBy, of, with []float64) []float64 {
	switch {
	case of == nil, by == run.ByFactor: // the factor is in the summary
		return of
	case len(with) != len(of):
		return nil
	}
	out := make([]float64, len(of))
	for j, v := range of {
		switch by {
		case run.ByProduct:
			out[j] = v * with[j]
		case run.ByRatio:
			out[j] = v / with[j]
		case run.ByRest:
			out[j] = (with[j] - v) / with[j]
		}
	}
	return out
}

// remainder returns the whole less the parts so far, which is right for the last part. Times are
// whole nanoseconds.
func remainder(list []run.Series, whole []float64, metric string) []float64 {
	if whole == nil {
		return nil
	}
	out := make([]float64, len(whole))
	for j, v := range whole {
		out[j] = math.Round(v * 1e9)
	}
	for k := range list {
		if list[k].Metric != metric || list[k].Part == "" || len(list[k].Values) != len(out) {
			continue
		}
		for j, v := range list[k].Values {
			out[j] -= math.Round(v * 1e9)
		}
	}
	for j, v := range out {
		out[j] = float64(v * 1e-9)
	}
	return out
}

// ordinal returns the place of a number in the order of all floating-point numbers.
func ordinal(v float64) int64 {
	b := int64(math.Float64bits(v))
	if b < 0 {
		return math.MinInt64 - b
	}
	return b
}

// fromOrdinal returns the number with a place.
func fromOrdinal(place int64) float64 {
	if place < 0 {
		return math.Float64frombits(uint64(math.MinInt64 - place))
	}
	return math.Float64frombits(uint64(place))
}
