package metric

import (
	"perfdiff/analyze/run"
	"perfdiff/analyze/source/remedy"
	"perfdiff/analyze/trace"
)

// inputMetrics measure the wait for input.
func inputMetrics() []Metric {
	return []Metric{
		{
			Metric: run.Metric{Name: run.InputWaitTime, Unit: "s", Better: run.Lower, Main: true,
				Doc:    "Time in which the thread that runs the steps waits for input (DataLoader, DALI, blocking reads, a queue while others read), within the step's period on the host.",
				Remedy: remedy.Of(remedy.BatchRanges),
				Traits: run.Traits{Subject: "Input wait", Section: run.SectionIO, PartOfStep: true,
					Finding: "input-wait", FindingOrder: 1, OneSided: true, RankWork: []run.RankWork{{Late: true}}, GateOrder: 3,
					Formula: "length of the union of input ranges, blocking reads, and waits while others of the process read"}},
			MadeOf: hostWork | trace.FileAccesses,
			When:   InPeriod,
			Source: func(r *Rank) string {
				if r.process.InputNamed {
					return ""
				}
				return run.SourceCalls
			},
			OnHost: func(p *period, emit Emit) {
				if p.rank.process.InputKnown {
					emit("", p.inside(p.rank.process.Input))
				}
			},
		},
	}
}
