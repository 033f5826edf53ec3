package plot

import (
	"math"
	"strconv"

	"perfdiff/render/number"
)

// Scale puts the values from Lo to Hi on the pixels between From and To.
type Scale struct{ Lo, Hi, From, To float64 }

// At returns the pixel of a value.
func (s Scale) At(v float64) float64 {
	share := (float64(v) - float64(s.Lo)) / (float64(s.Hi) - float64(s.Lo)) // ends may be products, which must not fuse
	return float64(s.From) + float64(share*(float64(s.To)-float64(s.From)))
}

// Tick is a place on an axis, with its number.
type Tick struct {
	At   float64
	Text string
}

// Ticks returns round numbers on a scale, about n of them, without trailing zeros: the rule of all axes.
func (s Scale) Ticks(n int, signed bool) (out []Tick) {
	step := Step((s.Hi - s.Lo) / float64(n))
	for i := math.Ceil(s.Lo/step - 1e-9); float64(i*step) <= s.Hi+float64(step*1e-6); i++ {
		v := float64(i * step)
		out = append(out, Tick{s.At(v), Number(v, signed)})
	}
	return out
}

// Step returns 1, 2 or 5 times a power of ten, and at least v.
func Step(v float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(v)))
	for _, k := range []float64{1, 2, 5} {
		if k*unit >= v*0.999 {
			return k * unit
		}
	}
	return 10 * unit
}

// Number writes a value as ticks are written, signed with a plus where it has one.
func Number(v float64, signed bool) string {
	v = Rounded(v, 6)
	s := strconv.FormatFloat(math.Abs(v), 'f', -1, 64)
	if v == math.Trunc(v) {
		s = number.Count(int(math.Abs(v)))
	}
	switch {
	case math.Abs(v) < 1e-12:
		return "0"
	case v < 0:
		return number.Minus + s
	case signed:
		return "+" + s
	}
	return s
}

// EndTicks is how many ticks an axis from 0 to Ceiling has room for, so that the last one stands at its end.
const EndTicks = 6

// Ceiling returns a round number not below v, for the end of an axis that begins at 0.
func Ceiling(v float64) float64 {
	if !(v > 0) || math.IsInf(v, 0) {
		return 1
	}
	unit := math.Pow(10, math.Floor(math.Log10(v)))
	for _, step := range []float64{1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8} {
		if v <= step*unit*(1+1e-9) {
			return Rounded(step*unit, 6)
		}
	}
	return 10 * unit
}

// Around returns the ends of an axis for values from lo to hi, none of them negative, with so much free at both
// ends: ticks, of which ECharts draws about five.
func Around(lo, hi, pad float64) (from, to float64) {
	if !(hi+pad > lo) {
		return lo, hi
	}
	step := Step((hi - lo + pad) / 5)
	return Rounded(math.Floor(max(0, lo-pad)/step)*step, 6), Rounded(math.Ceil((hi+pad)/step)*step, 6)
}

// Rounded rounds v to so many digits, of which a chart shows fewer.
func Rounded(v float64, digits float64) float64 {
	scale := math.Pow(10, digits-1-math.Floor(math.Log10(math.Abs(v))))
	if v == 0 || math.IsNaN(scale) || math.IsInf(scale, 0) || scale == 0 {
		return v
	}
	return math.Round(v*scale) / scale
}
