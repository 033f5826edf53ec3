package picture

import (
	"math"
	"slices"

	"perfdiff/render/plot"
)

// axis is one scale, or several with a break between: values far out get one of their own, so that they do not
// squeeze all the rest into a column of specks.
type axis []plot.Scale

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
	main := plot.Scale{Lo: max(0, lo-padding(hi-lo, hi)), Hi: hi + padding(hi-lo, hi), From: from, To: to}
	low, high := all[:firstFrom(all, lo)], all[firstFrom(all, math.Nextafter(hi, math.Inf(1))):]
	share, out := float64((to-from)*outerShare), axis{}
	if len(low) > 0 {
		main.From += share
		x := outer(low, hi-lo, from, main.From-breakWidth)
		x.Hi, main.Lo = min(x.Hi, middle(low[len(low)-1], lo)), max(main.Lo, middle(low[len(low)-1], lo))
		out = append(out, x)
	}
	if len(high) > 0 {
		main.To -= share
		x := outer(high, hi-lo, main.To+breakWidth, to)
		main.Hi, x.Lo = min(main.Hi, middle(hi, high[0])), max(x.Lo, middle(hi, high[0]))
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

// outer returns the scale of values far out, which has a width even for one.
func outer(v []float64, body, from, to float64) plot.Scale {
	lo, hi := v[0], v[len(v)-1]
	pad := math.Max(padding(hi-lo, 0), body/4)
	return plot.Scale{Lo: max(0, lo-pad), Hi: hi + pad, From: from, To: to}
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
		if v >= next.Lo {
			p = next
		}
	}
	return p.At(v)
}
