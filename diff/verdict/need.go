package verdict

import (
	"perfdiff/analyze/run"
	"perfdiff/diff/sides"
)

// NeedKind says what a side lacks to answer a metric.
type NeedKind string

// What can be lacking, each with the fields of Need that it fills.
const (
	NeedRecord  NeedKind = "record"  // what was not recorded: What
	NeedLost    NeedKind = "lost"    // what the files do not hold whole any more: Lost
	NeedDevices NeedKind = "devices" // a job on several devices
	NeedHeld    NeedKind = "held"    // that the captures hold it, of which no more is known
)

// Need says what a side lacks to answer a metric. The zero value: it answers.
type Need struct {
	Kind NeedKind
	What string // as the metric's definition says it, with the options of the profiler in use
	Lost sides.Loss
}

// Is reports whether anything is lacking.
func (n Need) Is() bool { return n.Kind != "" }

// toRecord returns the need to record what a definition asks for; none where it asks for nothing.
func toRecord(what string) Need {
	if what == "" {
		return Need{}
	}
	return Need{Kind: NeedRecord, What: what}
}

// Lost returns what a side lost of a metric; zero if nothing.
func Lost(s *sides.Side, metric string) Need {
	if l := s.LossOf(metric); l.Is() {
		return Need{Kind: NeedLost, Lost: l}
	}
	return Need{}
}

// Needs returns what a side lacks for a metric that it does not answer. Compute skew, if its ranks are there, lacks
// what compute time lacks.
func (p *Terms) Needs(s *sides.Side, m run.Metric) Need {
	if m.Name == run.ComputeSkew && s.MostRanks() > 1 {
		for _, of := range s.Set.Metrics {
			if of.Name == run.ComputeTime {
				m.Needs, m.AcrossDevices = of.Needs, of.AcrossDevices
				m.Remedy = of.Remedy
			}
		}
	}
	switch lost := Lost(s, m.Name); {
	case lost.Is():
		return lost
	case s.WorldSize() == 1 && m.AcrossDevices:
		return Need{Kind: NeedDevices}
	case m.Needs == "":
		return Need{Kind: NeedHeld}
	}
	return toRecord(m.NeedsOf(p.Profilers()))
}
