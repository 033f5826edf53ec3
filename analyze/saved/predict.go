package saved

import (
	"math"

	"perfdiff/analyze/run"
)

// Some series follow from others almost to the last bit: a bandwidth is bytes
// over time. They are written as the distance to what follows, in units of the
// last place, which is mostly nothing.

// Derivations says how the values of a metric follow from others. It must say the same when a
// summary is read as when it was written.
type Derivations func(metric string) run.Derivation

// predict is what series i of list should be, by those before it; nil if nothing is known of
// it.
func (derivations Derivations) predict(list []run.Series, i int) []float64 {
	s := &list[i]
	before := func(metric, part string) []float64 {
		for k := range i {
			if list[k].Metric == metric && list[k].Part == part && len(list[k].Values) > 0 {
				return list[k].Values
			}
		}
		return nil
	}
	made := derivations(s.Metric)
	switch {
	case made.By != run.NotDerived:
		return combine(made.By, before(made.Of, s.Part), before(made.With, s.Part))
	case s.Part == "":
		return nil
	}
	return remainder(list[:i], before(s.Metric, ""), s.Metric)
}

// combine is what follows from two series; nil if one of them is not there.
func combine(by run.DerivedBy, of, with []float64) []float64 {
	switch {
	case of == nil, by == run.ByFactor: // the factor is found by whoever compares
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

// remainder is the whole less the parts so far, which is right for the last part. Times are
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

// floatDistances are the distances of v from the prediction, in units of the last place. A
// constant factor between the two is taken out first and returned; 1 if there is none. ok is
// false if a prediction is NaN where v is not, or too far off.
func floatDistances(v, from []float64) (factor float64, steps []int64, ok bool) {
	if len(from) != len(v) || len(v) == 0 {
		return 0, nil, false
	}
	factor = 1
	if !math.IsNaN(from[0]) && from[0] != 0 {
		if f := v[0] / from[0]; math.Abs(f-1) > 1e-9 && inFactors(f) {
			factor = f
		}
	}
	steps = make([]int64, len(v))
	for i := range v {
		if math.IsNaN(v[i]) {
			steps[i] = nanMark
			continue
		}
		d := ordinal(v[i]) - ordinal(float64(from[i]*factor))
		if d > 1<<40 || d < -1<<40 || math.IsNaN(from[i]) || v[i] == 0 && math.Signbit(v[i]) {
			return 0, nil, false
		}
		steps[i] = d
	}
	return factor, steps, true
}

// inFactors reports whether a factor is one that is taken out.
func inFactors(f float64) bool { return f > 1e-3 && f < 1e3 }

// ordinal is the place of a number in the order of all floating-point numbers.
func ordinal(v float64) int64 {
	b := int64(math.Float64bits(v))
	if b < 0 {
		return math.MinInt64 - b
	}
	return b
}

// fromOrdinal is the number with a place.
func fromOrdinal(place int64) float64 {
	if place < 0 {
		return math.Float64frombits(uint64(math.MinInt64 - place))
	}
	return math.Float64frombits(uint64(place))
}

// series writes series i of list.
func (e *encoder) series(list []run.Series, i int) {
	plain := &encoder{}
	plain.floats(list[i].Values)
	if factor, steps, ok := floatDistances(list[i].Values, e.derivations.predict(list, i)); ok {
		short := &encoder{}
		short.b = append(short.b, asPredicted)
		short.floats([]float64{factor})
		short.ints(steps)
		if len(short.b) < len(plain.b) {
			plain = short
		}
	}
	e.b = append(e.b, plain.b...)
}

// series reads series i of list. The earlier ones must be there.
func (d *decoder) series(list []run.Series, i int) {
	if len(d.b) == 0 || d.b[0] != asPredicted {
		list[i].Values = d.floats()
		return
	}
	if d.byte(); d.noPredicted {
		d.fail()
		return
	}
	factor := d.floats()
	if len(factor) != 1 {
		d.fail()
		return
	}
	list[i].Values = d.distant(d.derivations.predict(list, i), factor[0])
}

// distant reads values by their distances from a prediction times a factor.
func (d *decoder) distant(from []float64, factor float64) []float64 {
	steps := d.ints()
	if len(steps) != len(from) {
		d.fail()
		return nil
	}
	if !d.take(len(steps), 8) {
		return nil
	}
	out := make([]float64, len(steps))
	for j, n := range steps {
		if out[j] = fromOrdinal(ordinal(float64(from[j]*factor)) + n); n == nanMark {
			out[j] = math.NaN()
		}
	}
	return out
}
