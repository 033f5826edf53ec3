package metric

import (
	"cmp"
	"slices"

	"perfdiff/analyze/interval"
	"perfdiff/analyze/kernelname"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// bound is what the device would have needed earlier to have no gap.
type bound int

const (
	boundLaunch     bound = iota // the launch came after the device was done
	boundInput                   // likewise, and the host waited for input most of the time
	boundDependency              // launched before: waited for a stream, an event or a collective
	boundUnknown                 // the launch is not known
	bounds
)

// boundNames are the parts of gap_bound_time.
var boundNames = [bounds]string{"launch", "input", "dependency", "unknown"}

// attribution gives the gaps of steps, in order of time, their causes.
type attribution struct {
	*host
	device []trace.Span
	next   int          // the first span that starts at or behind the last gap's end
	at     [causes]int  // places in the sets
	kinds  []cause      // whose sets are not empty
	hostly interval.Set // of the last gap: when its cause is other host work
}

// begin goes on to the next step, in which the device was busy as busy says.
func (a *attribution) begin(lo, hi int64, busy interval.Set) {
	a.window(lo, hi, busy)
	a.at, a.kinds = [causes]int{}, a.kinds[:0]
	for k := range causeUnknown {
		if len(a.sets[k]) > 0 {
			a.kinds = append(a.kinds, k)
		}
	}
	a.next, _ = slices.BinarySearchFunc(a.device, lo, func(x trace.Span, t int64) int { return cmp.Compare(x.Start, t) })
}

// idle is what gaps are made of, in ns.
type idle [causes]int64

// gap attributes one gap to what it is made of. It ends with the start of a span, or with the trace.
func (a *attribution) gap(g interval.Interval, of *idle) bound {
	*of, a.hostly = idle{}, a.hostly[:0]
	for a.next < len(a.device) && a.device[a.next].Start < g.End {
		a.next++
	}
	launch := trace.NoTime
	if a.next < len(a.device) && a.device[a.next].Start == g.End {
		launch = a.device[a.next].Launch
	}
	if launch == trace.NoTime {
		a.hostPart(of, g)
		return boundUnknown
	}
	// Up to the launch the device waits for the host, then for the launch to
	// arrive, and then for what the launched work itself waits for.
	issued := min(max(launch, g.Start), g.End)
	arrived := max(issued, min(max(launch+launchLatency, a.callEnd(launch, issued, g.Start)), g.End))
	a.hostPart(of, interval.Interval{Start: g.Start, End: issued})
	of[causeLaunch] += arrived - issued
	of[causeDependency] += g.End - arrived
	switch {
	case 2*of[causeDependency] >= g.End-g.Start: // most of it the launch was there
		return boundDependency
	case 2*of[causeInput] >= g.End-g.Start:
		return boundInput
	}
	return boundLaunch
}

// lookBehind is how many spans before a gap may be the one that it begins with: streams
// are few.
const lookBehind = 8

// inReplay reports whether the gap that was attributed last lies between two kernels of
// one launch, as those of a graph do whose nodes were recorded.
func (a *attribution) inReplay(g interval.Interval) bool {
	if a.next >= len(a.device) {
		return false
	}
	after := &a.device[a.next]
	if after.Start != g.End || after.Launch == trace.NoTime || after.Kind != trace.Kernel {
		return false
	}
	for i := a.next - 1; i >= 0 && i >= a.next-lookBehind; i-- {
		if before := &a.device[i]; before.End == g.Start {
			return before.Launch == after.Launch && before.Kind == trace.Kernel
		}
	}
	return false
}

// callEnd is the end of the call that launched at the time launch, if it lasts
// beyond t; t otherwise. Nothing that is asked later lies before from.
func (a *attribution) callEnd(launch, t, from int64) int64 {
	s := a.sets[causeLaunch]
	i := a.at[causeLaunch]
	for i < len(s) && s[i].End <= from {
		i++
	}
	for a.at[causeLaunch] = i; i < len(s) && s[i].End <= t; i++ {
	}
	if i < len(s) && s[i].Start <= launch {
		return s[i].End
	}
	return t
}

// within is how much of iv a set covers. Gaps come in order, so that the place
// in each set only moves on.
func (a *attribution) within(k cause, iv interval.Interval) (sum int64) {
	s := a.sets[k]
	i := a.at[k]
	for i < len(s) && s[i].End <= iv.Start {
		i++
	}
	a.at[k] = i
	for ; i < len(s) && s[i].Start < iv.End; i++ {
		sum += min(s[i].End, iv.End) - max(s[i].Start, iv.Start)
	}
	return sum
}

// part is what of iv a set covers, appended to out, once within was asked for it.
func (a *attribution) part(out interval.Set, k cause, iv interval.Interval) interval.Set {
	s := a.sets[k]
	for i := a.at[k]; i < len(s) && s[i].Start < iv.End; i++ {
		out = append(out, interval.Interval{Start: max(s[i].Start, iv.Start), End: min(s[i].End, iv.End)})
	}
	return out
}

// hostPart attributes a stretch to what the host did in it, by priority.
func (a *attribution) hostPart(of *idle, iv interval.Interval) {
	length := iv.End - iv.Start
	if length <= 0 {
		return
	}
	var in [causes]int64
	sum, kinds := int64(0), 0
	for _, k := range a.kinds {
		if in[k] = a.within(k, iv); in[k] > 0 {
			sum += in[k]
			kinds++
		}
	}
	if kinds <= 1 { // nothing to decide
		for _, k := range a.kinds {
			of[k] += in[k]
		}
		if in[causeHost] > 0 {
			a.hostly = a.part(a.hostly, causeHost, iv)
		}
		of[causeUnknown] += length - sum
		return
	}
	rest := interval.Set{iv}
	for _, k := range a.kinds {
		if in[k] > 0 {
			s := a.sets[k].Clip(nil, iv.Start, iv.End)
			of[k] += interval.Overlap(rest, s)
			if k == causeHost {
				a.hostly = interval.Intersect(a.hostly, rest, s)
			}
			rest = interval.Subtract(nil, rest, s)
		}
	}
	of[causeUnknown] += rest.Total()
}

// idleMetrics are the causes of idle time; they are measured beside the list of
// metrics, since gaps are walked in order of time.
func idleMetrics() []Metric {
	return []Metric{
		{Metric: run.Metric{Name: run.GapBoundTime, Unit: "s", Better: run.Lower, Part: "bound",
			Doc:    "Time in gaps by what the device waited for: the launch came after it was done (launch; input where the host waited for input most of that time), or before (dependency: a stream, an event, a collective).",
			Needs:  needsDevice + "; and the calls that launch them",
			Traits: run.Traits{Section: run.SectionGaps}}, When: InCapture},
		{Metric: run.Metric{Name: run.ReplayGapTime, Unit: "s", Better: run.Lower,
			Doc:    "Idle time between the kernels of one graph replay: a capture that records replays as one row counts it as busy.",
			Needs:  needsDevice + "; inside graph replays with --cuda-graph-trace=node",
			Traits: run.Traits{Section: run.SectionGaps}}, When: InCapture},
	}
}

// idling follows the gaps of a rank's steps in order of time: what they are due to, the
// longest of them, and the excerpts that show them.
type idling struct {
	*attribution
	rank    *Rank
	painter *painter
	places  *placer // nil: no operators or functions were recorded
	drawn   []bool
	placed  map[int]bool // by place, where the host's places are added up
	steps   []idleStep
	replays bool // a gap lies between kernels of one replay
}

// idleStep is what the gaps of a step are made of, in ns.
type idleStep struct {
	at     int // place of the step
	cause  idle
	bound  [bounds]int64
	replay int64 // between the kernels of one replay
}

func (r *Rank) newIdling(steps []trace.Step, spans int) *idling {
	a := &attribution{host: r.newHost(steps), device: r.Trace.Device}
	return &idling{attribution: a, rank: r, painter: newPainter(r, a.markers), places: newPlacer(a.host),
		drawn: r.drawn(steps), placed: placed(steps, spans)}
}

// step takes the gaps of the step at a place.
func (x *idling) step(at int, s *Step) {
	st, drawn := s.Window.Step, x.drawn[at]
	x.begin(st.Start, st.End, s.Busy)
	sum := idleStep{at: at}
	if x.places != nil {
		x.places.begin(st.Start, st.End)
		if x.placed[at] {
			x.places.steps++
		}
	}
	var of idle
	for _, g := range s.Gaps {
		by := x.gap(g, &of)
		for cause, ns := range of {
			sum.cause[cause] += ns
		}
		sum.bound[by] += g.End - g.Start
		if x.inReplay(g) {
			sum.replay += g.End - g.Start
			x.replays = true
		}
		if st.Dropped == "" {
			x.place(at, x.rank.remember(st, g, &of, by, x.next))
		}
		if drawn {
			x.painter.gap(g, &of)
		}
	}
	x.steps = append(x.steps, sum)
	if drawn {
		x.rank.Cuts = append(x.rank.Cuts, run.Cut{Strip: x.painter.strip(st), Step: st.Number})
	}
}

// place says where the host is in the last gap: for a gap that is among the longest, and
// for the sums.
func (x *idling) place(at int, gap *run.Gap) {
	if x.places == nil || len(x.hostly) == 0 || gap == nil && !x.placed[at] {
		return
	}
	sums := map[site]int64(nil)
	if x.placed[at] {
		sums = x.places.sums
	}
	in := map[site]int64(nil)
	if gap != nil {
		in = map[site]int64{}
	}
	x.places.of(x.hostly, func(where site, ns int64) {
		if sums != nil {
			sums[where] += ns
		}
		if in != nil {
			in[where] += ns
		}
	})
	if gap != nil {
		gap.Places = x.places.told(in, gapPlaces)
	}
}

// put puts the causes of idle time into the series.
func (x *idling) put(c *collector) {
	if x.places != nil {
		x.rank.Places, x.rank.Placed = x.places.told(x.places.sums, run.MostPlaces), x.places.steps
	}
	calls := x.rank.Trace.Recorded.Has(trace.HasLaunches)
	known := [causes]bool{ // the capture would show it: its absence is zero
		causeInput: x.rank.inputKnown, causeAllocator: calls, causeSync: calls, causeLaunch: calls, causeDependency: calls,
		causeHost: x.seen, causeUnknown: true,
	}
	var replay seriesPlace
	var causes [causes]seriesPlace
	var bound [bounds]seriesPlace
	for i := range x.steps {
		s := &x.steps[i]
		if x.replays {
			c.putAt(&replay, run.ReplayGapTime, "", s.at, seconds(s.replay))
		}
		for k, ns := range s.cause {
			if ns > 0 || known[k] {
				c.putAt(&causes[k], run.IdleTime, run.IdleCauses[k], s.at, seconds(ns))
			}
		}
		for b, ns := range s.bound {
			if ns > 0 || calls {
				c.putAt(&bound[b], run.GapBoundTime, boundNames[b], s.at, seconds(ns))
			}
		}
	}
}

// causes are those of a gap with some time, in order of priority.
func (of *idle) causes() (out []run.Cause) {
	n := 0
	for _, ns := range of {
		if ns > 0 {
			n++
		}
	}
	if n > 0 {
		out = make([]run.Cause, 0, n)
	}
	for k, ns := range of {
		if ns > 0 {
			out = append(out, run.Cause{Name: run.IdleCauses[k], Time: ns})
		}
	}
	return out
}

// inOrder are those steps in order of time.
func inOrder(steps []trace.Step, which []int) []int {
	out := slices.Clone(which)
	slices.SortStableFunc(out, func(a, b int) int { return cmp.Compare(steps[a].Start, steps[b].Start) })
	return out
}

// remember counts a gap of a kept step, and keeps it if it is among the longest. next
// is the place of the span behind it. It returns the gap where it was kept, until the
// next is.
func (r *Rank) remember(st trace.Step, g interval.Interval, of *idle, by bound, next int) *run.Gap {
	r.Gaps.Counts[run.Bin(g.End-g.Start)]++
	r.Gaps.Total += g.End - g.Start
	if n := len(r.Longest); n == run.MostGaps && r.Longest[n-1].Length >= g.End-g.Start {
		return nil
	}
	gap := run.Gap{Step: st.Number, At: g.Start - st.Start, Length: g.End - g.Start, Bound: boundNames[by]}
	device := r.Trace.Device
	if next < len(device) && device[next].Start == g.End {
		gap.Before = r.workName(&device[next])
	}
	for i := next - 1; i >= 0 && i >= next-64; i-- { // what ended last; streams are few
		if device[i].End == g.Start {
			gap.After = r.workName(&device[i])
			break
		}
	}
	gap.Causes = of.causes()
	r.Longest = run.KeepGap(r.Longest, gap)
	i := slices.IndexFunc(r.Longest, func(x run.Gap) bool { return x.Step == gap.Step && x.At == gap.At })
	if i < 0 {
		return nil
	}
	return &r.Longest[i]
}

// What copies, by direction, and sets are called.
const (
	copyName = "copy "
	setName  = "set"
)

// workName is what people call a span: a kernel by its canonical name.
func (r *Rank) workName(s *trace.Span) string {
	switch s.Kind {
	case trace.Memcpy:
		return copyName + s.Copy.String()
	case trace.Memset:
		return setName
	}
	return r.kernelName(s.Name)
}

// kernelName is a kernel's canonical name, which is worked out once.
func (r *Rank) kernelName(id trace.NameID) string {
	if int(id) >= len(r.called) {
		r.called = append(r.called, make([]string, max(r.Trace.Names.Len(), int(id)+1)-len(r.called))...)
	}
	name := &r.called[id]
	if *name == "" {
		text := r.Trace.Names.Text(id)
		*name = kernelname.CanonicalKernel(text)
		if int(id) >= manyNames && *name != text {
			*name = r.texts.Keep(*name)
		}
	}
	return *name
}

// manyNames is from how many names on canonical names are kept together. Those of few are
// remembered for the next file, too.
const manyNames = 1 << 14
