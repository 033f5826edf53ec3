package metric

import (
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// Sets of contents that several metrics are made of.
const (
	deviceWork = trace.Kernels | trace.Copies
	kindOfWork = trace.Kernels | trace.Kinds
	hostWork   = trace.Ranges | trace.SystemCalls | trace.Operators
)

// madeOf is what the metrics are measured from, as far as that can be lost: where a
// capture does not hold it whole, the metric is not recorded. Steps have their edges
// from whatever work there is.
var madeOf = map[string]trace.Content{
	run.StepTime: 0, run.HostStepTime: 0, run.TimePerToken: 0,
	run.ComputeTime: kindOfWork, run.CommTime: kindOfWork, run.ExposedCommTime: kindOfWork,
	run.Overlap: kindOfWork, run.ComputeSkew: kindOfWork,
	run.ExposedMemoryTime: deviceWork, run.IdleTime: deviceWork, run.BusyShare: deviceWork,
	run.GapCount: deviceWork, run.GapTime: deviceWork, run.ShortGapTime: deviceWork,
	run.GapP50: deviceWork, run.GapP90: deviceWork, run.GapP99: deviceWork,
	run.GapBefore:    deviceWork | trace.Kinds,
	run.GapBoundTime: deviceWork | trace.Calls, run.ReplayGapTime: deviceWork | trace.Calls,
	run.InputWaitTime:    hostWork | trace.FileAccesses,
	run.IOReadThroughput: trace.FileAccesses, run.IOWriteThroughput: trace.FileAccesses,
	run.IOReadBytes:   trace.FileAccesses,
	run.IORequestSize: trace.FileAccesses,
	run.IOReadLatency: trace.FileAccesses, run.IOLargeReadShare: trace.FileAccesses,
	run.CollectiveCalls: kindOfWork, run.CollectiveDuration: kindOfWork,
	run.LastArrivals: kindOfWork, run.CommWaitTime: kindOfWork,
	run.CommTransferTime: kindOfWork, run.TransferBandwidth: kindOfWork,
	run.ExposedWaitTime: kindOfWork, run.ExposedTransferTime: kindOfWork,
	run.ArrivalSkew: kindOfWork, run.MessageImbalance: kindOfWork,
	run.CollectiveBytes: kindOfWork, run.AlgorithmBandwidth: kindOfWork, run.BusBandwidth: kindOfWork,
	run.MPITime: trace.MPICalls, run.GlooTime: trace.Ranges | trace.Operators,
	run.MemcpyTime: trace.Copies, run.MemcpyBytes: trace.Copies, run.MemcpyBandwidth: trace.Copies,
	netReceive: 0, netSend: 0, run.GPUActivity: 0,
	kernelTime: kindOfWork, kernelLaunches: kindOfWork,
}

// causesOf is what the causes of idle time are told from, beside idle time itself.
const causesOf = trace.Calls | hostWork

// lacks reports whether the capture does not hold all of any of these.
func (r *Rank) lacks(of trace.Content) bool { return r.Trace.Incomplete()&of != 0 }

// keeps reports whether a series may stand in what is lost of the capture.
func (r *Rank) keeps(key run.Key) bool {
	if key.Metric == run.IdleTime && key.Part != "" && r.lacks(causesOf) {
		return false
	}
	return !r.lacks(madeOf[key.Metric])
}

// Lost are the metrics that the capture does not hold whole, in the order of All.
func (r *Rank) Lost() (out []run.Lost) {
	for _, m := range All() {
		if why := r.Trace.WhyIncomplete(madeOf[m.Name]); why != "" {
			out = append(out, run.Lost{Metric: m.Name, Why: why})
		}
	}
	return out
}

// lostOf reports whether any rank lost a metric, which then says nothing of all of them.
func lostOf(ranks []run.Rank, metric string) (why string) {
	i := slices.IndexFunc(ranks, func(k run.Rank) bool { return k.WhyLost(metric) != "" })
	if i < 0 {
		return ""
	}
	return ranks[i].WhyLost(metric)
}
