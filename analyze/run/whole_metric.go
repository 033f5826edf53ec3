package run

import (
	"math"

	"perfdiff/analyze/source/remedy"
)

// WholeMetric is a quantity of a whole capture, which needs no steps. It stands outside of
// the metric list: it has one value a rank and none a step, and is shown only where there
// are no steps to compare.
type WholeMetric struct {
	Metric
	Of func(*WholeCapture) float64 // NaN: not recorded; nil of bytes, which have From
	// From is one of bytes read or written, from a source; what nodes counted adds up.
	From func(w *WholeCapture, source string) float64
}

// OfDevice reports whether the quantity is one of the device.
func (q *WholeMetric) OfDevice() bool {
	return q.Remedy == remedy.Of(remedy.DeviceWork) || q.Remedy == remedy.Of(remedy.AllWork)
}

// perDevice returns a share of the device's time; without device work it is not recorded.
func perDevice(w *WholeCapture, ns int64) float64 {
	if w.Device <= 0 {
		return math.NaN()
	}
	return float64(ns) / float64(w.Device)
}

// kindKnown returns v where the kind of all work is known: a graph replay may be anything.
func kindKnown(w *WholeCapture, v float64) float64 {
	if w.Graphs > 0 || w.Comm == 0 {
		return math.NaN()
	}
	return v
}

// throughputs returns bytes read and written a second of the device, without a device of the
// host, from a source.
func throughputs(w *WholeCapture, source string) (reads, writes float64) {
	length := w.Device
	if length <= 0 {
		length = w.Host
	}
	read, written, ok := w.Moved(source)
	if !ok || length <= 0 {
		return math.NaN(), math.NaN()
	}
	return read * 1e9 / float64(length), written * 1e9 / float64(length)
}

// WholeMetrics are the quantities of a whole capture, in reading order.
var WholeMetrics = needing([]WholeMetric{
	{Metric{Name: "device_extent", Unit: "s", Main: true,
		Doc:    "Time from the first to the last work of a device.",
		Remedy: remedy.Of(remedy.DeviceWork)},
		func(w *WholeCapture) float64 {
			if w.Device <= 0 {
				return math.NaN()
			}
			return float64(w.Device) / 1e9
		}, nil},
	{Metric{Name: "host_extent", Unit: "s", Main: true,
		Doc:    "Time from the first to the last call, range or operator of a host.",
		Remedy: remedy.Same("calls, ranges or operators of the host")},
		func(w *WholeCapture) float64 {
			if w.Host <= 0 || w.Device > 0 {
				return math.NaN()
			}
			return float64(w.Host) / 1e9
		}, nil},
	{Metric{Name: "extent_busy_share", Unit: "ratio", Main: true, Better: Higher,
		Doc:    "Share of the device's extent with any work.",
		Remedy: remedy.Of(remedy.DeviceWork)},
		func(w *WholeCapture) float64 { return perDevice(w, w.Busy) }, nil},
	{Metric{Name: "extent_compute_share", Unit: "ratio",
		Doc:    "Share of the device's extent with compute; graph replays count as such.",
		Remedy: remedy.Of(remedy.DeviceWork)},
		func(w *WholeCapture) float64 { return perDevice(w, w.Compute) }, nil},
	{Metric{Name: "extent_exposed_comm_share", Unit: "ratio", Better: Lower,
		Doc:    "Share of the device's extent with communication and no compute.",
		Remedy: remedy.Of(remedy.AllWork)},
		func(w *WholeCapture) float64 { return kindKnown(w, perDevice(w, w.Exposed)) }, nil},
	{Metric{Name: "extent_overlap", Unit: "ratio", Main: true, Better: Higher,
		Doc:    "Share of communication that compute hides.",
		Remedy: remedy.Of(remedy.AllWork)},
		func(w *WholeCapture) float64 { return kindKnown(w, float64(w.Overlap)/float64(w.Comm)) }, nil},
	{Metric{Name: "gap_rate", Unit: "1/s",
		Doc:    "Gaps of at least 1 us per second of the device's extent.",
		Remedy: remedy.Of(remedy.DeviceWork)},
		func(w *WholeCapture) float64 {
			n := int64(0)
			for _, c := range w.Gaps.Counts {
				n += c
			}
			return perDevice(w, n) * 1e9
		}, nil},
	{Metric{Name: "launch_rate", Unit: "1/s",
		Doc:    "Kernels and graph replays that start per second of the device's extent.",
		Remedy: remedy.Of(remedy.DeviceWork)},
		func(w *WholeCapture) float64 {
			n := int64(0)
			for _, c := range w.Launches {
				n += c
			}
			return perDevice(w, n) * 1e9
		}, nil},
	{Metric{Name: ExtentClock, Unit: "Hz",
		Doc:    "Mean clock of the device's graphics processing clusters over its extent, as sampled.",
		Remedy: remedy.Of(remedy.GPUMetrics)},
		func(w *WholeCapture) float64 {
			if w.Clock <= 0 {
				return math.NaN()
			}
			return w.Clock
		}, nil},
	{Metric{Name: "extent_read_throughput", Unit: "B/s", Main: true, Better: Higher,
		Doc: "Bytes that a rank, or all nodes where the source is the nodes', " +
			"read per second of the extent.",
		Remedy: remedy.Of(remedy.ReadBytes)}, nil,
		func(w *WholeCapture, source string) float64 { reads, _ := throughputs(w, source); return reads }},
	{Metric{Name: "extent_write_throughput", Unit: "B/s", Better: Higher,
		Doc: "Bytes that a rank, or all nodes where the source is the nodes', " +
			"write per second of the extent.",
		Remedy: remedy.Of(remedy.ReadBytes)}, nil,
		func(w *WholeCapture, source string) float64 { _, writes := throughputs(w, source); return writes }},
})

// needing returns a list with what its metrics need in general.
func needing(list []WholeMetric) []WholeMetric {
	for i := range list {
		list[i].Metric = list[i].Needing(list[i].Remedy)
	}
	return list
}
