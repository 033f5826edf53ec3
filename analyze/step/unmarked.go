package step

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"perfdiff/analyze/order"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// A step ends where the next marker begins. So where the numbers of two markers in a row
// show that a step between them was not marked, the first of the two spans that step as
// well. Three things look alike and are not:
//
//   - names that count something other than steps: the times between them then have nothing
//     to do with the numbers;
//   - ranges that last until the next one: each is what the program calls a step;
//   - a profiler that was off in between: nothing was launched after the end of the range,
//     which is then the end of the step.

// longStepFactor is from how many usual periods on a step is taken to hold a second one without
// a marker. One missing marker makes a step at least twice as long; other causes seldom make it
// 1.5 times. Chosen, not measured: half way between one step and two.
const longStepFactor = 1.5

// maxLaunchesWhileOff is the most that may be launched between ranges, as a share of what is launched inside them, for
// the profiler to count as off between them. Chosen, not measured: some launches between ranges are the program's own.
const maxLaunchesWhileOff = 0.02

// withStride returns the marker with the stride of its numbers, if that is more than one and the steps between were
// not marked: ranges around every second step are another marker than ranges around each step. Where the profiler was
// off between ranges, the result says so instead.
func withStride(t *trace.Trace, f markerMarks, all deviceWork) markerMarks {
	d := stride(f.marks)
	if !f.countsSteps() || d <= 1 || mostLast(f.marks, d) {
		return f
	}
	if f.profilerOff = offBetweenRanges(t, f.marks, all); !f.profilerOff {
		f.marker.Every = int(min(d, 1<<30))
	}
	return f
}

// countsSteps reports whether the numbers of a marker may be step numbers.
func (f markerMarks) countsSteps() bool {
	switch f.marker.Kind {
	case run.MarkProfiler, run.MarkNumbered, run.MarkAskedRange:
		return true
	}
	return false
}

// stride returns the most frequent difference from one number to the next; the smallest one if
// several are equally frequent, 1 without any.
func stride(marks []mark) int64 {
	counts := map[int64]int{}
	for i := 1; i < len(marks); i++ {
		counts[marks[i].number-marks[i-1].number]++
	}
	most := int64(1)
	for d, n := range counts {
		if n > counts[most] || n == counts[most] && d < most {
			most = d
		}
	}
	return most
}

// mostLast reports whether most ranges last until the next one, among those whose next number
// is d larger.
func mostLast(marks []mark, d int64) bool {
	all, whole := 0, 0
	for i := 0; i+1 < len(marks); i++ {
		if marks[i+1].number-marks[i].number == d {
			if all++; marks[i].lasts(marks[i+1]) {
				whole++
			}
		}
	}
	return 2*whole > all
}

// lasts reports whether a range lasts until the next one begins, or nearly so.
func (m mark) lasts(next mark) bool {
	return m.end != trace.NoTime && float64(m.end-m.start) >= minPeriodCovered*float64(next.start-m.start)
}

// offBetweenRanges reports whether next to nothing was launched between the ranges, so that the
// profiler was off there.
func offBetweenRanges(t *trace.Trace, marks []mark, all deviceWork) bool {
	inside, between := 0, 0
	count := func(at int64) {
		i, found := slices.BinarySearchFunc(marks, at, func(m mark, ts int64) int { return cmp.Compare(m.start, ts) })
		if !found {
			i--
		}
		switch {
		case i < 0 || i == len(marks)-1:
		case at < marks[i].end:
			inside++
		default:
			between++
		}
	}
	all(func(spans []trace.Span) {
		for i := range spans {
			count(launchTime(&spans[i]))
		}
	})
	if len(t.Device) == 0 {
		for i := range t.API {
			count(t.API[i].Start)
		}
		for i := range t.Ops {
			count(t.Ops[i].Start)
		}
	}
	return inside > 0 && float64(between) <= maxLaunchesWhileOff*float64(inside)
}

// dropStepsSpanningSeveral drops the steps whose distance to the next number is not the usual one: they span steps
// without a marker. It returns the numbers that have no range, at most somewhat more than maxMissingListed.
func dropStepsSpanningSeveral(marks []mark, steps []trace.Step) (missing []int64) {
	d := stride(marks)
	usual := usualPeriod(marks, d)
	for i := 0; i+1 < len(marks); i++ {
		apart, period := marks[i+1].number-marks[i].number, float64(marks[i+1].start-marks[i].start)
		switch {
		case apart > d && period >= longStepFactor*usual && !marks[i].lasts(marks[i+1]):
			for n := marks[i].number + d; n < marks[i+1].number && len(missing) <= maxMissingListed; n += d {
				missing = append(missing, n)
			}
		case apart < d && period*longStepFactor <= usual:
		default:
			continue
		}
		if steps[i].Dropped == "" {
			steps[i].Dropped = run.DropUnmarked
		}
	}
	return missing
}

// usualPeriod returns the lower median of the times, in ns, between marks whose numbers differ by d.
func usualPeriod(marks []mark, d int64) float64 {
	var periods []int64
	for i := 0; i+1 < len(marks); i++ {
		if marks[i+1].number-marks[i].number == d {
			periods = append(periods, marks[i+1].start-marks[i].start)
		}
	}
	if len(periods) == 0 {
		return 0
	}
	slices.Sort(periods)
	return float64(order.Lower(periods))
}

// maxMissingListed is how many numbers the warning about steps without a marker lists.
const maxMissingListed = 6

// markAllHint is the remedy in that warning.
const markAllHint = " (put the range around every step)"

// warnUnmarked returns the warning about the steps that have no marker, "" if there are none.
func warnUnmarked(missing []int64) string {
	switch n := len(missing); {
	case n == 0:
		return ""
	case n == 1:
		return fmt.Sprintf("step %d was not marked: the one before it spans both and is left out"+markAllHint, missing[0])
	}
	var list []string
	for _, n := range missing[:min(len(missing), maxMissingListed)] {
		list = append(list, fmt.Sprint(n))
	}
	text := strings.Join(list, ", ")
	if len(missing) > maxMissingListed {
		text += " and more"
	}
	return "steps " + text + " were not marked: those before them span several and are left out" + markAllHint
}
