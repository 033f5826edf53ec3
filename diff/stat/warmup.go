package stat

import "math"

// bandFloor is the narrowest band around a run's line, as a difference of logs: a very
// quiet run is not in its warm-up for being 1 % slow. Simulated, with three MADs of the
// run about its line: no step is cut in the median of runs without a warm-up, and of
// warm-ups that decay within eight steps less than 0.15 % are left at 100 steps.
const bandFloor = 0.01

// WarmUp is where the steady part of a run begins.
type WarmUp struct {
	Cut    int  // values at the start that belong to the warm-up
	Capped bool // half the run was reached and the values were still high
	Falls  bool // the values before the cut come down towards it
	GoesOn bool // the values after the cut keep coming down
}

// FindWarmUp looks at the logs of a run's step times in order. A run settles on a robust line through its last half,
// extended to the start, so that a run that keeps drifting has no warm-up. The warm-up ends at the first value from
// which the median of three lies below the line plus the larger of three scaled MADs and 1 %; it is at most half the
// run. Under 6 values there is nothing to judge and no warm-up.
func FindWarmUp(x []float64) WarmUp {
	n := len(x)
	if n < 6 {
		return WarmUp{}
	}
	residuals, band := aroundLine(x)
	cut := n
	for i := 0; i+2 < n; i++ {
		if Median(residuals[i:i+3]) < band {
			cut = i
			break
		}
	}
	limit := n / 2
	w := WarmUp{Cut: min(cut, limit), Capped: cut >= limit}
	w.Falls = falls(x, w.Cut, band)
	w.GoesOn = w.Falls && descends(x[w.Cut:], band)
	return w
}

// aroundLine returns the distances of all values from the line through the last half, and the half width of the band
// in which they count as steady.
func aroundLine(x []float64) (residuals []float64, band float64) {
	half := len(x) / 2
	tail := x[half:]
	k := min(8, max(3, len(tail)/3))
	length := len(tail) / k
	y := BatchMedians(tail, k)
	at := make([]float64, k)
	for i := range at {
		at[i] = float64(half+len(tail)-k*length+i*length) + float64(float64(length-1)/2)
	}
	line := TheilSen(at, y)
	residuals = make([]float64, len(x))
	for i, v := range x {
		residuals[i] = v - line.at(float64(i))
	}
	deviations := make([]float64, len(tail))
	for i, r := range residuals[half:] {
		deviations[i] = math.Abs(r)
	}
	mad := float64(1.4826*Median(deviations)) + 1e-9
	return residuals, math.Max(3*mad, bandFloor)
}

// falls reports whether the values before the cut start higher than they are
// at the cut. A run that grows ever faster is above the line at its start too,
// and has no warm-up.
func falls(x []float64, cut int, band float64) bool {
	if cut == 0 {
		return false
	}
	width := max(3, cut/3)
	end := min(len(x), cut+width)
	return Median(x[:min(width, len(x))])-Median(x[end-width:end]) > band
}

// descends reports whether the first third of x lies above the last third.
func descends(x []float64, band float64) bool {
	third := max(1, len(x)/3)
	return Median(x[:third])-Median(x[len(x)-third:]) > band
}

// Line is y = Intercept + Slope x.
type Line struct{ Slope, Intercept float64 }

// at returns the line at x. The product is rounded by itself: processors that can
// multiply and add at once would give another last bit.
func (l Line) at(x float64) float64 { return l.Intercept + float64(l.Slope*x) }

// TheilSen returns the robust line through points: its slope is the median of the slopes between all pairs, its
// intercept the median of what remains (Theil 1950, Sen 1968). The x differ from each other.
func TheilSen(x, y []float64) Line {
	var slopes []float64
	for i := range x {
		for j := i + 1; j < len(x); j++ {
			slopes = append(slopes, (y[j]-y[i])/(x[j]-x[i]))
		}
	}
	slope := Median(slopes)
	rest := make([]float64, len(x))
	for i := range x {
		rest[i] = y[i] - float64(slope*x[i])
	}
	return Line{slope, Median(rest)}
}
