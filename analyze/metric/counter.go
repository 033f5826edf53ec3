package metric

import (
	"math"
	"slices"

	"perfdiff/analyze/interval"
	"perfdiff/analyze/run"
	"perfdiff/analyze/source/remedy"
	"perfdiff/analyze/trace"
)

// The metrics of a node: every rank on it that samples them sees the same.
const (
	netReceive = run.NetReceiveThroughput
	netSend    = run.NetSendThroughput
)

var needsPorts = remedy.Of(remedy.NetworkPorts)

// counterMetrics returns the metrics of what was sampled of network ports and of the device.
func counterMetrics() []Metric {
	net := func(name, doc string, kind trace.CounterKind) Metric {
		return Metric{
			Metric: run.Metric{Name: name, Unit: "B/s", Better: run.Neither, Part: "port", Joint: true, Doc: doc,
				Remedy: needsPorts,
				Traits: run.Traits{Section: run.SectionNetwork,
					Formula: "sum of samples / step_time, one that crosses an edge by the share of its time inside"}},
			Requires: trace.HasNetwork,
			Measure: func(s *Step, emit Emit) {
				for _, c := range s.Trace.Counters {
					if c.Kind == kind {
						emit(c.Device, countWithin(c.Samples, s.Step.Start, s.Step.End)/seconds(s.Time))
					}
				}
				emit("", counterSum(s.Trace.Counters, kind, s.Step.Start, s.Step.End)/seconds(s.Time))
			},
			Absent: math.NaN(),
			OfNode: true,
			Source: func(r *Rank) string { return tableOf(r, kind) },
		}
	}
	count := func(name, doc string, needs remedy.Text, part string, kind trace.CounterKind, requires trace.Recorded) Metric {
		m := net(name, doc, kind)
		m.Unit, m.Requires, m.Part, m.Remedy = "1", requires, part, needs
		m.Formula = "sum of samples, one that crosses an edge by the share of its time inside"
		m.Measure = func(s *Step, emit Emit) {
			for _, c := range s.Trace.Counters {
				if c.Kind == kind {
					emit(c.Device, countWithin(c.Samples, s.Step.Start, s.Step.End))
				}
			}
			emit("", counterSum(s.Trace.Counters, kind, s.Step.Start, s.Step.End))
		}
		return m
	}
	return append([]Metric{
		net(netReceive, "Bytes that the node's network ports received in the step over its duration.", trace.NetReceive),
		net(netSend, "Bytes that the node's network ports sent in the step over its duration.", trace.NetSend),
		{
			Metric: run.Metric{Name: run.GPUActivity, Unit: "ratio", Better: run.Neither, Part: "unit",
				Doc:    "Mean share of its peak at which a part of the GPU worked in the step, as sampled.",
				Remedy: remedy.Of(remedy.GPUMetrics),
				Traits: run.Traits{Section: run.SectionUtilization, Formula: "mean of samples, weighted by their time in the step"}},
			Requires: trace.HasActivity,
			Measure: func(s *Step, emit Emit) {
				for _, c := range s.Trace.Counters {
					if c.Kind == trace.Activity {
						if v, ok := meanLevel(c.Samples, s.Step.Start, s.Step.End); ok {
							emit(c.Device, v)
						}
					}
				}
			},
			Absent: math.NaN(),
		},
		count(run.NetSendWaits, "How often the node's network ports waited in the step before they could send.", needsPorts, "port", trace.NetWait, trace.HasNetWaits),
		count(run.NetCongestionPackets, "Packets of the step that told the node's network ports of congestion (CNPs), so that they send slower.",
			needsPorts, "port", trace.CongestionPackets, trace.HasCongestionPackets),
		count(run.NetSwitchCongestion, "Packets of the step that switches saw in congestion, as sampled on the node.",
			remedy.Of(remedy.Switches), "switch", trace.SwitchCongestion, trace.HasSwitchCongestion),
	}, levelMetrics()...)
}

// mainClock is the clock of the units that compute.
const mainClock = "GPC"

// levelMetrics measure clocks, power and temperature of the device, as sampled.
func levelMetrics() []Metric {
	of := func(name, unit, doc string, kind trace.CounterKind, requires trace.Recorded, main func(part string) bool) Metric {
		return Metric{
			Metric: run.Metric{Name: name, Unit: unit, Better: run.Neither, Part: "unit", Doc: doc,
				Remedy: remedy.Of(remedy.GPUMetrics),
				Traits: run.Traits{Section: run.SectionLevels, Formula: "mean of samples, weighted by their time in the step", Depth: run.DepthStep}},
			Requires: requires,
			Measure: func(s *Step, emit Emit) {
				for _, c := range s.Trace.Counters {
					if c.Kind != kind {
						continue
					}
					if v, ok := meanLevel(c.Samples, s.Step.Start, s.Step.End); ok {
						if emit(c.Device, v); main(c.Device) {
							emit("", v)
						}
					}
				}
			},
			Absent: math.NaN(),
		}
	}
	return []Metric{
		of(run.GPUClock, "Hz", "Mean clock of the device in the step, as sampled: of its graphics processing clusters, and of each part that was.",
			trace.Clock, trace.HasClocks, func(part string) bool { return part == mainClock }),
		of(run.GPUPower, "W", "Mean power that the device drew in the step, by part, as sampled.",
			trace.Power, trace.HasPower, func(string) bool { return false }),
		of(run.GPUTemperature, "\u00b0C", "Mean temperature of the device in the step, by part, as sampled.",
			trace.Temperature, trace.HasTemperature, func(string) bool { return false }),
	}
}

