package picture

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"perfdiff/render/number"
)

// piece is a part of an axis: values from lo to hi on the pixels between from and to.
type piece struct{ lo, hi, from, to float64 }

// axis is one piece, or several with a break between: values far out get a piece of their own, so that they do not
// squeeze all the rest into a column of specks.
type axis []piece

const (
	// farOut is how many widths of the middle half a value lies outside of it to be far out, and
	// leastWidth that width at least, as a share of the median. Tukey, Exploratory Data Analysis,
	// 1977, section 2D; leastWidth is chosen, not measured.
	farOut, leastWidth = 3.0, 0.01
	// An axis is broken if it would be so many times as long as its body. Chosen, not measured.
	brokenFrom = 2.0
	outerShare = 0.2  // of the axis, for what is far out at one end
	breakWidth = 18.0 // px
)

// axisOf returns an axis from pixel to pixel that holds both sides, each sorted, and their marks.
func axisOf(both [2][]float64, marks []float64, from, to float64) axis {
	all := slices.Sorted(slices.Values(slices.Concat(both[0], both[1], marks)))
	lo, hi := body(both, marks, all)
	first, last := all[0], all[len(all)-1]
	if last-first < brokenFrom*(hi-lo) {
		lo, hi = first, last
	}
	main := piece{max(0, lo-padding(hi-lo, hi)), hi + padding(hi-lo, hi), from, to}
	low, high := all[:firstFrom(all, lo)], all[firstFrom(all, math.Nextafter(hi, math.Inf(1))):]
	share, out := float64((to-from)*outerShare), axis{}
	if len(low) > 0 {
		main.from += share
		x := outer(low, hi-lo, from, main.from-breakWidth)
		x.hi, main.lo = min(x.hi, middle(low[len(low)-1], lo)), max(main.lo, middle(low[len(low)-1], lo))
		out = append(out, x)
	}
	if len(high) > 0 {
		main.to -= share
		x := outer(high, hi-lo, main.to+breakWidth, to)
		main.hi, x.lo = min(main.hi, middle(hi, high[0])), max(x.lo, middle(hi, high[0]))
		return append(out, main, x)
	}
	return append(out, main)
}

func middle(a, b float64) float64 { return a + float64((b-a)/2) }

// body returns the range of the values that are not far out on either side.
func body(both [2][]float64, marks, all []float64) (lo, hi float64) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range both {
		if n := len(v); n > 0 {
			q1, q2, q3 := v[(n-1)/4], v[n/2], v[3*(n-1)/4]
			width := math.Max(q3-q1, float64(leastWidth*q2))
			low, high = min(low, q1-float64(farOut*width)), max(high, q3+float64(farOut*width))
		}
	}
	for _, m := range marks {
		low, high = min(low, m), max(high, m)
	}
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, v := range all {
		if v >= low && v <= high {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	return beforeGap(all, lo, hi)
}

// beforeGap moves both ends of a range outwards, to the widest gap between values there, which
// is the place for a break.
func beforeGap(all []float64, lo, hi float64) (float64, float64) {
	from, to := firstFrom(all, lo), firstFrom(all, math.Nextafter(hi, math.Inf(1)))-1
	low, high, widest := from, to, 0.0
	for i := to; i+1 < len(all); i++ {
		if gap := all[i+1] - all[i]; gap > widest {
			high, widest = i, gap
		}
	}
	widest = 0
	for i := from; i > 0; i-- {
		if gap := all[i] - all[i-1]; gap > widest {
			low, widest = i, gap
		}
	}
	return all[low], all[high]
}

// outer returns the piece of values far out, which has a width even for one.
func outer(v []float64, body, from, to float64) piece {
	lo, hi := v[0], v[len(v)-1]
	pad := math.Max(padding(hi-lo, 0), body/4)
	return piece{max(0, lo-pad), hi + pad, from, to}
}

func padding(span, value float64) float64 {
	return math.Max(float64(span*0.08), math.Max(float64(value*0.01), 1e-9))
}

// firstFrom returns the index of the first of sorted values that is at least v.
func firstFrom(sorted []float64, v float64) int {
	i, _ := slices.BinarySearch(sorted, v)
	return i
}

// at returns the pixel of a value.
func (a axis) at(v float64) float64 {
	p := a[0]
	for _, next := range a[1:] {
		if v >= next.lo {
			p = next
		}
	}
	return p.from + float64((v-p.lo)/(p.hi-p.lo)*(p.to-p.from))
}

// label is a text under an axis.
type label struct {
	x    float64
	text string
}

// ticks returns round numbers on a piece, about n of them, without trailing zeros: the rule of all axes.
func (p piece) ticks(n int, signed bool) (out []label) {
	step := niceStep((p.hi - p.lo) / float64(n))
	digits := max(0, -int(math.Floor(float64(math.Log10(step))+1e-9)))
	for i := math.Ceil(p.lo/step - 1e-9); float64(i*step) <= p.hi+float64(step*1e-6); i++ {
		v := float64(i * step)
		at := p.from + float64((v-p.lo)/(p.hi-p.lo)*(p.to-p.from))
		out = append(out, label{at, tickText(v, digits, signed)})
	}
	return out
}

// niceStep returns 1, 2 or 5 times a power of ten, and at least v.
func niceStep(v float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(v)))
	for _, k := range []float64{1, 2, 5} {
		if k*unit >= v*0.999 {
			return k * unit
		}
	}
	return 10 * unit
}

func tickText(v float64, digits int, signed bool) string {
	s := strconv.FormatFloat(math.Abs(v), 'f', digits, 64)
	if digits > 0 {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	if digits == 0 {
		s = number.Count(int(math.Round(math.Abs(v))))
	}
	switch {
	case s == "0" || math.Abs(v) < 1e-12:
		return "0"
	case v < 0:
		return "\u2212" + s
	case signed:
		return "+" + s
	}
	return s
}
