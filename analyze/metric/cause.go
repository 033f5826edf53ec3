package metric

import (
	"regexp"

	"perfdiff/analyze/interval"
	"perfdiff/analyze/trace"
)

// cause is what the launching process did while the device was idle.
type cause int

// The causes of idle time, in the order of run.IdleCauses.
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
	sets    [causes]interval.Set // of causes that are calls or ranges
	markers map[int64]bool       // when the ranges of steps begin
	known   [causes]bool         // the capture would show it: its absence is zero
}

// hostOf builds the sets. Launches count on whatever thread they are made, since a
// framework launches from several; what else the host does counts on those threads
// and on the one that runs the steps: a thread that waits for the device beside them
// holds nothing up. The range of a step itself and longer ones say nothing.
func (r *Rank) hostOf(steps []trace.Step) *host {
	h := &host{}
	h.sets[causeInput] = r.Input
	t := r.Trace
	kinds := kindsOf(t.Names)
	threads := map[int32]bool{}
	if r.thread != 0 {
		threads[r.thread] = true
	}
	last := int32(-1)
	for i := range t.API {
		if c := &t.API[i]; c.Thread != last && kinds.of(c.Name) == causeLaunch {
			threads[c.Thread], last = true, c.Thread
		}
	}
	api, other, os := idler{busy: r.Busy}, idler{busy: r.Busy}, idler{busy: r.Busy}
	known, counts := int32(-1), false // of the last thread asked for
	for i := range t.API {
		c := &t.API[i]
		if c.Thread != known {
			known, counts = c.Thread, threads[c.Thread]
		}
		if counts && api.sees(c.Start, c.End) {
			k := kinds.of(c.Name)
			h.sets[k] = h.sets[k].Add(c.Start, c.End)
		}
	}
	h.markers = map[int64]bool{}
	longest := int64(0)
	for _, s := range steps {
		if s.HostStart != trace.NoTime && s.HostEnd != trace.NoTime {
			h.markers[s.HostStart] = true
			longest = max(longest, s.HostEnd-s.HostStart)
		}
	}
	var ranges, system interval.Set // one after the other: in one set each would be moved behind the other's
	for _, x := range t.Ranges {
		if threads[x.Thread] && !h.markers[x.Start] && (longest == 0 || x.End-x.Start < longest) && other.sees(x.Start, x.End) {
			ranges = ranges.Add(x.Start, x.End)
		}
	}
	for _, c := range t.OS {
		if threads[c.Thread] && os.sees(c.Start, c.End) {
			system = system.Add(c.Start, c.End)
		}
	}
	h.sets[causeHost] = interval.Union(nil, h.sets[causeHost], interval.Union(nil, ranges, system))
	h.addWorkers(r)
	calls := t.Recorded.Has(trace.HasLaunches)
	h.known = [causes]bool{
		causeInput: r.inputKnown, causeAllocator: calls, causeSync: calls, causeLaunch: calls, causeDependency: calls,
		causeHost: other.seen || os.seen || len(h.sets[causeHost]) > 0, causeUnknown: true,
	}
	return h
}

// idler tells what the host does while the device idles from what it does beside its
// work, which is most of it and explains no gap. It is asked in order of start.
type idler struct {
	busy interval.Set
	at   int  // of the first busy stretch that ends behind the last start
	seen bool // it was asked at all
}

// sees reports whether any of [start, end) is idle.
func (x *idler) sees(start, end int64) bool {
	x.seen = true
	for x.at < len(x.busy) && x.busy[x.at].End <= start {
		x.at++
	}
	return x.at == len(x.busy) || start < x.busy[x.at].Start || end > x.busy[x.at].End
}

// addWorkers counts as input what the step's thread waits for in the operating
// system, outside of CUDA's calls, while other threads of the process or helper
// processes read: a queue that loaders fill.
func (h *host) addWorkers(r *Rank) {
	if r.thread == 0 {
		return
	}
	var waits, reads interval.Set
	wait, read := matcher(r.Trace.Names, waitCall.MatchString), matcher(r.Trace.Names, trace.ReadCall)
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

// matcher tells which names match, asking once for each.
func matcher(n *trace.Names, matches func(string) bool) func(trace.NameID) bool {
	match := make([]int8, n.Len())
	return func(id trace.NameID) bool {
		if match[id] == 0 {
			match[id] = -1
			if matches(n.Text(id)) {
				match[id] = 1
			}
		}
		return match[id] > 0
	}
}
