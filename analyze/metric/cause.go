package metric

import (
	"cmp"
	"regexp"
	"slices"

	"perfdiff/analyze/interval"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// cause is what the launching process did while the device was idle.
type cause int

// The causes of idle time, in order of priority: of two that hold at once the
// first counts.
const (
	causeInput      cause = iota // waiting for input
	causeAllocator               // inside a call that allocates or frees device memory
	causeSync                    // inside a call that waits for the device
	causeLaunch                  // inside a call that launches, or the launch is on its way
	causeDependency              // launched long before: waits for a stream, an event or a collective
	causeHost                    // any other recorded call or range
	causeUnknown                 // nothing recorded
	causes
)

// Causes are the names of the causes of idle time, as the parts of idle_time
// are called, in order of priority.
var Causes = [causes]string{"input", "allocator", "synchronizing", "launching", "dependency", "host", "unknown"}

// launchLatency is how long a launch is on its way to an idle device, in ns: a
// few microseconds are usual, and what takes longer waits for something.
const launchLatency = 10_000

// The calls of CUDA's runtime and driver, and of HIP, by what they do to the
// thread that makes them.
var (
	allocCall  = regexp.MustCompile(`^(?:cuda|hip)(?:Malloc|Free|HostAlloc|HostRegister|HostUnregister|MemPool|DeviceReset)|^cuMem(?:Alloc|Free|Create|Map|Unmap|Release|SetAccess|Address|Host)`)
	launchCall = regexp.MustCompile(`^(?:cuda|hip|cu)(?:Launch|GraphLaunch|(?:Mod|Ext)\w*Launch|Memcpy\w*Async|Memset\w*Async)`)
	syncCall   = regexp.MustCompile(`^(?:cuda|hip|cu)(?:\w*Synchronize|\w*Query$|Memcpy|Memset)`)
	waitCall   = regexp.MustCompile(`^(?:pthread_cond_\w*wait|sem_\w*wait|futex|p?poll|epoll_p?wait\d?|p?select|sem_clockwait)$`)
)

// host is what the host did, as sets, for the attribution of gaps.
type host struct {
	sets [causes]interval.Set // of causes that are calls or ranges
}

// hostOf builds the sets. Calls of CUDA count on whatever thread they are made,
// since a framework launches from several; ranges and calls of the system on
// those threads and on the one that runs the steps. The range of a step itself
// and longer ones say nothing and do not count.
func (r *Rank) hostOf(steps []trace.Step) *host {
	h := &host{}
	h.sets[causeInput] = r.Input
	t := r.Trace
	threads := map[int32]bool{}
	if r.thread != 0 {
		threads[r.thread] = true
	}
	kinds := kindsOf(t.Names)
	last := int32(-1)
	for i := range t.API {
		c := &t.API[i]
		if c.Thread != last {
			threads[c.Thread], last = true, c.Thread
		}
		k := kinds.of(c.Name)
		h.sets[k] = h.sets[k].Add(c.Start, c.End)
	}
	starts, longest := map[int64]bool{}, int64(0)
	for _, s := range steps {
		starts[s.HostStart] = true
		longest = max(longest, s.HostEnd-s.HostStart)
	}
	for _, x := range t.Ranges {
		if threads[x.Thread] && !starts[x.Start] && (longest == 0 || x.End-x.Start < longest) {
			h.sets[causeHost] = h.sets[causeHost].Add(x.Start, x.End)
		}
	}
	for _, c := range t.OS {
		if threads[c.Thread] {
			h.sets[causeHost] = h.sets[causeHost].Add(c.Start, c.End)
		}
	}
	h.addWorkers(r)
	return h
}

// addWorkers counts as input what the step's thread waits for in the operating
// system, outside of CUDA's calls, while other threads of the process read: a
// queue that loader threads fill.
func (h *host) addWorkers(r *Rank) {
	if r.thread == 0 {
		return
	}
	var waits, reads interval.Set
	wait, read := matcher(r.Trace.Names, waitCall), matcher(r.Trace.Names, readCall)
	for _, c := range r.Trace.OS {
		switch {
		case c.Thread == r.thread && wait(c.Name):
			waits = waits.Add(c.Start, c.End)
		case c.Thread != r.thread && read(c.Name):
			reads = reads.Add(c.Start, c.End)
		}
	}
	for _, a := range r.Trace.Access {
		if a.Op == trace.OpRead && a.Thread != r.thread {
			reads = reads.Add(a.Start, a.End)
		}
	}
	if len(waits) == 0 || len(reads) == 0 {
		return
	}
	for _, k := range []cause{causeAllocator, causeSync, causeLaunch} {
		waits = interval.Subtract(nil, waits, h.sets[k])
	}
	h.sets[causeInput] = interval.Union(nil, h.sets[causeInput], interval.Intersect(nil, waits, reads))
}

// callKinds is what calls do, by name.
type callKinds struct {
	names *trace.Names
	kind  []int8 // 1 + cause; 0 not looked at
}

func kindsOf(n *trace.Names) *callKinds { return &callKinds{n, make([]int8, n.Len())} }

func (c *callKinds) of(id trace.NameID) cause {
	if k := c.kind[id]; k > 0 {
		return cause(k - 1)
	}
	k, name := causeHost, c.names.Text(id)
	switch {
	case allocCall.MatchString(name):
		k = causeAllocator
	case launchCall.MatchString(name):
		k = causeLaunch
	case syncCall.MatchString(name):
		k = causeSync
	}
	c.kind[id] = int8(k) + 1
	return k
}

// matcher tells which names match, asking the expression once for each.
func matcher(n *trace.Names, re *regexp.Regexp) func(trace.NameID) bool {
	match := make([]int8, n.Len())
	return func(id trace.NameID) bool {
		if match[id] == 0 {
			match[id] = -1
			if re.MatchString(n.Text(id)) {
				match[id] = 1
			}
		}
		return match[id] > 0
	}
}

// The bounds of gaps: what the device would have needed earlier.
const (
	boundLaunch     = "launch"     // the launch came after the device was done
	boundInput      = "input"      // likewise, and the host waited for input most of the time
	boundDependency = "dependency" // launched before: waited for a stream, an event or a collective
	boundUnknown    = "unknown"    // the launch is not known
)

// attribution gives the gaps of steps, in order of time, their causes.
type attribution struct {
	*host
	device []trace.Span
	next   int         // the first span that starts at or behind the last gap's end
	at     [causes]int // places in the sets
}

// idle is what gaps are made of, in ns.
type idle [causes]int64

// gap attributes one gap. It ends with the start of a span, or with the trace.
func (a *attribution) gap(g interval.Interval) (of idle, bound string) {
	for a.next < len(a.device) && a.device[a.next].Start < g.End {
		a.next++
	}
	launch := trace.NoTime
	if a.next < len(a.device) && a.device[a.next].Start == g.End {
		launch = a.device[a.next].Launch
	}
	if launch == trace.NoTime {
		a.hostPart(&of, g)
		return of, boundUnknown
	}
	// Up to the launch the device waits for the host, then for the launch to
	// arrive, and then for what the launched work itself waits for.
	issued := min(max(launch, g.Start), g.End)
	arrived := max(issued, min(max(launch+launchLatency, a.callEnd(launch, issued)), g.End))
	a.hostPart(&of, interval.Interval{Start: g.Start, End: issued})
	of[causeLaunch] += arrived - issued
	of[causeDependency] += g.End - arrived
	switch {
	case launch < g.Start:
		return of, boundDependency
	case 2*of[causeInput] >= g.End-g.Start:
		return of, boundInput
	}
	return of, boundLaunch
}

// callEnd is the end of the call that launched at the time launch, if it lasts
// beyond t; t otherwise.
func (a *attribution) callEnd(launch, t int64) int64 {
	s := a.sets[causeLaunch]
	i := a.at[causeLaunch]
	for i < len(s) && s[i].End <= t {
		i++
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

// hostPart attributes a stretch to what the host did in it, by priority.
func (a *attribution) hostPart(of *idle, iv interval.Interval) {
	length := iv.End - iv.Start
	if length <= 0 {
		return
	}
	var in [causes]int64
	sum, kinds := int64(0), 0
	for k := range causeUnknown {
		if in[k] = a.within(k, iv); in[k] > 0 {
			sum += in[k]
			kinds++
		}
	}
	if kinds <= 1 { // nothing to decide
		for k := range causeUnknown {
			of[k] += in[k]
		}
		of[causeUnknown] += length - sum
		return
	}
	rest := interval.Set{iv}
	for k := range causeUnknown {
		if in[k] > 0 {
			s := a.sets[k].Clip(nil, iv.Start, iv.End)
			of[k] += interval.Overlap(rest, s)
			rest = interval.Subtract(nil, rest, s)
		}
	}
	of[causeUnknown] += rest.Total()
}

// idleMetrics are the causes of idle time; they are measured over all steps at
// once, since gaps are walked in order of time.
func idleMetrics() []Metric {
	return []Metric{
		{Metric: run.Metric{Name: "gap_bound_time", Unit: "s", Better: run.Lower, Part: "bound",
			Doc:   "Time in gaps by what the device waited for: the launch came after it was done (launch; input where the host waited for input most of that time), or before (dependency: a stream, an event, a collective).",
			Needs: needsDevice + "; and the calls that launch them"}},
	}
}

// causes puts the causes of idle time into the series and remembers the longest
// gaps of kept steps.
func (r *Rank) causes(c *collector, steps []trace.Step) {
	a := attribution{host: r.hostOf(steps), device: r.Trace.Device}
	var busy, gaps interval.Set
	for _, i := range inOrder(steps, c.measured) {
		st := steps[i]
		busy = r.Busy.Clip(busy[:0], st.Start, st.End)
		gaps = busy.Gaps(gaps[:0], st.Start, st.End)
		var sum idle
		bounds := map[string]int64{}
		for _, g := range gaps {
			of, bound := a.gap(g)
			for k := range sum {
				sum[k] += of[k]
			}
			bounds[bound] += g.End - g.Start
			if st.Dropped == "" {
				r.remember(st, g, &of, bound, a.next)
			}
		}
		for k, ns := range sum {
			if ns > 0 {
				c.put("idle_time", Causes[k], i, seconds(ns))
			}
		}
		for bound, ns := range bounds {
			c.put("gap_bound_time", bound, i, seconds(ns))
		}
	}
}

// inOrder are those steps in order of time: the device's windows do not overlap.
func inOrder(steps []trace.Step, which []int) []int {
	out := slices.Clone(which)
	slices.SortStableFunc(out, func(a, b int) int { return cmp.Compare(steps[a].Start, steps[b].Start) })
	return out
}

// remember keeps a gap if it is among the longest. next is the place of the
// span behind it.
func (r *Rank) remember(st trace.Step, g interval.Interval, of *idle, bound string, next int) {
	if n := len(r.Longest); n == run.MostGaps && r.Longest[n-1].Length >= g.End-g.Start {
		return
	}
	gap := run.Gap{Step: st.Number, At: g.Start - st.Start, Length: g.End - g.Start, Bound: bound}
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
	for k, ns := range of {
		if ns > 0 {
			gap.Causes = append(gap.Causes, run.Cause{Name: Causes[k], Time: ns})
		}
	}
	r.Longest = run.LongestGaps(r.Longest, []run.Gap{gap})
}

// workName is what people call a span: a kernel by its canonical name.
func (r *Rank) workName(s *trace.Span) string {
	switch s.Kind {
	case trace.Memcpy:
		return "copy " + s.Copy.String()
	case trace.Memset:
		return "set"
	}
	return trace.CanonicalKernel(r.Trace.Names.Text(s.Name))
}
