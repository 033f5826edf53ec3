package metric

import (
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// overlapMetrics measure how much communication compute hides. The ratio is
// HTA's: hidden communication over communication, on unions of all streams.
// Nsight's heat map divides by time instead; the two are not comparable.
func overlapMetrics() []Metric {
	return []Metric{{
		Metric: run.Metric{Name: run.Overlap, Unit: "ratio", Better: run.Higher, Main: true,
			Doc:    "Share of communication time that compute hides.",
			Remedy: needsComm,
			Traits: run.Traits{Subject: "Overlap of communication", Section: run.SectionUtilization, OfRun: true, AcrossDevices: true, Depth: run.DepthKinds,
				Finding: "overlap", FindingOrder: 2, GateOrder: 4,
				Formula: "(comm_time − exposed_comm_time) / comm_time, of all steps of a run; Holistic Trace Analysis: get_comm_comp_overlap"}},
		Requires: trace.HasDevice,
		MadeOf:   kindOfWork,
		Measure: func(s *Step, emit Emit) {
			if comm := s.Comm.Total(); comm > 0 && !s.graphs {
				emit("", float64(comm-s.ExposedComm)/float64(comm))
			}
		},
	}}
}
