package sides

import (
	"cmp"
	"math"
	"slices"

	"perfdiff/diff/stat"
)

// largestDrift returns how much the steps of a run rise from first to last beyond what their loads explain, as a log,
// the largest over all runs; NaN where a run has too few steps to tell.
func largestDrift(runs []loadRun) float64 {
	largest := 0.0
	for _, r := range runs {
		x := r.besideLoad()
		if len(x) < stat.MinDrift {
			return math.NaN()
		}
		largest = math.Max(largest, math.Abs(stat.Drift(x).Value))
	}
	return largest
}

// besideLoad returns the logs of the run's step times in order of time, each less what is
// usual for its group and, on a line, for its size and context.
func (r *loadRun) besideLoad() []float64 {
	type point struct {
		number int64
		rest   float64
	}
	var all []point
	for _, steps := range r.groups {
		var sizes, contexts, times []float64
		var numbers []int64
		for _, s := range steps {
			if s.time > 0 {
				numbers = append(numbers, s.number)
				sizes, contexts = append(sizes, logOf(s.load.Size())), append(contexts, logOf(s.load.Context))
				times = append(times, math.Log(s.time))
			}
		}
		// What contexts say beside sizes is taken from what sizes leave: the least squares
		// over both (theorem of Frisch and Waugh).
		for i, rest := range lessLine(lessLine(sizes, contexts), lessLine(sizes, times)) {
			all = append(all, point{number: numbers[i], rest: rest})
		}
	}
	slices.SortFunc(all, func(a, b point) int { return cmp.Compare(a.number, b.number) })
	out := make([]float64, len(all))
	for i, p := range all {
		out[i] = p.rest
	}
	return out
}

// lessLine returns y less its least-squares line over x; two points or fewer, which a line would fit exactly, less
// their mean.
func lessLine(x, y []float64) []float64 {
	mx, my, xx, xy := stat.Mean(x), stat.Mean(y), 0.0, 0.0
	for i := range x {
		xx += float64((x[i] - mx) * (x[i] - mx))
		xy += float64((x[i] - mx) * (y[i] - my))
	}
	slope := 0.0
	if xx > 1e-12*float64(len(x)) && len(x) > 2 { // above what rounding leaves of equal ones
		slope = xy / xx
	}
	rest := make([]float64, len(y))
	for i := range y {
		rest[i] = y[i] - my - float64(slope*(x[i]-mx))
	}
	return rest
}

// Moving reports whether the sides may be at other places of one trend: some steps of a side are not compared, and
// steps of like load change over a run by as much as a change would. Too few steps to tell count as moving.
func (l *Loads) Moving(threshold float64) bool {
	return l != nil && l.Compared > 0 && l.uneven && !(l.drift < threshold)
}
