package saved

import (
	"math"
	"math/bits"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// The series of a rank say much twice: parts of a step add up to it, a longest gap is the one before
// the input, a rate is bytes over a time. Of a part, unlike of a summary, each series is written as
// what differs from the one before it that it resembles most, or as the distance to what follows from
// two. Which these are is found by trying, and stands with the series: no list says it.

// relatives are the series of a rank by which later ones are foretold, by number: the lengths of steps,
// of their ranges on the host, and then the series in their order.
type relatives struct {
	steps  []trace.Step
	list   []run.Series
	known  []relative
	shared []int64 // that of the series at hand
}

// relative is a series as whole numbers.
type relative struct {
	v    []int64
	unit byte // asBits: it is none, or was not asked for yet
	not  bool // it is none
}

const (
	stepLengths, hostLengths = 0, 1
	stepRelatives            = 2
	// relativesAsked is how many of the last series are tried: kernels, of which there may be
	// thousands, resemble no other.
	relativesAsked = 64
	// relativesSampled is how many numbers tell what a series resembles.
	relativesSampled = 96
)

// halfNanosecond is what medians of two times are multiples of, in s: by definition half the unit
// of profilers.
const halfNanosecond = 0.5e-9

// unitOf is the unit of which numbers are multiples, and they as such; false if none is.
func unitOf(v []float64) ([]int64, byte, bool) {
	for _, kind := range []byte{asWhole, asNanoseconds} {
		if whole, ok := asWholeNumbers(v, kind); ok {
			return whole, kind, true
		}
	}
	return nil, asBits, false
}

func newRelatives(steps []trace.Step, list []run.Series) *relatives {
	r := &relatives{steps: steps, list: list, known: make([]relative, stepRelatives+len(list))}
	for k, length := range []func(s *trace.Step) int64{
		func(s *trace.Step) int64 { return s.End - s.Start }, func(s *trace.Step) int64 { return s.HostEnd - s.HostStart },
	} {
		v := make([]int64, len(steps))
		for i := range steps {
			v[i] = length(&steps[i])
		}
		r.known[k] = relative{v: v, unit: asNanoseconds}
	}
	return r
}

// whole is relative k as multiples of a unit; nil if it is none.
func (r *relatives) whole(k int, unit byte) []int64 {
	x := &r.known[k]
	if x.v == nil && !x.not && k >= stepRelatives {
		if v, u, ok := unitOf(r.list[k-stepRelatives].Values); ok && len(v) == len(r.steps) {
			x.v, x.unit = v, u
		}
		x.not = x.v == nil
	}
	if x.unit != unit {
		return nil
	}
	return x.v
}

// floats is relative k in the unit of its metric; nil if it is empty.
func (r *relatives) floats(k int) []float64 {
	if k >= stepRelatives {
		if v := r.list[k-stepRelatives].Values; len(v) == len(r.steps) {
			return v
		}
		return nil
	}
	out := make([]float64, len(r.steps))
	for i, ns := range r.known[k].v {
		out[i] = fromWholeNumber(ns, asNanoseconds)
	}
	return out
}

// What is taken from a series before it is written: by number, these and then each relative twice, as
// it is and one step later.
const (
	lessNothing = iota
	lessOthers  // its whole, less the parts before it; of idle time the step, less what is not idle
	lessRelative
)

// breakdown are the parts that a step has before idle time, which is the rest of it.
var breakdown = []string{run.ComputeTime, run.ExposedCommTime, run.ExposedMemoryTime}

// taken is what is taken from series i, of a unit, by number; nil if there is nothing such.
func (r *relatives) taken(i, by int, unit byte) []int64 {
	switch {
	case by == lessOthers:
		return r.others(i, unit)
	case by < lessRelative || (by-lessRelative)/2 >= stepRelatives+i:
		return nil
	}
	v := r.whole((by-lessRelative)/2, unit)
	if v == nil || (by-lessRelative)%2 == 0 {
		return v
	}
	r.shared = append(append(r.shared[:0], v[:min(1, len(v))]...), v[:max(0, len(v)-1)]...)
	return r.shared
}

func (r *relatives) others(i int, unit byte) []int64 {
	key := r.list[i].Key
	var of []int64
	for k := range i {
		if r.list[k].Key == (run.Key{Metric: key.Metric}) {
			of = r.whole(stepRelatives+k, unit)
		}
	}
	if key == (run.Key{Metric: run.IdleTime}) && unit == asNanoseconds {
		of = r.known[stepLengths].v
	}
	if of == nil {
		return nil
	}
	out := slices.Clone(of)
	for k := range i {
		x := r.list[k].Key
		if !(key.Part != "" && x.Metric == key.Metric && x.Part != "") && !(key.Part == "" && x.Part == "" && slices.Contains(breakdown, x.Metric)) {
			continue
		}
		for j, n := range r.whole(stepRelatives+k, unit) {
			out[j] -= n
		}
	}
	return out
}

// closest is what best is taken from series i, the whole numbers v of a unit.
func (r *relatives) closest(i int, v []int64, unit byte) (by int, left []int64) {
	if len(v) != len(r.steps) || alike(v) {
		return lessNothing, v
	}
	from := max(0, len(v)-relativesSampled) / 2
	to := min(len(v), from+relativesSampled)
	best, least := lessNothing, roughCost(v[from:to], nil)
	try := func(by int) {
		x := r.taken(i, by, unit)
		if x == nil {
			return
		}
		if cost := roughCost(v[from:to], x[from:to]); cost < least {
			best, least = by, cost
		}
	}
	try(lessOthers)
	for k := range stepRelatives + i {
		if k >= stepRelatives && k < stepRelatives+i-relativesAsked {
			continue
		}
		try(lessRelative + 2*k)
		try(lessRelative + 2*k + 1)
	}
	if best == lessNothing {
		return best, v
	}
	x := r.taken(i, best, unit)
	left = make([]int64, len(v))
	for j := range v {
		left[j] = v[j] - x[j]
	}
	return best, left
}

// roughCost is about how many bits v less x takes: the less of it and of its changes.
func roughCost(v, x []int64) int {
	plain, changes, before := 0, 0, int64(0)
	for i, n := range v {
		if x != nil {
			n -= x[i]
		}
		plain += bits.Len64(size(n))
		changes += bits.Len64(size(n - before))
		before = n
	}
	return min(plain, changes)
}

// formula is how values follow from two relatives, but for a factor.
type formula struct {
	by   run.DerivedBy
	a, b int // relatives
}

var formulas = []run.DerivedBy{run.ByRatio, run.ByRest, run.ByProduct, run.ByFactor}

// values are those that the formula gives; nil if there are none.
func (r *relatives) values(f formula) []float64 {
	if f.a < 0 || f.b < 0 || f.a >= len(r.known) || f.b >= len(r.known) {
		return nil
	}
	return combine(f.by, r.floats(f.a), r.floats(f.b))
}

// nearly is how far a value may be from what follows, of itself: chosen, not measured: rounding
// of two operations is a thousandth of it, and what does not follow is more by far.
const nearly = 1e-12

// follow is the formula by which the values of series i follow from those before it.
func (r *relatives) follow(i int) (formula, bool) {
	v := r.list[i].Values
	var at []int
	for j, x := range v {
		if x != 0 && !math.IsNaN(x) && !math.IsInf(x, 0) {
			at = append(at, j)
		}
	}
	if len(at) < 2 || len(v) != len(r.steps) {
		return formula{}, false
	}
	at = []int{at[0], at[len(at)/2], at[len(at)-1]}
	var few [][]float64 // of each relative, at these
	var number []int
	for k := range stepRelatives + i {
		if k >= stepRelatives && k < stepRelatives+i-relativesAsked {
			continue
		}
		if x := r.floats(k); x != nil {
			few, number = append(few, []float64{x[at[0]], x[at[1]], x[at[2]]}), append(number, k)
		}
	}
	want := []float64{v[at[0]], v[at[1]], v[at[2]]}
	for a := range few {
		for b := range few {
			for _, by := range formulas {
				if by == run.ByFactor && b != 0 {
					continue
				}
				if x := combine(by, few[a], few[b]); proportional(want, x) {
					return formula{by, number[a], number[b]}, true
				}
			}
		}
	}
	return formula{}, false
}

// proportional reports whether v is x times a factor, of those that floatDistances takes out.
func proportional(v, x []float64) bool {
	for j := range v {
		a, b := float64(v[j]*x[0]), float64(x[j]*v[0]) // not fused: that differs between processors
		if !(math.Abs(a-b) <= nearly*math.Abs(a)) {
			return false
		}
	}
	return inFactors(v[0] / x[0])
}
