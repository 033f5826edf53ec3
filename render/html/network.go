package html

import (
	"fmt"
	"math"

	"perfdiff/analyze/run"
	"perfdiff/analyze/source/remedy"
	"perfdiff/diff"
	"perfdiff/render/words"
)

// networkSection shows what went through the network ports. It is always there: that nothing was recorded, and what
// would record it, is an answer as well.
func (s *sheet) networkSection() section {
	sec := section{ID: run.SectionNetwork, Nav: "Network", Title: "Is the network the limit?"}
	receive := s.byteRateOf("net", "Network throughput", func(c *diff.RankActivity) ([]float32, string) { return c.Receive, c.NetSource })
	send := s.byteRateOf("net", "Network throughput, sent", func(c *diff.RankActivity) ([]float32, string) { return c.Send, c.NetSource })
	summary := s.readSummary(sec.ID)
	sec.Reading = s.networkReading()
	if receive.isKnown() || send.isKnown() {
		sec.Blocks = append(sec.Blocks, block{
			Charts: s.flowCharts(receive, send), Values: s.flowTable(receive).cutRows(),
			Note: "Sum over the ports of all nodes captured, each node counted once" + sourceText(receive.source[0], receive.source[1]) + ". " + lineStyleNote("received", "sent", send) + s.blockNote(),
		})
	}
	if summary != nil {
		sec.Blocks = append(sec.Blocks, block{Table: summary.cutRows()})
	}
	switch only := receive.only(); {
	case len(sec.Blocks) == 0:
		sec.Blocks = []block{{Empty: lacks(remedy.NetworkPorts)}}
	case only != "":
		sec.Blocks = append(sec.Blocks, block{Empty: &empty{What: "Recorded in the " + only + " alone.", How: s.recordPorts()}})
	}
	return sec
}

// only returns the side that alone has bytes over time; "" both have, or none.
func (f *byteRate) only() string {
	switch base, cand := len(f.rate[0]) > 0, len(f.rate[1]) > 0; {
	case base && !cand:
		return "baseline"
	case cand && !base:
		return "candidate"
	}
	return ""
}

func (s *sheet) networkReading() string {
	text := ""
	for _, x := range []struct{ metric, does string }{{run.NetReceiveThroughput, "receives"}, {run.NetSendThroughput, "sends"}} {
		c := s.anyMetric(x.metric)
		if c == nil || math.IsNaN(c.Base) || math.IsNaN(c.Cand) {
			continue
		}
		o := words.RowOf(c)
		text += fmt.Sprintf(" A node %s %s in the baseline and %s in the candidate.", x.does, o.Base, o.Cand)
	}
	if text == "" {
		return "Not known: the network ports were not sampled on both sides."
	}
	return text[1:]
}

// recordPorts says how to record what goes through network ports.
func (s *sheet) recordPorts() string {
	return remedy.For(remedy.RecordPorts, s.r.Profilers) + "."
}

// recordCommunication says how to record collectives.
func (s *sheet) recordCommunication() string {
	if max(len(s.r.Base.Ranks), len(s.r.Cand.Ranks)) < 2 {
		return "One rank communicates with nobody."
	}
	return s.recordKernels() + " on every rank."
}
