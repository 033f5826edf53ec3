package step

import (
	"cmp"
	"slices"
	"strings"

	"perfdiff/analyze/order"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// How many candidates of each kind are listed besides the markers that may be taken without being named.
const (
	maxRepeatingRanges   = 6
	maxRepeatingLaunches = 4
	maxUsableOfKind      = 3 // of the usable markers, of each kind
)

// Candidates lists what may mark the steps of t, whose lists must be sorted. The markers that
// perfdiff would take by itself come first, the best first; then ranges that repeat, by their
// time; then launches that repeat.
func Candidates(t *trace.Trace) []run.Candidate {
	_, _, told := Markers(t)
	return told
}

// Markers lists the markers that perfdiff may take in t without the user naming one, the best
// first, those that it may take where the other side has them, and the Candidates.
func Markers(t *trace.Trace) (all, uneven []run.Marker, told []run.Candidate) {
	if t.Logged != nil {
		return []run.Marker{markerOf(t.Logged)}, nil, nil
	}
	t, _ = withoutUnended(t)
	l := newLaunches(t)
	var out []run.Candidate
	kinds := map[string]int{}
	for f := range usableMarkers(t, func() *launches { return l }, workInMemory(t)) {
		all = append(all, f.marker)
		if kinds[f.marker.Kind]++; kinds[f.marker.Kind] <= maxUsableOfKind {
			out = append(out, l.candidate(f, true))
		}
	}
	var unevenly []run.Candidate
	for _, f := range unevenLaunches(l) {
		uneven = append(uneven, f.marker)
		unevenly = append(unevenly, l.candidate(f, false))
	}
	unevenly = unevenly[:min(len(unevenly), maxUsableOfKind)]
	for _, c := range slices.Concat(l.repeatingRanges(), l.evenLaunches(), unevenly) {
		if !slices.ContainsFunc(out, func(have run.Candidate) bool {
			return have.Marker == c.Marker || have.Name == c.Name && have.Name != ""
		}) {
			out = append(out, c)
		}
	}
	return all, uneven, out[:min(len(out), run.MaxCandidates)]
}

// repeatingRanges returns the families of ranges that repeat, the one with most time first.
func (l *launches) repeatingRanges() []run.Candidate {
	all := rangeFamilies(l.t, func(name string) bool { return !neverStep.MatchString(name) && !profilerStep.MatchString(name) }, FoldName)
	all = slices.DeleteFunc(all, func(f rangeFamily) bool { return len(f.ranges) < minRepeats })
	slices.SortStableFunc(all, func(a, b rangeFamily) int { return cmp.Compare(b.timeInside, a.timeInside) })
	var out []run.Candidate
	for _, f := range all[:min(len(all), maxRepeatingRanges)] {
		out = append(out, l.candidate(markerMarks{marker: run.Marker{Kind: run.MarkRange, Name: f.name}, marks: numberMarks(l.t, f.ranges, nil)}, false))
	}
	return out
}

// evenLaunches returns the kernels and graph replays that repeat evenly, the rarest first. Those that are only a part
// of something larger are listed too, and say what that is.
func (l *launches) evenLaunches() []run.Candidate {
	var out []run.Candidate
	for _, g := range l.rarestFirst() {
		if !l.isRegular(g) {
			continue
		}
		c := l.candidate(l.marksOf(g), false)
		if c.Within = l.holding(g); c.Within == "" && l.iterationCount > 0 && len(g.launches) > l.iterationCount+1 {
			c.Within = "something that other kernels do less often"
		}
		out = append(out, c)
	}
	slices.SortStableFunc(out, func(a, b run.Candidate) int {
		return cmp.Or(cmp.Compare(a.Count, b.Count), strings.Compare(a.Name, b.Name))
	})
	return out[:min(len(out), maxRepeatingLaunches)]
}

// candidate describes a marker by its marks in this capture.
func (l *launches) candidate(f markerMarks, usable bool) run.Candidate {
	c := run.Candidate{Marker: f.marker, Count: len(f.marks), Usable: usable}
	if len(f.marks) == 0 {
		return c
	}
	var periods []int64
	var work []int
	for i := 1; i < len(f.marks); i++ {
		periods = append(periods, f.marks[i].start-f.marks[i-1].start)
		work = append(work, l.launchesBetween(f.marks[i-1].start, f.marks[i].start))
	}
	slices.Sort(periods)
	slices.Sort(work)
	if len(periods) > 0 {
		c.Period, c.Work, c.Spread = order.Lower(periods), order.Lower(work), spread(periods)
	}
	first, last := f.marks[0], f.marks[len(f.marks)-1]
	c.Covered = l.shareOfActivity(first.start, max(last.end, last.start+c.Period))
	return c
}

// launchesBetween counts the launches whose call on the host lies in [from, to). A span without
// a recorded call counts by its own start.
func (l *launches) launchesBetween(from, to int64) int {
	if l.launchTimes == nil {
		l.launchTimes = make([]int64, len(l.spans))
		for i := range l.spans {
			sp := l.span(int32(i))
			if l.launchTimes[i] = sp.Launch; sp.Launch == trace.NoTime {
				l.launchTimes[i] = sp.Start
			}
		}
		slices.Sort(l.launchTimes)
	}
	begin, _ := slices.BinarySearch(l.launchTimes, from)
	end, _ := slices.BinarySearch(l.launchTimes, to)
	return max(0, end-begin)
}

// shareOfActivity returns the share of the capture's activity that lies in [from, to): of the
// launches, or of the time with ranges where there are none.
func (l *launches) shareOfActivity(from, to int64) float64 {
	if n := len(l.spans); n > 0 {
		return float64(l.launchesBetween(from, to)) / float64(n)
	}
	rs := l.t.Ranges
	if len(rs) == 0 {
		return 0
	}
	begin, end := rs[0].Start, rs[0].End
	for _, r := range rs {
		end = max(end, r.End)
	}
	return float64(min(to, end)-max(from, begin)) / float64(max(1, end-begin))
}
