package diff

import (
	"fmt"
	"math"

	"perfdiff/analyze/run"
	"perfdiff/diff/number"
	"perfdiff/diff/stat"
)

// Kinds of work are compared where both sides tell them apart in the same way. A graph
// replay that was recorded as one row is work of unknown kind, and kernels that move data
// and that nobody knows count as compute: on such a side compute, communication and what
// follows from them are other numbers than on a side that shows all.

// Untold is why a comparison does not compare kinds of work; the zero value: it does.
type Untold struct {
	Silent      string // the side on which no communication is recognised; ""
	Rows, Nodes string // the side that shows replays as one row each, and the other one, where they differ in that; ""
	// Between is what lies between the kernels of replays, idle in Nodes and busy in Rows,
	// and Into how much of what was idle without a row is busy in one; s a step, 0 not
	// worth a word.
	Between, Into float64

	least   run.Depth // of metrics that are compared all the same; 0: all but those of kinds
	replays [2]bool   // sides with replays of unknown kind
}

// Known reports whether kinds of work are compared.
func (u *Untold) Known() bool { return u.Silent == "" && u.Rows == "" }

// kinds finds out whether both sides tell kinds of work apart alike.
func (p *Judged) kinds() Untold {
	u := Untold{replays: [2]bool{p.base.replays(), p.cand.replays()}}
	for i, s := range []*side{p.base, p.cand} {
		if !u.replays[i] && s.whyLost(kernelTime) != "" { // which is all that tells
			u.replays[i] = u.replays[1-i]
		}
	}
	switch {
	case u.replays[0] != u.replays[1]:
		rows, nodes := p.base, p.cand
		if u.replays[1] {
			rows, nodes = nodes, rows
		}
		p.modes(&u, rows, nodes)
	case p.otherSize || p.base.silent() == p.cand.silent():
	default:
		silent := p.base
		if p.cand.silent() {
			silent = p.cand
		}
		u.Silent = silent.name
	}
	return u
}

// modes notes what compares between a side that shows replays as rows and one that shows
// kernel by kernel. Metrics of the step as a whole hold whatever a replay is made of. What
// lies between the kernels of one is idle there, and busy in a row; there it is also gaps,
// so that their numbers and lengths do not compare at all.
func (p *Judged) modes(u *Untold, rows, nodes *side) {
	u.Rows, u.Nodes, u.least = rows.name, nodes.name, run.DepthStep
	if u.Into = p.intoReplays(); u.Into > 0 {
		return
	}
	if inner := nodes.meanOf(run.Key{Metric: run.ReplayGapTime}); inner > p.least()/2 {
		u.Between = inner
		return
	}
	u.least = run.DepthIdle
}

// intoReplays is how much idle time, in s a step, went into rows of replays or came out of
// them: it changed, and the step did not by half as much. 0 where that is not so.
func (p *Judged) intoReplays() float64 {
	change := func(key run.Key) float64 { return p.cand.measure(key).mean - p.base.measure(key).mean }
	idle, step := change(run.Key{Metric: run.IdleTime}), change(stepTime)
	if !(math.Abs(idle) >= p.least()) || step*idle > 0 && math.Abs(step) >= math.Abs(idle)/2 {
		return 0
	}
	return math.Abs(idle)
}

// Clause says why kinds of work are not compared, as a sentence goes on.
func (u *Untold) Clause() string {
	if u.Silent != "" {
		return fmt.Sprintf("no communication is recognised in the %s, so that there it would count as compute", u.Silent)
	}
	why := fmt.Sprintf("the %s replays graphs that were recorded as one row each, the %s shows kernel by kernel, ", u.Rows, u.Nodes)
	switch {
	case u.Into > 0:
		return why + fmt.Sprintf("and %s a step that were idle without a row are busy in one: only the step time compares",
			number.ScaleOf("s", u.Into).With(u.Into))
	case u.Between > 0:
		return why + fmt.Sprintf("with %s a step between the kernels of its replays, which is idle there and busy in a row: only the step time compares",
			number.ScaleOf("s", u.Between).With(u.Between))
	}
	return why + "so that only step, idle and busy time compare"
}

// hides reports whether a metric is not compared.
func (u *Untold) hides(m *run.Metric) bool {
	switch {
	case u.Known():
		return false
	case u.least > 0:
		return m.Depth < u.least
	}
	return m.Depth == run.DepthKinds
}

// holdsUnknown reports whether a metric is one of work of unknown kind too.
func (u *Untold) holdsUnknown(metric string) bool {
	return metric == run.ComputeTime && (u.replays[0] || u.replays[1])
}

// replays reports whether graphs were replayed in used steps of which no kernels were
// recorded.
func (s *side) replays() bool { return s.meanOf(run.Key{Metric: kernelTime, Part: GraphKernel}) > 0 }

// meanOf is the mean over runs, ranks and used steps of a series, NaN where no rank has
// it.
func (s *side) meanOf(key run.Key) float64 {
	var means []float64
	s.each(func(k *oneRank) {
		if mean, ok := k.meanOver(key); ok && !k.alone {
			means = append(means, mean)
		}
	})
	return stat.Mean(means)
}

// silent reports whether a job of several ranks ran kernels, and none that is known as
// communication.
func (s *side) silent() bool {
	if s.whyLost(run.CommTime) != "" {
		return false // it is not recorded, which is another thing than none
	}
	kernels, comm := 0, 0
	s.each(func(k *oneRank) { kernels, comm = kernels+k.Spans.Kernels, comm+k.Spans.CommKernels })
	return kernels > 0 && comm == 0 && max(s.world(), s.captured()) > 1
}

// unlikeFinding says why kinds of work are not compared.
func (p *Causes) unlikeFinding() []Finding {
	u := &p.untold
	if u.Known() || p.sizes != "" {
		return nil
	}
	f := KindWorkKinds.finding()
	f.Metric, f.Class, f.Section, f.Untold, f.Evidence.Kind = "graph_mode", "look", "environment", u, EvidenceRecorded
	if f.Advice.Kind = AdviceGraphs; u.Silent != "" {
		f.Metric, f.Advice.Kind = "communication", AdviceName
	}
	return []Finding{f}
}

// Series that follow from others, or that a step with replays gives in part only.
var (
	busyTime       = run.Key{Metric: "busy_time"} // step_time less idle_time
	exposedComm    = run.Key{Metric: run.ExposedCommTime}
	exposedOutside = run.Key{Metric: run.ExposedCommTime, Part: "outside of graph replays"}
)

// partValues reads the rank's values of a part of the breakdown in used steps, NaN where
// there are none: the parts of a step with replays add up to it too.
func (k *oneRank) partValues(key run.Key) func(j int) float64 {
	values := k.values(key)
	switch key {
	case busyTime:
		step, idle := k.values(stepTime), k.values(run.Key{Metric: run.IdleTime})
		return func(j int) float64 { return k.value(step, j) - k.value(idle, j) }
	case exposedComm:
		outside := k.values(exposedOutside)
		return func(j int) float64 {
			if v := k.value(values, j); !math.IsNaN(v) {
				return v
			}
			return k.value(outside, j)
		}
	}
	return func(j int) float64 { return k.value(values, j) }
}
