package diff

import (
	"math"

	"perfdiff/analyze/run"
)

// onOneSideOnly are the metrics of which a finding says that only one side shows them:
// waits that are paid for, so that a reader must not take the dash beside them for none.
var onOneSideOnly = []subject{
	{metric: run.InputWaitTime, kind: KindOneSide}, {metric: run.ExposedCommTime, kind: KindOneSide},
}

// oneSided are the findings about what one side recorded and the other did not: said, and
// not judged.
func (p *Causes) oneSided() (out []Finding) {
	for _, s := range onOneSideOnly {
		c := metricOf(p.Metrics, s.metric)
		if c == nil || (c.NotRecorded[0] == "") == (c.NotRecorded[1] == "") {
			continue
		}
		s = s.of(c)
		value, needs := c.Base, c.NotRecorded[1]
		if c.NotRecorded[0] != "" {
			value, needs = c.Cand, c.NotRecorded[0]
		}
		if !(math.Abs(value) >= p.least()) {
			continue
		}
		advice := Advice{Kind: AdviceRecord, Name: needs}
		if p.base.whyLost(s.metric)+p.cand.whyLost(s.metric) != "" {
			advice.Kind = AdviceGive
		}
		f := s.kind.finding()
		f.of(c)
		f.Metric, f.Class, f.Section, f.Advice = s.metric, "look", s.section, advice
		f.Evidence = Evidence{Kind: EvidenceOneSide, Of: c.Key}
		out = append(out, f)
	}
	return out
}
