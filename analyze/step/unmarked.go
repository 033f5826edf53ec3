package step

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// A step ends where the next marker begins, so that behind a step whose next number is
// not the next one, steps of the program were not marked, and it spans them too. Three
// things look like that and are none: names that count something else than steps, where
// the time from one to the next has nothing to do with the numbers; ranges that last until
// the next one, each of which is what the program calls a step; and a profiler that was
// off in between, where nothing was launched behind the range's end, which then is the
// step's.

// longer is from how many times the usual period on a step spans more than one. Steps
// that are not marked make it twice as long at least, other things seldom do. Chosen, not
// measured: half way between one step and two.
const longer = 1.5

// mostOff is the share of the launches that may lie between ranges where a profiler was
// off there. Chosen, not measured: some launches between ranges are of the program's own.
const mostOff = 0.02

// strided is a marker of which most numbers are the same distance apart, with that
// distance in it where it is more than one and the steps between were not marked: ranges
// around every second step are another marker than those around each.
func strided(t *trace.Trace, f found, all work) found {
	d := stride(f.marks)
	if !f.countsSteps() || d <= 1 || lasting(f.marks, d) {
		return f
	}
	if f.off = offBetween(t, f.marks, all); !f.off {
		f.by.Every = int(min(d, 1<<30))
	}
	return f
}

// countsSteps reports whether the numbers of a marker may be those of steps.
func (f found) countsSteps() bool {
	switch f.by.Kind {
	case run.MarkProfiler, run.MarkNumbered, run.MarkAskedRange:
		return true
	}
	return false
}

// stride is the distance that most numbers are from the next one, the smallest of equals;
// 1 where there is none.
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

// lasting reports whether most ranges whose next number is d away last until that one.
func lasting(marks []mark, d int64) bool {
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
	return m.end != trace.NoTime && float64(m.end-m.start) >= minOwn*float64(next.start-m.start)
}

// offBetween reports whether next to nothing was launched between the ranges, from the
// first to the last, so that the profiler was off there.
func offBetween(t *trace.Trace, marks []mark, all work) bool {
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
			count(launchOf(&spans[i]))
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
	return inside > 0 && float64(between) <= mostOff*float64(inside)
}

// launchOf is when the host launched a span; without that, when it began.
func launchOf(sp *trace.Span) int64 {
	if sp.Launch == trace.NoTime {
		return sp.Start
	}
	return sp.Launch
}

// unmarked drops the steps that span another number of steps than most do, and returns
// the numbers that no range has.
func unmarked(marks []mark, steps []trace.Step) (missing []int64) {
	d := stride(marks)
	usual := usualPeriod(marks, d)
	for i := 0; i+1 < len(marks); i++ {
		apart, period := marks[i+1].number-marks[i].number, float64(marks[i+1].start-marks[i].start)
		switch {
		case apart > d && period >= longer*usual && !marks[i].lasts(marks[i+1]):
			for n := marks[i].number + d; n < marks[i+1].number && len(missing) <= mostMissing; n += d {
				missing = append(missing, n)
			}
		case apart < d && period*longer <= usual:
		default:
			continue
		}
		if steps[i].Dropped == "" {
			steps[i].Dropped = run.DropUnmarked
		}
	}
	return missing
}

// usualPeriod is the median time from a mark to the next one where the numbers are d
// apart, in ns.
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
	return float64(periods[(len(periods)-1)/2])
}

// mostMissing is how many numbers a warning lists.
const mostMissing = 6

// markAll is what to do about steps that are not marked.
const markAll = " (put the range around every step)"

// warnUnmarked says which steps were not marked, "" if all were.
func warnUnmarked(missing []int64) string {
	switch n := len(missing); {
	case n == 0:
		return ""
	case n == 1:
		return fmt.Sprintf("step %d was not marked: the one before it spans both and is left out"+markAll, missing[0])
	}
	var list []string
	for _, n := range missing[:min(len(missing), mostMissing)] {
		list = append(list, fmt.Sprint(n))
	}
	text := strings.Join(list, ", ")
	if len(missing) > mostMissing {
		text += " and more"
	}
	return "steps " + text + " were not marked: those before them span several and are left out" + markAll
}

// ownEnds ends steps where their own work does, since the profiler was off from there to
// the next: with the last device work that was launched in each, and not before its range.
type ownEnds struct {
	marks []mark
	steps []trace.Step
	ends  []int64 // of the last work of each step, 0 without any
	at    int     // where the one before was found
}

// ownEnds are those of the steps that were made of the marks, nil where the profiler was on
// between them.
func (f *found) ownEnds(steps []trace.Step) *ownEnds {
	if !f.off {
		return nil
	}
	return &ownEnds{marks: f.marks, steps: steps, ends: make([]int64, len(steps))}
}

// add takes device work, in any order.
func (e *ownEnds) add(spans []trace.Span) {
	if e == nil {
		return
	}
	for i := range spans {
		if launch := launchOf(&spans[i]); launch >= e.steps[0].HostStart {
			e.at = stepAt(e.steps, launch, e.at, trace.NoTime)
			e.ends[e.at] = max(e.ends[e.at], spans[i].End)
		}
	}
}

// set moves the ends, once all work was seen and the steps have their edges.
func (e *ownEnds) set() {
	for i := range e.steps {
		s := &e.steps[i]
		if s.HostEnd = e.marks[i].end; s.Start == trace.NoTime {
			continue
		}
		if s.End = max(e.ends[i], s.HostEnd); s.Dropped == DropLast || s.Dropped == DropNoNext {
			s.Dropped = ""
		}
	}
}
