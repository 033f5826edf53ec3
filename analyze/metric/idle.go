package metric

import (
	"perfdiff/analyze/idle"
	"perfdiff/analyze/interval"
	"perfdiff/analyze/picture"
	"perfdiff/analyze/run"
	"perfdiff/analyze/source/remedy"
	"perfdiff/analyze/trace"
)

// idleMetrics returns what else gaps tell besides idle time. The scan of gaps measures them too.
func idleMetrics() []Metric {
	return []Metric{
		{Metric: run.Metric{Name: run.GapBoundTime, Unit: "s", Better: run.Lower, Part: "bound",
			Doc:    "Time in gaps by what the device waited for: the launch came after it was done (launch; input where the host waited for input most of that time), or before (dependency: a stream, an event, a collective).",
			Remedy: needsPath,
			Traits: run.Traits{Section: run.SectionGaps, Derivation: run.Derivation{By: run.ByFactor, Of: run.IdleTime},
				Formula: "sum of the gaps whose next work was launched behind their begin (launch, input), or before it (dependency)"}},
			MadeOf: madeOfWaits, When: InCapture, With: run.IdleTime},
		{Metric: run.Metric{Name: run.ReplayGapTime, Unit: "s", Better: run.Lower,
			Doc:    "Idle time between the kernels of one graph replay: a capture that records replays as one row counts it as busy.",
			Remedy: needsDevice.Then(remedy.Of(remedy.GraphKernels)),
			Traits: run.Traits{Section: run.SectionGaps, Formula: "sum of the gaps between kernels of one launch"}},
			MadeOf: deviceWork | trace.Calls, When: InCapture, With: run.IdleTime},
		{Metric: run.Metric{Name: run.LaunchRunning, Unit: "ratio", Better: run.Neither,
			Doc:    "Share of the time in gaps up to the launch that ends them in which the thread of that launch was on a processor. In the rest it was blocked, or another thread had the processor.",
			Remedy: remedy.Of(remedy.ThreadStates),
			Traits: run.Traits{Section: run.SectionGaps,
				Formula: "sum over gaps of the time from their begin to their launch with the thread between SCHED_EVENTS that put it on a processor and take it off, over the sum of that time"}},
			MadeOf: madeOfWaits, When: InCapture, With: run.IdleTime},
	}
}

// gapMeasurer finds the causes of idle time in a rank's steps, and draws the steps that
// excerpts may show.
type gapMeasurer struct {
	*idle.GapScan
	rank    *Rank
	painter *picture.Painter
	room    interval.Set
	drawn   []bool
}

func newGapMeasurer(r *Rank, steps []trace.Step, spans int) *gapMeasurer {
	x := &gapMeasurer{GapScan: r.process.ScanGaps(steps, spans, r.workName), rank: r,
		painter: picture.NewPainter(r.Trace, r.thread, r.Bars, steps, r.workName), drawn: r.stepsToDraw(steps)}
	x.Tells = idle.Tells{Causes: !r.lacks(madeOfCauses), Waits: !r.lacks(madeOfWaits)}
	return x
}

// stepsToDraw says for each step whether it is drawn for excerpts; none is, if no bars are asked for.
func (r *Rank) stepsToDraw(steps []trace.Step) []bool {
	out := make([]bool, len(steps))
	if r.Bars > 0 {
		for _, i := range picture.ProposedSteps(steps) {
			out[i] = true
		}
	}
	return out
}

// addStep adds the gaps of the step with an index. host says when, besides in the gaps, it matters what the host does.
func (x *gapMeasurer) addStep(at int, s *Step, host interval.Set) {
	busy := s.Busy
	if len(host) > 0 {
		x.room = interval.Subtract(x.room.Room(len(busy)+len(host)), busy, host)
		busy = x.room
	}
	st := s.Window.Step
	if !x.drawn[at] {
		x.AddStep(at, st, busy, s.Gaps, nil)
		return
	}
	x.AddStep(at, st, busy, s.Gaps, func(g interval.Interval, cause string) {
		if g.End-g.Start >= minGap {
			x.painter.AddGap(g, cause)
		}
	})
	x.rank.Cuts = append(x.rank.Cuts, x.painter.Cut(st))
}

// putIdleCauses writes the causes of idle time into the series, where they are known.
func putIdleCauses(m *measurer, into *seriesBuilder) {
	if m.gaps != nil {
		m.gaps.put(into)
	}
}

// put writes the causes of idle time into the series, and the longest gaps and where the host
// was into the rank.
func (x *gapMeasurer) put(c *seriesBuilder) {
	r := x.rank
	r.Longest, r.Gaps = x.Longest, x.Gaps
	r.Places, r.Placed = x.HostPlaces()
	calls, known := r.Trace.Recorded.Has(trace.HasLaunches), x.KnownCauses()
	var replay, running seriesPlace
	causes, bound := make([]seriesPlace, len(run.IdleCauses)), make([]seriesPlace, len(idle.WaitedForNames))
	for i := range x.StepSums {
		s := &x.StepSums[i]
		if x.Replays {
			c.putAt(&replay, run.ReplayGapTime, "", s.At, seconds(s.Replay))
		}
		if s.LateKnown > 0 && 2*s.LateKnown >= s.Late { // of most of the time
			c.putAt(&running, run.LaunchRunning, "", s.At, float64(s.LateRunning)/float64(s.LateKnown))
		}
		for k, ns := range s.ByCause {
			if ns > 0 || known[k] {
				c.putAt(&causes[k], run.IdleTime, run.IdleCauses[k], s.At, seconds(ns))
			}
		}
		for b, ns := range s.WaitedFor {
			if ns > 0 || calls {
				c.putAt(&bound[b], run.GapBoundTime, idle.WaitedForNames[b], s.At, seconds(ns))
			}
		}
	}
}
