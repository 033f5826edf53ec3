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
	"step_time": 0, "host_step_time": 0, "time_per_token": 0,
	"compute_time": kindOfWork, "comm_time": kindOfWork, "exposed_comm_time": kindOfWork,
	"overlap": kindOfWork, "compute_skew": kindOfWork,
	"exposed_memory_time": deviceWork, "idle_time": deviceWork, "busy_share": deviceWork,
	"gap_count": deviceWork, "gap_time": deviceWork, "short_gap_time": deviceWork,
	"gap_p50": deviceWork, "gap_p90": deviceWork, "gap_p99": deviceWork,
	"gap_before":     deviceWork | trace.Kinds,
	"gap_bound_time": deviceWork | trace.Calls, "replay_gap_time": deviceWork | trace.Calls,
	"input_wait_time":    hostWork | trace.FileAccesses,
	"io_read_throughput": trace.FileAccesses, "io_write_throughput": trace.FileAccesses,
	"io_read_bytes":   trace.FileAccesses,
	"io_request_size": trace.FileAccesses,
	"io_read_latency": trace.FileAccesses, "io_large_read_share": trace.FileAccesses,
	"collective_calls": kindOfWork, "collective_duration": kindOfWork,
	"last_arrivals": kindOfWork, "comm_wait_time": kindOfWork,
	"comm_transfer_time": kindOfWork, "transfer_bandwidth": kindOfWork,
	"exposed_wait_time": kindOfWork, "exposed_transfer_time": kindOfWork,
	"arrival_skew": kindOfWork, "message_imbalance": kindOfWork,
	"collective_bytes": kindOfWork, "algorithm_bandwidth": kindOfWork, "bus_bandwidth": kindOfWork,
	"mpi_time": trace.MPICalls, "gloo_time": trace.Ranges | trace.Operators,
	"memcpy_time": trace.Copies, "memcpy_bytes": trace.Copies, "memcpy_bandwidth": trace.Copies,
	netReceive: 0, netSend: 0, "gpu_activity": 0,
	kernelTime: kindOfWork, kernelLaunches: kindOfWork,
}

// causesOf is what the causes of idle time are told from, beside idle time itself.
const causesOf = trace.Calls | hostWork

// lacks reports whether the capture does not hold all of any of these.
func (r *Rank) lacks(of trace.Content) bool { return r.Trace.Incomplete()&of != 0 }

// keeps reports whether a series may stand in what is lost of the capture.
func (r *Rank) keeps(key run.Key) bool {
	if key.Metric == "idle_time" && key.Part != "" && r.lacks(causesOf) {
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
