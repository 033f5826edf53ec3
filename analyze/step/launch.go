package step

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"perfdiff/analyze/kernelname"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// What it takes for launches of a kernel, or replays of a graph, to be taken as steps.
// Chosen, not measured: real profiles of jobs without ranges and the stories hold what
// comes of them (TestRepeatingLaunches).
const (
	minKernelSpan   = 0.8  // of the device's activity, from the first launch to the end of the last period
	maxPeriodSpread = 0.25 // (p90 - p10) / median of the periods, where their work is not quite the same
	minSameWork     = 0.8  // of the periods, with the same number of launches in them
	surelySameWork  = 0.95 // likewise, where periods may become longer or shorter
	mostRare        = 0.005
	mostTried       = 64 // kernels that are looked at
	// A launch is weaker evidence than a range, and has to be seen more often.
	minKernelRepeats = 8
)

// kernelMarks makes a mark of each device span whose name matches.
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

// launches are the kernels and replays of a capture by canonical name.
type launches struct {
	t      *trace.Trace
	spans  []int32 // indices of the device's spans, in order
	of     []int32 // of each of them, its place in groups
	groups []group
	time   int64    // ns, of all
	loop   int      // iterations
	calls  []int64  // when they were launched, in order; nil: not asked yet
	once   []family // ranges that occur once; nil: not asked yet
}

// group is the launches of one canonical name.
type group struct {
	name  string
	at    []int32 // indices of spans, in order
	time  int64   // ns
	comm  bool
	every int // of so many launches of the name one is here; 0: of each
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
			name := kernelname.CanonicalKernel(t.Names.Text(sp.Name))
			have, ok := byName[name]
			if !ok {
				have = int32(len(l.groups))
				byName[name] = have
				l.groups = append(l.groups, group{name: name, comm: sp.Class == trace.Comm})
			}
			g = have
			place[sp.Name] = g + 1
		}
		l.groups[g].at = append(l.groups[g].at, int32(len(l.spans)))
		l.groups[g].time += sp.End - sp.Start
		l.time += sp.End - sp.Start
		l.spans, l.of = append(l.spans, int32(i)), append(l.of, g)
	}
	l.loop = l.iterations()
	return l
}

// mostTimes is how many times in an iteration its rarest kernel is looked for.
const mostTimes = 64

// iterations is how often the loop ran, by the launches: the largest number of which the
// counts of all kernels are multiples, a part of an iteration at the cut ends of a
// capture left aside. What occurs less often than a kernel is not in each of its periods,
// so that these are parts of something larger. Half a percent of launches and of time is
// left to what a program does now and then. 0 where no number of minKernelRepeats or more
// will do.
func (l *launches) iterations() int {
	order := make([]*group, len(l.groups))
	for i := range l.groups {
		order[i] = &l.groups[i]
	}
	slices.SortStableFunc(order, func(a, b *group) int { return cmp.Compare(len(a.at), len(b.at)) })
	most := l.fewest(order)
	for times := 1; times <= mostTimes; times++ {
		for _, n := range []int{most / times, (most + 1) / times, (most - 1) / times} {
			if n >= minKernelRepeats && l.allMultiples(order, n) {
				return n
			}
		}
	}
	return 0
}

// fewest is the smallest count of the kernels that make up all but a little; order is
// that of counts.
func (l *launches) fewest(order []*group) int {
	launched, time := 0, int64(0)
	for _, g := range order {
		if launched, time = launched+len(g.at), time+g.time; !l.little(launched, time) {
			return len(g.at)
		}
	}
	return 0
}

func (l *launches) allMultiples(all []*group, n int) bool {
	launched, time := 0, int64(0)
	for _, g := range all {
		if !multiple(len(g.at), n) {
			launched, time = launched+len(g.at), time+g.time
		}
	}
	return l.little(launched, time)
}

// little reports whether so much is what a program does now and then.
func (l *launches) little(launched int, time int64) bool {
	return float64(launched) <= mostRare*float64(len(l.spans)) && float64(time) <= mostRare*float64(l.time)
}

// multiple reports whether a count is a multiple of n, up to one that a cut end has more
// or less. A capture that is cut within an iteration has more of those than that, and no
// steps: with a wider margin any two counts have a common number.
func multiple(count, n int) bool {
	times := max(1, (count+n/2)/n)
	return max(count-times*n, times*n-count) <= 1
}

// repeatingLaunches are the kernels and graph replays of which one, or every second or
// third one, begins each iteration of a loop: they repeat over all of the device's
// activity with the same work from one to the next, and are no part of something larger.
func repeatingLaunches(l *launches) []found {
	var out []found
	if l.loop == 0 {
		return nil
	}
	for _, g := range l.order() {
		if g = l.eachIteration(g); g != nil && l.regular(g) && l.within(g) == "" {
			out = append(out, l.found(g))
		}
	}
	return out
}

