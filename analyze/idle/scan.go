package idle

import (
	"slices"

	"perfdiff/analyze/interval"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// GapScan goes through the gaps of a capture's steps in order of time. It finds their causes,
// and keeps the longest of them with where the host was.
type GapScan struct {
	Tells    Tells         // what of gaps is told
	StepSums []StepGaps    // so far, in the order in which they were added
	Replays  bool          // some gap lies between kernels of one replay
	Longest  []run.Gap     // of kept steps
	Gaps     run.Histogram // all gaps of kept steps, by length

	*gapAttribution
	name        func(*trace.Span) string // what people call a span
	locator     *hostLocator             // nil: no operators or functions were recorded
	placedSteps map[int]bool             // by index, those in which it is added up where the host is
	fullTime    *HostTime                // nil: not asked for
}

// Tells says what a capture can tell about gaps. What it cannot tell is unknown, also for the gaps that are kept: half
// of the calls, or a clock that is off, tell no cause.
type Tells struct {
	Causes bool // what the host did
	Waits  bool // what the device waited for
}

// StepGaps holds the sums of the gaps of one step, in ns.
type StepGaps struct {
	At        int                   // index of the step
	ByCause   [causeCount]int64     // by the index of the cause in run.IdleCauses
	WaitedFor [waitedForCount]int64 // by the index of what was waited for in WaitedForNames
	Replay    int64                 // between the kernels of one replay
	// Late is up to the launches that end gaps, LateRunning with their threads on a processor, LateKnown on or off it.
	Late, LateKnown, LateRunning int64
}

// ScanGaps begins a scan of the gaps of steps, for a capture with that many spans of the device, which tells
// everything about them. name returns what people call a span.
func (p *Process) ScanGaps(steps []trace.Step, spans int, name func(*trace.Span) string) *GapScan {
	a := &gapAttribution{hostWork: p.newHost(steps), device: p.trace.Device}
	a.anyNonCUDA = a.anyNonCUDA || p.outline != nil && p.anyNonCUDA()
	return &GapScan{Tells: Tells{true, true}, gapAttribution: a, name: name, locator: newHostLocator(a.hostWork), placedSteps: placedSteps(steps, spans)}
}

// AddStep adds the gaps of steps[at]; busy is when the device works in it, without times in which it still matters
// what the host does. each, which may be nil, is called with every gap and its main cause.
func (w *GapScan) AddStep(at int, st trace.Step, busy, gaps interval.Set, each func(gap interval.Interval, cause string)) {
	if w.Tells != (Tells{}) {
		w.window(st.Start, st.End, busy)
	}
	w.beginStep(st.Start)
	sum := StepGaps{At: at}
	if w.locator != nil {
		w.locator.beginStep(st.Start, st.End)
		if w.placedSteps[at] {
			w.locator.steps++
		}
	}
	var of causeTimes
	for _, g := range gaps {
		by := w.explain(g, &of)
		for cause := range of { // where they were written: a copy waits for that, 1 % of all
			sum.ByCause[cause] += of[cause]
		}
		sum.WaitedFor[by] += g.End - g.Start
		w.addRunning(&sum)
		if w.inReplay(g) {
			sum.Replay += g.End - g.Start
			w.Replays = true
		}
		if st.Dropped == "" {
			w.addPlaces(at, w.keepIfLong(st, g, &of, by, w.next))
		}
		if each != nil {
			each(g, run.IdleCauses[of.mainCause()])
		}
	}
	w.StepSums = append(w.StepSums, sum)
}

// explain attributes a gap as far as the capture allows.
func (w *GapScan) explain(g interval.Interval, of *causeTimes) (by waitedFor) {
	if w.goTo(g); w.Tells == (Tells{}) {
		*of, by = causeTimes{causeUnknown: g.End - g.Start}, waitedForUnknown
		return by
	}
	if by = w.attribute(g, of); !w.Tells.Causes {
		*of, w.hostTime = causeTimes{causeUnknown: g.End - g.Start}, w.hostTime[:0]
	}
	if !w.Tells.Waits {
		by = waitedForUnknown
	}
	return by
}

// KnownCauses says for each of run.IdleCauses whether the capture could show it, so that its absence is 0 and not
// unknown. What gaps waited for is known where calls are.
func (w *GapScan) KnownCauses() [causeCount]bool {
	calls := w.process.trace.Recorded.Has(trace.HasLaunches)
	return [causeCount]bool{
		causeInput: w.process.InputKnown, causeAllocator: calls, causeSync: calls, causeLaunch: calls, causeDependency: calls,
		causeHost: w.anyNonCUDA, causeUnknown: true,
	}
}

// HostPlaces returns where the host is in gaps of other host work, the longest first, added up over the returned
// number of steps; 0 steps if neither operators nor functions were recorded.
func (w *GapScan) HostPlaces() (list []run.HostPlace, steps int) {
	if w.locator == nil || !w.Tells.Causes {
		return nil, 0
	}
	return w.locator.readable(w.locator.sums, run.MaxHostPlaces), w.locator.steps
}

// addPlaces locates the host in the gap that was attributed last: for gap, if it is kept as one
// of the longest, and for the sums over steps.
func (w *GapScan) addPlaces(at int, gap *run.Gap) {
	if w.locator == nil || len(w.hostTime) == 0 || gap == nil && !w.placedSteps[at] {
		return
	}
	sums := map[programPlace]int64(nil)
	if w.placedSteps[at] {
		sums = w.locator.sums
	}
	in := map[programPlace]int64(nil)
	if gap != nil {
		in = map[programPlace]int64{}
	}
	w.locator.locate(w.hostTime, func(where programPlace, ns int64) {
		if sums != nil {
			sums[where] += ns
		}
		if in != nil {
			in[where] += ns
		}
	})
	if gap != nil {
		gap.Places = w.locator.readable(in, maxGapPlaces)
	}
}

// keepIfLong counts a gap of a kept step, and keeps it if it is among the longest. next is the
// index of the span after it. It returns where the gap was kept, valid until the next call, or
// nil.
func (w *GapScan) keepIfLong(st trace.Step, g interval.Interval, of *causeTimes, by waitedFor, next int) *run.Gap {
	w.Gaps.Counts[run.Bin(g.End-g.Start)]++
	w.Gaps.Total += g.End - g.Start
	if n := len(w.Longest); n == run.MaxGaps && w.Longest[n-1].Length >= g.End-g.Start {
		return nil
	}
	gap := run.Gap{Step: st.Number, At: g.Start - st.Start, Length: g.End - g.Start, WaitedFor: WaitedForNames[by]}
	device := w.device
	if next < len(device) && device[next].Start == g.End {
		gap.Before = w.name(&device[next])
	}
	for i := next - 1; i >= 0 && i >= next-64; i-- { // what ended last; streams are few
		if device[i].End == g.Start {
			gap.After = w.name(&device[i])
			break
		}
	}
	gap.Causes = of.asCauses()
	w.Longest = run.AddGap(w.Longest, gap)
	i := slices.IndexFunc(w.Longest, func(x run.Gap) bool { return x.Step == gap.Step && x.At == gap.At })
	if i < 0 {
		return nil
	}
	return &w.Longest[i]
}
