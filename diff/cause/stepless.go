package cause

import (
	"cmp"
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
	"perfdiff/diff/verdict"
)

// What times and counts of kernels, summaries and gaps are of.
const (
	PerStep = "step"
	// PerSecond: of the time from the first to the last work of a rank's device; what the
	// host does, from its first to its last activity.
	PerSecond = "second"
)

// Alone are the main metrics, of which only one side has values, or each its own, where
// the sides have no step to compare: they are told and not compared.
func (p *Causes) Alone() (out []verdict.Comparison) {
	if !verdict.Stepless(p.Judged.Lined) {
		return nil
	}
	for _, m := range verdict.MergedMetrics(p.Base.Set.Metrics, p.Cand.Set.Metrics) {
		if m.Main {
			out = append(out, verdict.Comparison{Key: run.Key{Metric: m.Name}})
		}
	}
	return out
}

// compareWhole fills in what is compared without steps.
func (p *Causes) compareWhole() {
	p.Kernels, p.KernelShift = p.kernels()
	p.Gaps = p.gaps()
	p.Calls = p.calls(p.Kernels)
	p.Capture = p.capture()
	for _, c := range p.Capture {
		p.Descriptions = append(p.Descriptions, c.Metric)
	}
}

// onHost reports whether a table is of what the host does.
func onHost(table run.Table) bool {
	return table != run.KernelTable && table != run.CollectiveTable && table != run.MemoryTable
}

// wholeStats are a side's sums by name over its whole captures, with run.Others for the
// names that ranks do not keep.
func wholeStats(s *sides.Side, table run.Table) map[string]StatSide {
	return statsOf(s, table, func(k *sides.Rank) ([]run.Stat, float64) {
		if k.Whole == nil {
			return nil, 0
		}
		length := k.Whole.Device
		if onHost(table) {
			length = k.Whole.Host
		}
		return k.Whole.Stats, float64(max(length, 1)) / 1e9
	})
}

// unkept reports whether a name that a side lacks may be among those that its ranks do
// not keep: then it is not known to be gone.
func unkept(name string, have, lack map[string]StatSide) bool {
	_, there := lack[name]
	others := lack[run.Others]
	return !there && others.Count > 0 && others.Time >= have[name].Time
}

// comparable are the names in either table that are known on both sides, in order.
func comparable(base, cand map[string]StatSide) []string {
	names := map[string]bool{}
	for n := range base {
		names[n] = !unkept(n, base, cand)
	}
	for n := range cand {
		names[n] = !unkept(n, cand, base)
	}
	delete(names, run.Others)
	return slices.DeleteFunc(sides.SortedKeys(names), func(n string) bool { return !names[n] })
}

// kernelsASecond are each kernel's time and launches a second of the device.
func kernelsASecond(s *sides.Side) map[string]KernelSum {
	out := map[string]KernelSum{}
	for name, x := range wholeStats(s, run.KernelTable) {
		out[name] = KernelSum{x.Time, x.Calls}
	}
	return out
}

// gapsASecond is the mean over ranks of the gaps a second of the device, by bin.
func gapsASecond(s *sides.Side) [run.HistogramBins]float64 {
	var sums [run.HistogramBins]float64
	ranks := 0.0
	s.Each(func(k *sides.Rank) {
		if k.Alone || k.Whole == nil || k.Whole.Device <= 0 {
			return
		}
		ranks++
		for i, n := range k.Whole.Gaps.Counts {
			sums[i] += float64(n) * 1e9 / float64(k.Whole.Device)
		}
	})
	for i := range sums {
		if ranks > 0 {
			sums[i] /= ranks
		}
	}
	return sums
}

// ofCapture is a quantity of a whole capture.
type ofCapture struct {
	metric run.Metric
	of     func(*run.WholeCapture) float64 // NaN: not recorded
}

// perDevice is a share of the device's time; without device work it is not recorded.
func perDevice(w *run.WholeCapture, ns int64) float64 {
	if w.Device <= 0 {
		return math.NaN()
	}
	return float64(ns) / float64(w.Device)
}

// kindKnown is v where the kind of all work is known: a graph replay may be anything.
func kindKnown(w *run.WholeCapture, v float64) float64 {
	if w.Graphs > 0 || w.Comm == 0 {
		return math.NaN()
	}
	return v
}

// throughput is bytes a second of the device, without a device of the host.
func throughput(w *run.WholeCapture, bytes float64) float64 {
	length := w.Device
	if length <= 0 {
		length = w.Host
	}
	if w.ReadFrom == "" || length <= 0 {
		return math.NaN()
	}
	return bytes * 1e9 / float64(length)
}

const (
	needsWork = "device activity: record with --trace=cuda, or with ProfilerActivity.CUDA"
	needsRead = "storage counters (--storage-metrics), or file accesses: record with --trace=osrt " +
		"--osrt-file-access=true"
	needsComm  = "communication kernels, and inside graph replays --cuda-graph-trace=node"
	needsCalls = "calls, ranges or operators of the host"
)

