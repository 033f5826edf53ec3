package verdict

import (
	"math"

	"perfdiff/analyze/run"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
)

// Kinds of work are compared where both sides tell them apart in the same way. A graph
// replay that was recorded as one row is work of unknown kind, and kernels that move data
// and that nobody knows count as compute: on such a side compute, communication and what
// follows from them are other numbers than on a side that shows all.

// NotCompared is why a comparison does not compare kinds of work; the zero value: it does.
type NotCompared struct {
	NoCommunication  string `report:"no_communication"` // the side on which no communication is recognised; ""
	ReplaysAsRows    string `report:"replays_as_rows"`  // the side that shows replays as one row each, and the other one, where they differ in that; ""
	ReplaysAsKernels string `report:"replays_as_kernels"`
	// BetweenKernels is what lies between the kernels of replays, idle in Nodes and busy in Rows,
	// and IdleToBusy how much of what was idle without a row is busy in one, or is idle where no
	// communication is recognised and busy on the other side; s a step, 0 not worth a word.
	BetweenKernels float64 `report:"between_kernels"`
	IdleToBusy     float64 `report:"idle_to_busy"`

	least   run.Depth // of metrics that are compared all the same; 0: all but those of kinds
	Replays [2]bool   // sides with replays of unknown kind
}

// Known reports whether kinds of work are compared.
func (u *NotCompared) Known() bool { return u.NoCommunication == "" && u.ReplaysAsRows == "" }

// kinds finds out whether both sides tell kinds of work apart alike. least is how much of a step, s,
// is worth a word.
func kinds(p *sides.Lined, least float64) NotCompared {
	u := NotCompared{Replays: [2]bool{replays(p.Base), replays(p.Cand)}}
	for i, s := range []*sides.Side{p.Base, p.Cand} {
		if !u.Replays[i] && s.LossOf(sides.KernelTime).Is() { // which is all that tells
			u.Replays[i] = u.Replays[1-i]
		}
	}
	switch {
	case u.Replays[0] != u.Replays[1]:
		rows, nodes := p.Base, p.Cand
		if u.Replays[1] {
			rows, nodes = nodes, rows
		}
		modes(&u, rows, nodes, least, idleToBusy(p, least))
	case p.OtherSize || silentKinds(p.Base) == silentKinds(p.Cand):
	default:
		silent, other := p.Base, p.Cand
		if silentKinds(p.Cand) {
			silent, other = other, silent
		}
		u.NoCommunication = silent.Name
		if idle := (run.Key{Metric: run.IdleTime}); silent.Measure(idle).Mean > other.Measure(idle).Mean {
			if u.IdleToBusy = idleToBusy(p, least); u.IdleToBusy > 0 { // it may not be recorded there
				u.least = run.DepthStep
			}
		}
	}
	return u
}

// modes notes what can be compared between a side that shows replays as rows and one that shows kernel by kernel.
// Metrics of the step as a whole hold either way. Time between the kernels of a replay counts as idle on one side, and
// as busy in the row of the other; on the first it also counts as gaps, so their numbers and lengths do not compare at
// all.
func modes(u *NotCompared, rows, nodes *sides.Side, least, idleToBusy float64) {
	u.ReplaysAsRows, u.ReplaysAsKernels, u.least = rows.Name, nodes.Name, run.DepthStep
	if u.IdleToBusy = idleToBusy; u.IdleToBusy > 0 {
		return
	}
	if inner := meanOf(nodes, run.Key{Metric: run.ReplayGapTime}); inner > least/2 {
		u.BetweenKernels = inner
		return
	}
	u.least = run.DepthIdle
}

// idleToBusy returns how much idle time, in s a step, became busy or the other way round, as by rows of replays: idle
// time changed and the step did not change by half as much. 0 otherwise.
func idleToBusy(p *sides.Lined, least float64) float64 {
	change := func(key run.Key) float64 { return p.Cand.Measure(key).Mean - p.Base.Measure(key).Mean }
	idle, step := change(run.Key{Metric: run.IdleTime}), change(sides.StepTime)
	if !(math.Abs(idle) >= least) || step*idle > 0 && math.Abs(step) >= math.Abs(idle)/2 {
		return 0
	}
	return math.Abs(idle)
}

// hides reports whether a metric is not compared.
func (u *NotCompared) hides(m *run.Metric) bool {
	switch {
	case u.Known():
		return false
	case u.least > 0:
		return m.Depth < u.least
	}
	return m.Depth == run.DepthKinds
}

// HoldsUnknown reports whether a metric is one of work of unknown kind too.
func (u *NotCompared) HoldsUnknown(metric string) bool {
	return metric == run.ComputeTime && (u.Replays[0] || u.Replays[1])
}

// replays reports whether graphs were replayed in used steps and their kernels were not recorded.
func replays(s *sides.Side) bool {
	return meanOf(s, run.Key{Metric: sides.KernelTime, Part: sides.GraphKernel}) > 0
}

// meanOf returns the mean over runs, ranks and used steps of a series, NaN where no rank has
// it.
func meanOf(s *sides.Side, key run.Key) float64 {
	var means []float64
	s.EachRank(func(k *sides.Rank) {
		if mean, ok := k.MeanOver(key); ok && !k.OnOneSideOnly {
			means = append(means, mean)
		}
	})
	return stat.Mean(means)
}

// silentKinds reports whether a job of several ranks ran kernels, none of them known as communication.
func silentKinds(s *sides.Side) bool {
	if s.LossOf(run.CommTime).Is() {
		return false // it is not recorded, which is another thing than none
	}
	kernels, comm := 0, 0
	s.EachRank(func(k *sides.Rank) { kernels, comm = kernels+k.Spans.Kernels, comm+k.Spans.CommKernels })
	return kernels > 0 && comm == 0 && max(s.WorldSize(), s.MostRanks()) > 1
}

// Series that follow from others, or that a step with replays gives in part only.
var (
	BusyTime       = run.Key{Metric: "busy_time"} // step_time less idle_time
	ExposedComm    = run.Key{Metric: run.ExposedCommTime}
	ExposedOutside = run.Key{Metric: run.ExposedCommTime, Part: run.OutsideReplays}
)

// PartValues reads the rank's values of a part of the breakdown in used steps, NaN where
// there are none: the parts of a step with replays add up to it too.
func PartValues(k *sides.Rank, key run.Key) func(j int) float64 {
	values := k.ValuesOf(key)
	switch key {
	case BusyTime:
		step, idle := k.ValuesOf(sides.StepTime), k.ValuesOf(run.Key{Metric: run.IdleTime})
		return func(j int) float64 { return k.ValueOf(step, j) - k.ValueOf(idle, j) }
	case ExposedComm:
		outside := k.ValuesOf(ExposedOutside)
		return func(j int) float64 {
			if v := k.ValueOf(values, j); !math.IsNaN(v) {
				return v
			}
			return k.ValueOf(outside, j)
		}
	}
	return func(j int) float64 { return k.ValueOf(values, j) }
}
