package idle

import (
	"slices"

	"perfdiff/analyze/interval"
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// Walk follows the gaps of a capture's steps in order of time: what they are due to, and the
// longest of them with where the host was.
type Walk struct {
	Steps   []Step        // so far, in the order in which they were walked
	Replays bool          // a gap lies between kernels of one replay
	Longest []run.Gap     // of kept steps
	Gaps    run.Histogram // likewise: of all lengths

	*attribution
	name   func(*trace.Span) string // what people call a span
	places *placer                  // nil: no operators or functions were recorded
	placed map[int]bool             // by place, where the host's places are added up
}

// Step is what the gaps of a step are made of, in ns.
type Step struct {
	At     int           // place of the step
	Cause  [causes]int64 // by the place of the cause in run.IdleCauses
	Bound  [bounds]int64 // by the place of the bound in BoundNames
	Replay int64         // between the kernels of one replay
}

// Walk begins a walk through steps, of a capture with so many spans of the device. name is
// what people call one of them.
func (p *Process) Walk(steps []trace.Step, spans int, name func(*trace.Span) string) *Walk {
	a := &attribution{host: p.newHost(steps), device: p.trace.Device}
	a.seen = a.seen || p.outline != nil && p.hostSeen()
	return &Walk{attribution: a, name: name, places: newPlacer(a.host), placed: placed(steps, spans)}
}

// Step takes the gaps of the step at a place, in which the device was busy as busy says. each,
// which may be nil, is told every gap with the cause of most of it.
func (w *Walk) Step(at int, st trace.Step, busy, gaps interval.Set, each func(gap interval.Interval, cause string)) {
	w.begin(st.Start, st.End, busy)
	sum := Step{At: at}
	if w.places != nil {
		w.places.begin(st.Start, st.End)
		if w.placed[at] {
			w.places.steps++
		}
	}
	var of parts
	for _, g := range gaps {
		by := w.gap(g, &of)
		for cause, ns := range of {
			sum.Cause[cause] += ns
		}
		sum.Bound[by] += g.End - g.Start
		if w.inReplay(g) {
			sum.Replay += g.End - g.Start
			w.Replays = true
		}
		if st.Dropped == "" {
			w.place(at, w.remember(st, g, &of, by, w.next))
		}
		if each != nil {
			each(g, run.IdleCauses[of.most()])
		}
	}
	w.Steps = append(w.Steps, sum)
}

// Known says which causes the capture would show, so that their absence is zero, by the
// place of the cause in run.IdleCauses. Which bounds there are is known where calls are.
func (w *Walk) Known() [causes]bool {
	calls := w.process.trace.Recorded.Has(trace.HasLaunches)
	return [causes]bool{
		causeInput: w.process.InputKnown, causeAllocator: calls, causeSync: calls, causeLaunch: calls, causeDependency: calls,
		causeHost: w.seen, causeUnknown: true,
	}
}

// Places is where the host is in gaps of other host work, the longest first, added up over so
// many steps; 0 steps where neither operators nor functions were recorded.
func (w *Walk) Places() (list []run.Place, steps int) {
	if w.places == nil {
		return nil, 0
	}
	return w.places.told(w.places.sums, run.MostPlaces), w.places.steps
}

// place says where the host is in the last gap: for a gap that is among the longest, and
// for the sums.
func (w *Walk) place(at int, gap *run.Gap) {
	if w.places == nil || len(w.hostly) == 0 || gap == nil && !w.placed[at] {
		return
	}
	sums := map[site]int64(nil)
	if w.placed[at] {
		sums = w.places.sums
	}
	in := map[site]int64(nil)
	if gap != nil {
		in = map[site]int64{}
	}
	w.places.of(w.hostly, func(where site, ns int64) {
		if sums != nil {
			sums[where] += ns
		}
		if in != nil {
			in[where] += ns
		}
	})
	if gap != nil {
		gap.Places = w.places.told(in, gapPlaces)
	}
}

// remember counts a gap of a kept step, and keeps it if it is among the longest. next
// is the place of the span behind it. It returns the gap where it was kept, until the
// next is.
func (w *Walk) remember(st trace.Step, g interval.Interval, of *parts, by bound, next int) *run.Gap {
	w.Gaps.Counts[run.Bin(g.End-g.Start)]++
	w.Gaps.Total += g.End - g.Start
	if n := len(w.Longest); n == run.MostGaps && w.Longest[n-1].Length >= g.End-g.Start {
		return nil
	}
	gap := run.Gap{Step: st.Number, At: g.Start - st.Start, Length: g.End - g.Start, Bound: BoundNames[by]}
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
	gap.Causes = of.causes()
	w.Longest = run.KeepGap(w.Longest, gap)
	i := slices.IndexFunc(w.Longest, func(x run.Gap) bool { return x.Step == gap.Step && x.At == gap.At })
	if i < 0 {
		return nil
	}
	return &w.Longest[i]
}