// eachIteration is one launch of a group in each iteration; nil if the group has fewer,
// or has so many of them that one may be any.
func (l *launches) eachIteration(g *group) *group {
	every := (len(g.at) + l.loop/2) / l.loop
	if every == 0 || every > mostTimes || !multiple(len(g.at), l.loop) {
		return nil
	}
	one := &group{name: g.name, every: every}
	for i := 0; i < len(g.at); i += every {
		one.at = append(one.at, g.at[i])
	}
	return one
}

// order are the groups that may begin a step, those that are launched least often first.
func (l *launches) order() []*group {
	var all []*group
	for i := range l.groups {
		if g := &l.groups[i]; len(g.at) >= minRepeats && !g.comm {
			all = append(all, g)
		}
	}
	slices.SortFunc(all, func(a, b *group) int {
		return cmp.Or(cmp.Compare(len(a.at), len(b.at)), strings.Compare(a.name, b.name))
	})
	return all[:min(len(all), mostTried)]
}

func (l *launches) found(g *group) found {
	marks := make([]mark, len(g.at))
	for i, at := range g.at {
		marks[i] = launchMark(l.span(at), i)
	}
	return found{by: run.Marker{Kind: run.MarkLaunch, Name: g.name, Every: max(1, g.every)}, marks: marks}
}

func (l *launches) span(i int32) *trace.Span { return &l.t.Device[l.spans[i]] }

// periods are the times from one launch of a group to the next, in order of length, and
// the number of launches that most of them have, with the share that has it.
func (l *launches) periods(g *group) (sorted []int64, work int, same float64) {
	most := map[int]int{}
	for i := 1; i < len(g.at); i++ {
		sorted = append(sorted, l.span(g.at[i]).Start-l.span(g.at[i-1]).Start)
		n := int(g.at[i] - g.at[i-1])
		if most[n]++; most[n] > most[work] || most[n] == most[work] && n < work {
			work = n
		}
	}
	slices.Sort(sorted)
	return sorted, work, float64(most[work]) / float64(max(1, len(sorted)))
}

// spread is (p90 - p10) / median of periods in order of length.
func spread(periods []int64) float64 {
	if len(periods) == 0 {
		return 0
	}
	at := func(q float64) float64 { return float64(periods[int(q*float64(len(periods)-1))]) }
	return (at(.9) - at(.1)) / max(1, at(.5))
}

// regular reports whether a group's launches are evenly spread over the device's
// activity, by the work between them and, unless that is the same nearly always, by time.
func (l *launches) regular(g *group) bool {
	periods, _, same := l.periods(g)
	return l.covered(g) >= minKernelSpan && same >= minSameWork &&
		(spread(periods) <= maxPeriodSpread || same >= surelySameWork && l.steady(g))
}

// steady reports whether a period is about as long as the one before: those of a loop
// that gets slower as it goes are, those of requests that come when they like are not.
func (l *launches) steady(g *group) bool {
	var periods, changes []int64
	for i := 1; i < len(g.at); i++ {
		periods = append(periods, l.span(g.at[i]).Start-l.span(g.at[i-1]).Start)
		if n := len(periods); n > 1 {
			changes = append(changes, max(periods[n-1]-periods[n-2], periods[n-2]-periods[n-1]))
		}
	}
	slices.Sort(periods)
	slices.Sort(changes)
	return len(changes) > 0 && float64(changes[len(changes)*9/10]) <= maxPeriodSpread*float64(periods[len(periods)/2])
}

// covered is the share of the device's activity from the first launch of a group to a
// period behind the last.
func (l *launches) covered(g *group) float64 {
	first, last := l.span(g.at[0]).Start, l.span(g.at[len(g.at)-1]).Start
	period := int64(0)
	if n := int64(len(g.at)); n > 1 {
		period = (last - first) / (n - 1)
	}
	begin, end := l.span(0).Start, l.span(int32(len(l.spans)-1)).Start
	return float64(min(last+period, end)-first) / float64(max(1, end-begin))
}

// loops are ranges that hold all iterations of a loop, and no single one.
var loops = regexp.MustCompile(`(?i)epoch|train|fit|loop|main|run|session|bench|profil|capture|program|steps|iterations|measure`)

// within says of what larger thing the launches of a group are a part; "" of none that
// can be seen: a range that occurs once and holds them all is such a thing.
func (l *launches) within(g *group) string {
	first, last := l.span(g.at[0]).Launch, l.span(g.at[len(g.at)-1]).Launch
	if first == trace.NoTime || last == trace.NoTime {
		return ""
	}
	for _, f := range l.single() {
		if f.ranges[0].Start <= first && f.ranges[0].End >= last {
			return "range " + f.name + ", which occurs once"
		}
	}
	return ""
}

// single are the ranges that occur once and are no loop's.
func (l *launches) single() []family {
	if l.once == nil {
		all := families(l.t, func(name string) bool { return !loops.MatchString(name) }, unlessHashed)
		l.once = slices.DeleteFunc(all, func(f family) bool { return len(f.ranges) != 1 })
		if l.once == nil {
			l.once = []family{}
		}
	}
	return l.once
}
