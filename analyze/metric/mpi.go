package metric

import (
	"perfdiff/analyze/interval"
	"perfdiff/analyze/run"
	"perfdiff/analyze/source/remedy"
	"perfdiff/analyze/trace"
)

// mpiMetrics measure communication on the host.
func mpiMetrics() []Metric {
	return []Metric{{
		Metric: run.Metric{Name: run.MPITime, Unit: "s", Better: run.Lower,
			Doc:    "Time in which a thread of the process is inside a call of MPI or UCX, within the step's period on the host.",
			Remedy: remedy.Of(remedy.MPI), Traits: run.Traits{Section: run.SectionCollectives, Formula: "length of the union of calls, over all threads"}},
		Requires: trace.HasMPI,
		MadeOf:   trace.MPICalls,
		When:     InPeriod,
		OnHost:   func(p *period, emit Emit) { emit("", p.inside(p.rank.MPI)) },
	}}
}

// mpiCalls returns when any thread is inside a call.
func mpiCalls(t *trace.Trace) (inside interval.Set) {
	for _, c := range t.MPI {
		inside = inside.Add(c.Start, c.End())
	}
	return inside
}
