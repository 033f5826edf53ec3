package saved

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// More ways in which the values of a series are written, of dense columns only.
const (
	asHalves  = 4 + iota // near multiples of 0.5e-9, and how far from them
	asFormula            // distances from what follows from two series
)

// halvesOff is how many units of the last place a median of two times may be from half their sum.
const halvesOff = 4

// halves are v as multiples of half a nanosecond, and how many units of the last place they are off.
func halves(v []float64) (n, off []int64, ok bool) {
	n, off = make([]int64, len(v)), make([]int64, len(v))
	for i, x := range v {
		if math.IsNaN(x) {
			n[i] = nanMark
			continue
		}
		f := math.Round(x / halfNanosecond)
		if !(math.Abs(f) < 1<<53) {
			return nil, nil, false
		}
		n[i] = int64(f)
		if off[i] = ordinal(x) - ordinal(f*halfNanosecond); size(off[i]) > halvesOff || x == 0 && math.Signbit(x) {
			return nil, nil, false
		}
	}
	return n, off, true
}

// denseSeries writes series i of a rank.
func (e *encoder) denseSeries(r *relatives, i int) {
	v := r.list[i].Values
	if v == nil {
		e.b = append(e.b, 0xff)
		return
	}
	if whole, unit, ok := unitOf(v); ok {
		by, left := r.closest(i, whole, unit)
		e.b = append(e.b, unit)
		e.uint(uint64(by))
		e.ints(left)
		return
	}
	if factor, steps, ok := floatDistances(v, e.derivations.predict(r.list, i)); ok {
		e.b = append(e.b, asPredicted)
		e.factor(factor)
		e.ints(steps)
		return
	}
	if f, ok := r.follow(i); ok {
		if factor, steps, ok := floatDistances(v, r.values(f)); ok {
			e.b = append(e.b, asFormula, byte(f.by))
			e.uint(uint64(f.a))
			e.uint(uint64(f.b))
			e.factor(factor)
			e.ints(steps)
			return
		}
	}
	if n, off, ok := halves(v); ok {
		e.b = append(e.b, asHalves)
		e.ints(n)
		e.ints(off)
		return
	}
	plain := &encoder{} // bytes that are alike stand together, and are compressed as texts are
	plain.floats(v)
	e.b = append(e.b, plain.b...)
}

func (e *encoder) factor(f float64) { e.ints([]int64{int64(math.Float64bits(f))}) }

// denseSeries reads series i of a rank.
func (d *decoder) denseSeries(r *relatives, i int) {
	if len(d.b) == 0 {
		d.fail()
		return
	}
	list := r.list
	switch kind := d.b[0]; kind {
	case asWhole, asNanoseconds:
		d.byte()
		list[i].Values = d.related(r, i, kind)
	case asHalves:
		d.byte()
		list[i].Values = d.halves()
	case asPredicted, asFormula:
		d.byte()
		var from []float64
		if kind == asPredicted {
			from = d.derivations.predict(list, i)
		} else {
			f := formula{by: run.DerivedBy(d.byte()), a: int(d.uint()), b: int(d.uint())}
			if f.a < stepRelatives+i && f.b < stepRelatives+i {
				from = r.values(f)
			}
		}
		factor := d.ints()
		if len(factor) != 1 {
			d.fail()
			return
		}
		f := math.Float64frombits(uint64(factor[0]))
		list[i].Values = d.distant(from, f)
	default: // as in summaries: bits, or nothing
		if kind != asBits && kind != 0xff {
			d.fail()
			return
		}
		list[i].Values = d.floats()
	}
}

func (d *decoder) related(r *relatives, i int, unit byte) []float64 {
	by := d.uint()
	left := d.ints()
	if !d.take(len(left), 8) {
		return nil
	}
	var taken []int64
	if by != lessNothing {
		if taken = r.taken(i, int(min(by, math.MaxInt32)), unit); len(taken) != len(left) {
			d.fail()
			return nil
		}
	}
	out := make([]float64, len(left))
	for j, n := range left {
		if taken != nil {
			n += taken[j]
		}
		if out[j] = fromWholeNumber(n, unit); n == nanMark {
			out[j] = math.NaN()
		}
	}
	return out
}

