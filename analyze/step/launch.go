package step

import (
	"cmp"
	"slices"
	"strings"

	"perfdiff/analyze/order"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// What the launches of a kernel, or the replays of a graph, must fulfil to be taken for steps. Chosen, not measured:
// real profiles of jobs without ranges and the stories hold what follows (TestRepeatingLaunches).
const (
	minKernelSpan   = 0.8   // of the time with device activity, from the first launch to the end of the last period
	maxPeriodSpread = 0.25  // (p90 - p10) / median of the periods, unless nearly all hold the same work
	minSameWork     = 0.8   // of the periods hold the same number of launches
	surelySameWork  = 0.95  // likewise: then the length of the periods may vary
	maxRareShare    = 0.005 // of launches and of time, which rare kernels may make up together
	maxGroupsTried  = 64    // kernels that are looked at, the rarest first
	// A launch is weaker evidence than a range, and has to be seen more often.
	minKernelRepeats = 8
)

// kernelMarks makes a mark of each span of the device whose name matches.
func kernelMarks(t *trace.Trace, match func(string) bool) []mark {
	known := make([]int8, t.Names.Len())
	var marks []mark
	for i := range t.Device {
		sp := &t.Device[i]
		if !isLaunch(sp) {
			continue
		}
		if known[sp.Name] == 0 {
			known[sp.Name] = -1
			if match(t.Names.Text(sp.Name)) {
				known[sp.Name] = 1
			}
		}
		if known[sp.Name] > 0 {
			marks = append(marks, launchMark(sp, len(marks)))
		}
	}
	return marks
}

// isLaunch reports whether a span is a kernel or the replay of a graph.
func isLaunch(sp *trace.Span) bool { return sp.Kind == trace.Kernel || sp.Kind == trace.Graph }

func launchMark(sp *trace.Span, i int) mark {
	m := mark{number: int64(i), start: sp.Launch, end: trace.NoTime, device: sp.Start}
	if m.start == trace.NoTime {
		m.start = sp.Start
	}
	return m
}

// launches groups the kernels and graph replays of a capture by their canonical names.
type launches struct {
	t              *trace.Trace
	spans          []int32 // indices into the trace's device spans, in order
	groupOf        []int32 // for each entry of spans the index of its group
	groups         []launchGroup
	time           int64   // ns, of all
	iterationCount int     // how often the loop ran; 0: not known
	launchTimes    []int64 // ns, when the host launched each span, in order; nil: not gathered yet
	wholes         *wholes // nil: not gathered yet
}

// launchGroup is the launches of one canonical name.
type launchGroup struct {
	name     string
	launches []int32 // indices into launches.spans, in order
	time     int64   // ns
	comm     bool
	every    int // of so many launches with this name one is listed; 0: all are
}

func newLaunches(t *trace.Trace) *launches {
	l := &launches{t: t}
	place, byName := make([]int32, t.Names.Len()), map[string]int32{}
	for i := range t.Device {
		sp := &t.Device[i]
		if !isLaunch(sp) {
			continue
		}
		g := place[sp.Name] - 1
		if g < 0 {
			name := t.Names.Canonical(sp.Name)
			have, ok := byName[name]
			if !ok {
				have = int32(len(l.groups))
				byName[name] = have
				l.groups = append(l.groups, launchGroup{name: name, comm: sp.Class == trace.Comm})
			}
			g = have
			place[sp.Name] = g + 1
		}
		l.groups[g].launches = append(l.groups[g].launches, int32(len(l.spans)))
		l.groups[g].time += sp.End - sp.Start
		l.time += sp.End - sp.Start
		l.spans, l.groupOf = append(l.spans, int32(i)), append(l.groupOf, g)
	}
	l.iterationCount = l.iterations()
	return l
}

// maxLaunchesPerStep is how many times an iteration may launch its rarest kernel for the loop
// to be found.
const maxLaunchesPerStep = 64

// iterations infers how often the training loop ran from how often each kernel was launched: it is the largest number
// that divides all these counts. A kernel that is launched only in every second iteration would make two iterations
// look like one larger period, and this excludes it. One launch more or less is allowed for a loop that the ends of
// the capture cut, and kernels that make up half a percent of launches and of time are left aside as things that a
// program does now and then. The result is 0 if no number of minKernelRepeats or more fits.
func (l *launches) iterations() int {
	order := make([]*launchGroup, len(l.groups))
	for i := range l.groups {
		order[i] = &l.groups[i]
	}
	slices.SortStableFunc(order, func(a, b *launchGroup) int { return cmp.Compare(len(a.launches), len(b.launches)) })
	most := l.smallestCount(order)
	for times := 1; times <= maxLaunchesPerStep; times++ {
		for _, n := range []int{most / times, (most + 1) / times, (most - 1) / times} {
			if n >= minKernelRepeats && l.allMultiples(order, n) {
				return n
			}
		}
	}
	return 0
}

// smallestCount returns the smallest launch count of a kernel, leaving aside rare kernels that together are
// negligible. groups come in order of their counts.
func (l *launches) smallestCount(order []*launchGroup) int {
	launched, time := 0, int64(0)
	for _, g := range order {
		if launched, time = launched+len(g.launches), time+g.time; !l.negligible(launched, time) {
			return len(g.launches)
		}
	}
	return 0
}

// allMultiples reports whether the counts of all groups, but for a negligible part, are
// multiples of n.
func (l *launches) allMultiples(all []*launchGroup, n int) bool {
	launched, time := 0, int64(0)
	for _, g := range all {
		if !nearMultiple(len(g.launches), n) {
			launched, time = launched+len(g.launches), time+g.time
		}
	}
	return l.negligible(launched, time)
}

// negligible reports whether so many launches, taking so many ns, are no more than a program does now and then.
func (l *launches) negligible(launched int, time int64) bool {
	return float64(launched) <= maxRareShare*float64(len(l.spans)) && float64(time) <= maxRareShare*float64(l.time)
}

// nearMultiple reports whether a count is a multiple of n, or one more or less: a cut at the end of a capture adds or
// takes away one launch. The margin is no wider, since with two or more nearly any two counts would have a common
// divisor; a capture that is cut inside an iteration by more than that gives no steps.
func nearMultiple(count, n int) bool {
	times := max(1, (count+n/2)/n)
	return max(count-times*n, times*n-count) <= 1
}

// repeatingLaunches returns the kernels and graph replays that begin each iteration of the loop. If
// one is launched n times in an iteration, each n-th launch is the mark. The launches repeat
// over all of the device's activity with the same work from one to the next, and are no part of
// something larger.
func repeatingLaunches(l *launches) []markerMarks { return l.eachIterationBy(l.isRegular) }

// unevenLaunches returns those that do the same except that the length of their periods varies: a loop whose work
// shrinks, or requests that arrive at any time. They may mark steps where they do on the other side.
func unevenLaunches(l *launches) []markerMarks { return l.eachIterationBy(l.isUneven) }

func (l *launches) eachIterationBy(repeats func(*launchGroup) bool) []markerMarks {
	var out []markerMarks
	if l.iterationCount == 0 {
		return nil
	}
	for _, g := range l.rarestFirst() {
		if g = l.eachIteration(g); g != nil && repeats(g) && l.holding(g) == "" {
			out = append(out, l.marksOf(g))
		}
	}
	return out
}

// isUneven reports whether a group is launched over the device's activity with the same work between, but not evenly.
func (l *launches) isUneven(g *launchGroup) bool {
	_, _, same := l.periods(g)
	return same >= surelySameWork && l.shareCovered(g) >= minKernelSpan && !l.isRegular(g)
}

// eachIteration picks one launch of the group for each iteration. It is nil if the group has
// fewer launches than the loop has iterations, or so many that the choice would be arbitrary.
func (l *launches) eachIteration(g *launchGroup) *launchGroup {
	every := (len(g.launches) + l.iterationCount/2) / l.iterationCount
	if every == 0 || every > maxLaunchesPerStep || !nearMultiple(len(g.launches), l.iterationCount) {
		return nil
	}
	one := &launchGroup{name: g.name, every: every}
	for i := 0; i < len(g.launches); i += every {
		one.launches = append(one.launches, g.launches[i])
	}
	return one
}

// rarestFirst returns the groups that may begin a step, in order of their launch counts.
func (l *launches) rarestFirst() []*launchGroup {
	var all []*launchGroup
	for i := range l.groups {
		if g := &l.groups[i]; len(g.launches) >= minRepeats && !g.comm {
			all = append(all, g)
		}
	}
	slices.SortFunc(all, func(a, b *launchGroup) int {
		return cmp.Or(cmp.Compare(len(a.launches), len(b.launches)), strings.Compare(a.name, b.name))
	})
	return all[:min(len(all), maxGroupsTried)]
}

// marksOf makes a marker of a group, with a mark for each launch.
func (l *launches) marksOf(g *launchGroup) markerMarks {
	marks := make([]mark, len(g.launches))
	for i, at := range g.launches {
		marks[i] = launchMark(l.span(at), i)
	}
	return markerMarks{marker: run.Marker{Kind: run.MarkLaunch, Name: g.name, Every: max(1, g.every)}, marks: marks}
}

func (l *launches) span(i int32) *trace.Span { return &l.t.Device[l.spans[i]] }

// periods returns the times from one launch of a group to the next, sorted, in ns; work is the
// number of launches that most periods hold, and same the share of periods that hold this
// number.
func (l *launches) periods(g *launchGroup) (sorted []int64, work int, same float64) {
	most := map[int]int{}
	for i := 1; i < len(g.launches); i++ {
		sorted = append(sorted, l.span(g.launches[i]).Start-l.span(g.launches[i-1]).Start)
		n := int(g.launches[i] - g.launches[i-1])
		if most[n]++; most[n] > most[work] || most[n] == most[work] && n < work {
			work = n
		}
	}
	slices.Sort(sorted)
	return sorted, work, float64(most[work]) / float64(max(1, len(sorted)))
}

// spread is (p90 - p10) / median of sorted periods.
func spread(periods []int64) float64 {
	if len(periods) == 0 {
		return 0
	}
	at := func(q float64) float64 { return float64(periods[order.LowerRank(len(periods), q)]) }
	return (at(.9) - at(.1)) / max(1, at(.5))
}

// isRegular reports whether a group is launched evenly over the device's activity: with the
// same work between, and in equal times unless the work is the same nearly always.
func (l *launches) isRegular(g *launchGroup) bool {
	periods, _, same := l.periods(g)
	return l.shareCovered(g) >= minKernelSpan && same >= minSameWork &&
		(spread(periods) <= maxPeriodSpread || same >= surelySameWork && l.hasSteadyPeriods(g))
}

// hasSteadyPeriods reports whether each period is about as long as the one before. That holds
// for a loop that slows down gradually, and not for requests that arrive at any time.
func (l *launches) hasSteadyPeriods(g *launchGroup) bool {
	var periods, changes []int64
	for i := 1; i < len(g.launches); i++ {
		periods = append(periods, l.span(g.launches[i]).Start-l.span(g.launches[i-1]).Start)
		if n := len(periods); n > 1 {
			changes = append(changes, max(periods[n-1]-periods[n-2], periods[n-2]-periods[n-1]))
		}
	}
	slices.Sort(periods)
	slices.Sort(changes)
	return len(changes) > 0 && float64(changes[len(changes)*9/10]) <= maxPeriodSpread*float64(periods[len(periods)/2])
}

// shareCovered returns the share of the time with device activity from a group's first launch to one
// period after its last.
func (l *launches) shareCovered(g *launchGroup) float64 {
	first, last := l.span(g.launches[0]).Start, l.span(g.launches[len(g.launches)-1]).Start
	period := int64(0)
	if n := int64(len(g.launches)); n > 1 {
		period = (last - first) / (n - 1)
	}
	begin, end := l.span(0).Start, l.span(int32(len(l.spans)-1)).Start
	return float64(min(last+period, end)-first) / float64(max(1, end-begin))
}

// holding names what holds all launches of a group, so that these are only parts of it; "" if there is none.
func (l *launches) holding(g *launchGroup) string {
	times := make([]int64, len(g.launches))
	for i, at := range g.launches {
		if times[i] = l.span(at).Launch; times[i] == trace.NoTime {
			return ""
		}
	}
	slices.Sort(times)
	if l.wholes == nil {
		l.wholes = newWholes(l.t)
	}
	return l.wholes.holding(times)
}
