package stat

import (
	"math"
	"slices"

	"perfdiff/analyze/order"
)

// Level is a change of level inside a run: its values stand on one level up to a
// place, and from there on, from one value to the next, on another.
type Level struct {
	At            int     // index of the first value on the new level
	Before, After float64 // medians of the values on both levels
	Size          float64 // After less Before
	Variance      float64 // of Size, with the correlation of neighbours
	DF            float64 // degrees of freedom of Variance
}

// What makes a change of level. The constants were chosen by simulation; TestLevelRates
// holds the rates that they give.
const (
	MinLevel   = 15   // values of a run in which a change is looked for
	levelLeast = 3    // values on each level
	levelSize  = 0.05 // least size, as a difference of logs: two modes a few per cent apart are noise
	levelLine  = 0.55 // of a straight line's sum of squares, at most
	levelNear  = 0.6  // of the size, by which the values next to the change differ at least
	levelNext  = 5    // values next to the change
	levelP     = 0.01 // error over all splits
	levelSharp = 3.25 // times as far as else values that far apart differ, at least

	// From one value to the next by so many scaled MADs of such steps, onto levels that are
	// that much nearer than a line: no noise of neighbours that go together does that, and
	// in a short run their correlation is not known well enough to say so otherwise.
	levelJump, levelClear = 6, 0.35
)

// FindLevel finds the place at which the logs x of a run's step times change their level for good; if there are
// several, the largest. A run that grows along a line, wanders, settles or has spikes has none: two levels must be far
// nearer to the values than a straight line is, the values next to the place must differ by most of what the levels
// do, and by far more than neighbours do elsewhere, and the size must be beyond what values that go together wander by
// (as Changed, with an autoregression in place of independent values).
//
// A spike moves neither level: each value is kept near the median of the five around it, which does not alter a
// lasting change.
func FindLevel(x []float64) (Level, bool) {
	n := len(x)
	if n < MinLevel {
		return Level{}, false
	}
	y := heldNear(x)
	at, within := bestSplit(y)
	line := aboutLine(y)
	if at == 0 || !(within < levelLine*line) {
		return Level{}, false
	}
	l := Level{At: at, Before: Median(x[:at]), After: Median(x[at:])}
	l.Size = l.After - l.Before
	up := math.Copysign(1, l.Size)
	next := Median(y[at:min(n, at+levelNext)]) - Median(y[max(0, at-levelNext):at])
	if math.Abs(l.Size) < levelSize || !(next*up >= levelNear*math.Abs(l.Size)) || !sharp(y, at) || !l.holds(x) {
		return Level{}, false
	}
	l.Variance, l.DF = levelVariance(y, at, within)
	jump := (y[at] - y[at-1]) * up
	return l, l.beyond(n) || jump >= levelJump*usualStep(y) && within < levelClear*line
}

// holds reports whether the values stand on both levels: at least three of each part, of which at most a fifth are
// nearer to the other level. A value that is further from both levels than they are from each other is a spike, and on
// neither.
func (l *Level) holds(x []float64) bool {
	on := func(part []float64, own, other float64) bool {
		near, far := 0, 0
		for _, v := range part {
			switch a, b := math.Abs(v-own), math.Abs(v-other); {
			case min(a, b) > math.Abs(l.Size):
			case a <= b:
				near++
			default:
				far++
			}
		}
		return near >= levelLeast && 5*far <= near+far
	}
	return on(x[:l.At], l.Before, l.After) && on(x[l.At:], l.After, l.Before)
}

// beyond reports whether the size is more than chance over all splits of so many values.
func (l *Level) beyond(n int) bool {
	if l.Variance <= 0 {
		return true
	}
	p := 2 * student(l.DF).Survival(math.Abs(l.Size)/math.Sqrt(l.Variance))
	return p*float64(n+1-2*levelLeast) < levelP
}

// HalfWidth returns half the width of the two-sided interval of the size with error alpha.
func (l *Level) HalfWidth(alpha float64) float64 {
	return float64(student(l.DF).Quantile(1-float64(alpha/2)) * math.Sqrt(l.Variance))
}

