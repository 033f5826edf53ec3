package step

import (
	"cmp"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// How many candidates of a kind are told beside those that may be taken unnamed.
const (
	mostRanges   = 6
	mostLaunches = 4
	mostKinds    = 3 // usable ones of one kind
)

// Candidates are what may mark steps in t, which must be sorted: first the markers that
// may be taken without being named, in the order in which they are, then ranges that
// repeat, those with the most time first, and launches that repeat.
func Candidates(t *trace.Trace) []run.Candidate {
	_, told := List(t)
	return told
}

// List are the markers that may be taken in t without being named, the best first, and
// the Candidates.
func List(t *trace.Trace) (all []run.Marker, told []run.Candidate) {
	l := newLaunches(t)
	var out []run.Candidate
	kinds := map[string]int{}
	for f := range usable(t, func() *launches { return l }, workOf(t)) {
		all = append(all, f.by)
		if kinds[f.by.Kind]++; kinds[f.by.Kind] <= mostKinds {
			out = append(out, l.candidate(f, true))
		}
	}
	for _, c := range slices.Concat(l.ranges(), l.repeating()) {
		if !slices.ContainsFunc(out, func(have run.Candidate) bool {
			return have.Marker == c.Marker || have.Name == c.Name && have.Name != ""
		}) {
			out = append(out, c)
		}
	}
	return all, out[:min(len(out), run.MostCandidates)]
}

// ranges are those that repeat, by time.
func (l *launches) ranges() []run.Candidate {
	all := families(l.t, func(name string) bool { return !notASteps.MatchString(name) && !profilerStep.MatchString(name) }, FoldName)
	all = slices.DeleteFunc(all, func(f family) bool { return len(f.ranges) < minRepeats })
	slices.SortStableFunc(all, func(a, b family) int { return cmp.Compare(b.inside, a.inside) })
	var out []run.Candidate
	for _, f := range all[:min(len(all), mostRanges)] {
		out = append(out, l.candidate(found{by: run.Marker{Kind: run.MarkRange, Name: f.name}, marks: number(l.t, f.ranges, nil)}, false))
	}
	return out
}

// repeating are the launches that repeat evenly, whether they are parts or not, those
// that do least often first.
func (l *launches) repeating() []run.Candidate {
	var out []run.Candidate
	for _, g := range l.order() {
		if !l.regular(g) {
			continue
		}
		c := l.candidate(l.found(g), false)
		if c.Within = l.within(g); c.Within == "" && l.loop > 0 && len(g.at) > l.loop+1 {
			c.Within = "something that other kernels do less often"
		}
		out = append(out, c)
	}
	slices.SortStableFunc(out, func(a, b run.Candidate) int {
		return cmp.Or(cmp.Compare(a.Count, b.Count), strings.Compare(a.Name, b.Name))
	})
	return out[:min(len(out), mostLaunches)]
}

// candidate describes a marker.
func (l *launches) candidate(f found, usable bool) run.Candidate {
	c := run.Candidate{Marker: f.by, Count: len(f.marks), Usable: usable}
	if len(f.marks) == 0 {
		return c
	}
	var periods []int64
	var work []int
	for i := 1; i < len(f.marks); i++ {
		periods = append(periods, f.marks[i].start-f.marks[i-1].start)
		work = append(work, l.launched(f.marks[i-1].start, f.marks[i].start))
	}
	slices.Sort(periods)
	slices.Sort(work)
	if n := len(periods); n > 0 {
		c.Period, c.Work, c.Spread = periods[(n-1)/2], work[(n-1)/2], spread(periods)
	}
	first, last := f.marks[0], f.marks[len(f.marks)-1]
	c.Covered = l.share(first.start, max(last.end, last.start+c.Period))
	return c
}

// launched is the number of launches whose host call lies in [from, to); where none was
// recorded, of those that begin in it.
func (l *launches) launched(from, to int64) int {
	if l.calls == nil {
		l.calls = make([]int64, len(l.spans))
		for i := range l.spans {
			sp := l.span(int32(i))
			if l.calls[i] = sp.Launch; sp.Launch == trace.NoTime {
				l.calls[i] = sp.Start
			}
		}
		slices.Sort(l.calls)
	}
	begin, _ := slices.BinarySearch(l.calls, from)
	end, _ := slices.BinarySearch(l.calls, to)
	return max(0, end-begin)
}

// share is the share of the capture's activity that lies in [from, to): of the
// device's launches, else of the ranges.
func (l *launches) share(from, to int64) float64 {
	if n := len(l.spans); n > 0 {
		return float64(l.launched(from, to)) / float64(n)
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