// tableOf returns the name of the table that a rank's counters of a kind come from.
func tableOf(r *Rank, kind trace.CounterKind) string {
	for _, c := range r.Trace.Counters {
		if c.Kind == kind {
			return c.Source
		}
	}
	return ""
}

// counterSum adds up all counters of a kind over [lo, hi).
func counterSum(all []trace.Counter, kind trace.CounterKind, lo, hi int64) (sum float64) {
	for _, c := range all {
		if c.Kind == kind {
			sum += countWithin(c.Samples, lo, hi)
		}
	}
	return sum
}

// countWithin returns the sum of samples over [lo, hi). A sample across an edge counts by the share
// of its time that lies within.
func countWithin(samples []trace.Sample, lo, hi int64) (sum float64) {
	for _, s := range samplesTouching(samples, lo, hi) {
		sum += float64(interval.Share(s.Start, s.End, lo, hi) * s.Value)
	}
	return sum
}

// meanLevel returns the mean of a sampled level over the part of [lo, hi) that the samples cover; false if they cover
// none of it.
func meanLevel(samples []trace.Sample, lo, hi int64) (float64, bool) {
	var sum, time float64
	for _, s := range samplesTouching(samples, lo, hi) {
		t := float64(min(s.End, hi) - max(s.Start, lo))
		sum += float64(t * s.Value)
		time += t
	}
	return sum / time, time > 0
}

// samplesTouching returns the samples whose time overlaps [lo, hi).
func samplesTouching(samples []trace.Sample, lo, hi int64) []trace.Sample {
	i, _ := slices.BinarySearchFunc(samples, lo, func(s trace.Sample, t int64) int {
		if s.End <= t {
			return -1
		}
		return 1
	})
	j, _ := slices.BinarySearchFunc(samples[i:], hi, func(s trace.Sample, t int64) int {
		if s.Start < t {
			return -1
		}
		return 1
	})
	return samples[i : i+j]
}

// keepOnePerNode keeps what is measured for a whole node on the first of its ranks that has it, and removes it from
// the others. Ranks whose files name no host are taken for ranks of one node.
func keepOnePerNode(ranks []run.Rank) {
	type place struct {
		host   string
		metric string
	}
	taken := map[place]bool{}
	for i := range ranks {
		r := &ranks[i]
		mine := map[string]bool{}
		r.Series = slices.DeleteFunc(r.Series, func(s run.Series) bool {
			if !ofNode(s) {
				return false
			}
			if taken[place{r.Host, s.Metric}] {
				return true
			}
			mine[s.Metric] = true
			return false
		})
		for metric := range mine {
			taken[place{r.Host, metric}] = true
		}
		dropCaptureOfNode(r, mine, func(what string) bool {
			first := !taken[place{r.Host, what}]
			taken[place{r.Host, what}] = true
			return first
		})
	}
}

// dropCaptureOfNode removes what is measured for the whole node from a rank's activity over time and its whole
// capture, unless this rank keeps it. mine holds the node's metrics that it keeps. A rank without steps has no series
// to tell that: first reports whether it is the first rank with something, and is asked about each thing once a rank.
func dropCaptureOfNode(r *run.Rank, mine map[string]bool, first func(what string) bool) {
	stepless := len(r.Kept()) == 0
	if c := &r.Activity; c.NodeRead != nil && !(stepless && first("activity reads")) && !mine[run.IOReadThroughput] {
		c.NodeRead, c.NodeWrite = nil, nil
	}
	if c := &r.Activity; c.NetSource != "" && !(stepless && first("activity network")) && !mine[netReceive] && !mine[netSend] {
		c.Receive, c.Send, c.NetSource = nil, nil, ""
	}
	if w := r.Whole; w != nil && w.Node.Recorded && !first("bytes") {
		w.Node = run.NodeBytes{}
	}
}

// ofNode reports whether a series was measured of the whole node.
func ofNode(s run.Series) bool {
	return All()[placeByName()[s.Metric]].OfNode || s.Source == run.SourceStorage
}