// captured are the quantities of a whole capture, in reading order.
var captured = []ofCapture{
	{run.Metric{Name: "device_extent", Unit: "s", Main: true,
		Doc:   "Time from the first to the last work of a device.",
		Needs: needsWork},
		func(w *run.WholeCapture) float64 {
			if w.Device <= 0 {
				return math.NaN()
			}
			return float64(w.Device) / 1e9
		}},
	{run.Metric{Name: "host_extent", Unit: "s", Main: true,
		Doc:   "Time from the first to the last call, range or operator of a host.",
		Needs: needsCalls},
		func(w *run.WholeCapture) float64 {
			if w.Host <= 0 || w.Device > 0 {
				return math.NaN()
			}
			return float64(w.Host) / 1e9
		}},
	{run.Metric{Name: "extent_busy_share", Unit: "ratio", Main: true, Better: run.Higher,
		Doc:   "Share of the device's extent with any work.",
		Needs: needsWork},
		func(w *run.WholeCapture) float64 { return perDevice(w, w.Busy) }},
	{run.Metric{Name: "extent_compute_share", Unit: "ratio",
		Doc:   "Share of the device's extent with compute; graph replays count as such.",
		Needs: needsWork},
		func(w *run.WholeCapture) float64 { return perDevice(w, w.Compute) }},
	{run.Metric{Name: "extent_exposed_comm_share", Unit: "ratio", Better: run.Lower,
		Doc:   "Share of the device's extent with communication and no compute.",
		Needs: needsComm},
		func(w *run.WholeCapture) float64 { return kindKnown(w, perDevice(w, w.Exposed)) }},
	{run.Metric{Name: "extent_overlap", Unit: "ratio", Main: true, Better: run.Higher,
		Doc:   "Share of communication that compute hides.",
		Needs: needsComm},
		func(w *run.WholeCapture) float64 { return kindKnown(w, float64(w.Overlap)/float64(w.Comm)) }},
	{run.Metric{Name: "gap_rate", Unit: "1/s",
		Doc:   "Gaps of at least 1 us in a second of the device's extent.",
		Needs: needsWork},
		func(w *run.WholeCapture) float64 {
			n := int64(0)
			for _, c := range w.Gaps.Counts {
				n += c
			}
			return perDevice(w, n) * 1e9
		}},
	{run.Metric{Name: "launch_rate", Unit: "1/s",
		Doc:   "Kernels and graph replays that start in a second of the device's extent.",
		Needs: needsWork},
		func(w *run.WholeCapture) float64 {
			n := int64(0)
			for _, c := range w.Launches {
				n += c
			}
			return perDevice(w, n) * 1e9
		}},
	{run.Metric{Name: "extent_read_throughput", Unit: "B/s", Main: true, Better: run.Higher,
		Doc: "Bytes that a rank, or its node where the source is the node's, " +
			"reads in a second of the extent.",
		Needs: needsRead},
		func(w *run.WholeCapture) float64 { return throughput(w, w.Read) }},
	{run.Metric{Name: "extent_write_throughput", Unit: "B/s", Better: run.Higher,
		Doc: "Bytes that a rank, or its node where the source is the node's, " +
			"writes in a second of the extent.",
		Needs: needsRead},
		func(w *run.WholeCapture) float64 { return throughput(w, w.Written) }},
}

// ofDevice reports whether the quantity is one of the device.
func (q *ofCapture) ofDevice() bool {
	return q.metric.Needs == needsWork || q.metric.Needs == needsComm
}

// capture are the quantities of whole captures that a side has recorded. They have no
// interval: the steps are missing that would tell noise from change.
func (p *Causes) capture() []verdict.Comparison {
	var out []verdict.Comparison
	for _, q := range captured {
		c := p.NoSteps()
		c.Key, c.Metric = run.Key{Metric: q.metric.Name}, q.metric
		c.Gate, c.Relative = false, q.metric.Unit != "ratio"
		base, cand := ofWhole(p.Base, q), ofWhole(p.Cand, q)
		c.Base, c.Cand = base.Median(), cand.Median()
		c.BaseMean, c.CandMean = base.Mean, cand.Mean
		c.Delta = c.Cand - c.Base
		c.Runs = [2]int{len(base.Rows), len(cand.Rows)}
		c.Ranks = [2]int{sides.Middle(base.Ranks), sides.Middle(cand.Ranks)}
		if c.Runs == [2]int{} {
			continue
		}
		for i, n := range c.Runs {
			if n == 0 {
				s := []*sides.Side{p.Base, p.Cand}[i]
				if c.NotRecorded[i] = p.Needs(s, q.metric); q.ofDevice() {
					c.NotRecorded[i] = cmp.Or(s.WhyLost(run.IdleTime), s.WhyLost(run.CommTime), c.NotRecorded[i])
				}
				c.Reason = verdict.ReasonNotRecorded
			}
		}
		if q.metric.Unit == "B/s" {
			c.Source = verdict.Source(base.Sources, cand.Sources)
		}
		out = append(out, c)
	}
	return out
}

// ofWhole is a quantity of the side's captures, a row of one value for each run that has it:
// the median over its ranks.
func ofWhole(s *sides.Side, q ofCapture) sides.Measured {
	var m sides.Measured
	var means []float64
	for _, r := range s.Runs {
		var values []float64
		for _, k := range r.Ranks {
			if k.Alone || k.Whole == nil {
				continue
			}
			if v := q.of(k.Whole); !math.IsNaN(v) {
				values, m.Sources = append(values, v), append(m.Sources, k.Whole.ReadFrom)
			}
		}
		if len(values) > 0 {
			m.Rows, m.Ranks = append(m.Rows, []float64{stat.Median(values)}), append(m.Ranks, len(values))
			means = append(means, stat.Mean(values))
		}
	}
	m.Mean, m.Sources = stat.Mean(means), sides.Distinct(m.Sources)
	return m
}