func (d *decoder) halves() []float64 {
	n := d.ints()
	if !d.take(len(n), 8) {
		return nil
	}
	out := make([]float64, len(n))
	for i, x := range n {
		if out[i] = float64(x) * halfNanosecond; x == nanMark {
			out[i] = math.NaN()
		}
	}
	off := d.ints()
	if len(off) != len(out) {
		d.fail()
		return nil
	}
	for i, x := range off {
		if !math.IsNaN(out[i]) {
			out[i] = fromOrdinal(ordinal(out[i]) + x)
		}
	}
	return out
}

// stepFields are the times of steps, of which each says what one before it says nearly.
func (e *encoder) steps(steps []trace.Step) {
	for k, of := range e.columns {
		column := make([]int64, len(steps))
		for i := range steps {
			column[i] = *of(&steps[i])
			if e.dense != nil {
				column[i] -= stepTaken(steps, i, k)
			}
		}
		e.ints(column)
	}
}

// Columns of steps, as they are in stepColumns.
const (
	columnNumber = iota
	columnStart
	columnEnd
	columnHostStart
	columnHostEnd
)

// stepTaken is what is taken from column k of step i, all before being known: a step ends where the
// next begins, and begins on the host about when it does on the device.
func stepTaken(steps []trace.Step, i, k int) int64 {
	next := min(i+1, len(steps)-1)
	switch k {
	case columnEnd:
		return steps[next].Start
	case columnHostStart:
		return steps[i].Start
	case columnHostEnd:
		return steps[next].HostStart
	}
	return 0
}

func (d *decoder) steps(steps []trace.Step) {
	for k, of := range d.columns {
		column := d.ints()
		if len(column) != len(steps) {
			d.fail()
			return
		}
		for i, v := range column {
			if d.dense != nil {
				v += stepTaken(steps, i, k)
			}
			*of(&steps[i]) = v
		}
	}
}

// allSeries writes the series of a rank that has these steps.
func (e *encoder) allSeries(steps []trace.Step, list []run.Series) {
	if e.dense == nil {
		for i := range list {
			e.series(list, i)
		}
		return
	}
	r := newRelatives(steps, list)
	for i := range list {
		e.denseSeries(r, i)
	}
}

// allSeries reads them.
func (d *decoder) allSeries(steps []trace.Step, list []run.Series) {
	var r *relatives
	if d.dense != nil {
		r = newRelatives(steps, list)
	}
	for i := range list {
		if r != nil {
			d.denseSeries(r, i)
		} else {
			d.series(list, i)
		}
		if n := len(list[i].Values); n != len(steps) && n != 0 {
			d.fail()
		}
		if d.err != nil {
			return
		}
	}
	for i := range list { // once nothing is derived from them any more
		list[i].Values = d.shared(list[i].Values)
	}
}

// shared is a list of values that may be that of another series.
func (d *decoder) shared(v []float64) []float64 {
	if d.values == nil {
		d.values = newSharedValues()
	}
	return d.values.of(v)
}

// shares writes a column of shares in a byte each, which are alike for long.
func (e *encoder) shares(v []uint8) {
	if e.dense == nil {
		e.bytes(v)
		return
	}
	column := make([]int64, len(v))
	for i, x := range v {
		column[i] = int64(x)
	}
	e.ints(column)
}

// shares reads them.
func (d *decoder) shares() []uint8 {
	if d.dense == nil {
		out := slices.Clone(d.bytes())
		d.take(len(out), 1)
		return out
	}
	column := d.ints()
	if len(column) == 0 || !d.take(len(column), 1) {
		return nil
	}
	out := make([]uint8, len(column))
	for i, x := range column {
		if out[i] = uint8(x); int64(out[i]) != x {
			d.fail()
		}
	}
	return out
}