// heldNear returns the values, none further from the median of the five around it than
// noise is.
func heldNear(x []float64) []float64 {
	middle, away := make([]float64, len(x)), make([]float64, len(x))
	var five [5]float64
	for i, v := range x {
		n := copy(five[:], x[max(0, i-2):min(len(x), i+3)])
		slices.Sort(five[:n])
		middle[i] = order.Quantile(five[:n], 0.5)
		away[i] = math.Abs(v - middle[i])
	}
	room := float64(3 * 1.4826 * Median(away))
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = min(middle[i]+room, max(middle[i]-room, v))
	}
	return out
}

// bestSplit returns the place that leaves the least sum of squares about the means of both
// parts, and that sum; 0 of equal values.
func bestSplit(y []float64) (at int, within float64) {
	n, middle := len(y), Mean(y)
	if squares(y, middle) <= float64(n)*rounding*middle*middle {
		return 0, 0
	}
	sum, most := 0.0, 0.0
	for i, v := range y {
		sum += v - middle
		k := i + 1
		if k < levelLeast || n-k < levelLeast {
			continue
		}
		if gain := float64(sum*sum) / (float64(k) * float64(n-k)); gain > most {
			at, most = k, gain
		}
	}
	return at, squares(y[:at], Mean(y[:at])) + squares(y[at:], Mean(y[at:]))
}

// sharp reports whether the three values on both sides of a place differ by far more
// than three and three neighbours do elsewhere.
func sharp(y []float64, at int) bool {
	apart := func(k int) float64 { return Mean(y[k:k+levelLeast]) - Mean(y[k-levelLeast:k]) }
	var elsewhere []float64
	for k := levelLeast; k+levelLeast <= len(y); k++ {
		if k <= at-levelLeast || k >= at+levelLeast {
			elsewhere = append(elsewhere, apart(k))
		}
	}
	usual := math.Sqrt(squares(elsewhere, 0) / float64(max(1, len(elsewhere))))
	return len(elsewhere) > 0 && math.Abs(apart(at)) >= levelSharp*usual
}

// usualStep returns the scaled MAD of the differences of neighbours.
func usualStep(y []float64) float64 {
	d := make([]float64, len(y)-1)
	for i := range d {
		d[i] = math.Abs(y[i+1] - y[i])
	}
	return float64(1.4826 * Median(d))
}

// levelVariance returns the variance of the difference of two levels whose values have so large a sum of squares
// within them. Neighbours that go together make it larger: their correlation is taken from the residuals and corrected
// for being estimated from so few, and the degrees of freedom are what it leaves of n values.
func levelVariance(y []float64, at int, within float64) (variance, df float64) {
	n := float64(len(y))
	rest := slices.Clone(y)
	for _, part := range [][]float64{rest[:at], rest[at:]} {
		m := Mean(part)
		for i := range part {
			part[i] -= m
		}
	}
	together, phi := 0.0, 0.0
	for i := 1; i < len(rest); i++ {
		together += float64(rest[i] * rest[i-1])
	}
	if within > 0 {
		phi = together / within
	}
	phi = min(0.95, max(0, (float64(n*phi)+1)/(n-3)))
	longer := (1 + phi) / (1 - phi)
	return within / (n - 2) * longer * (1/float64(at) + 1/(n-float64(at))), max(3, n/longer-2)
}

// Rise returns how much a run rises from its first to its last step: from the first level to the last if it changes
// its level, since a line through a jump would have another size and say the wrong thing; else Drift.
func Rise(x []float64) Scalar {
	if l, ok := FindLevel(x); ok {
		return Scalar{l.Size, l.Variance}
	}
	return Drift(x)
}

// WarmUpOf does what FindWarmUp does for a run that may change its level later; that must neither bend the line on
// which the run settles nor look like a warm-up without end. A level that falls within the first half is a warm-up.
func WarmUpOf(x []float64) WarmUp {
	w := FindWarmUp(x)
	skip := len(x) / 5 // where the line is bent its place says nothing
	if w.Falls && !w.Capped {
		skip = w.Cut
	}
	l, ok := FindLevel(x)
	if !ok || l.Size < 0 {
		l, ok = FindLevel(x[skip:])
		l.At += skip
	}
	if !ok || l.Size < 0 && !w.Capped {
		return w
	}
	level := slices.Clone(x)
	for i := l.At; i < len(x); i++ {
		level[i] -= l.Size
	}
	if on := FindWarmUp(level); on.Falls || on.Cut <= w.Cut {
		return on
	}
	return w
}
