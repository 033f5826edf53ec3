package diff

import (
	"math"
	"strings"

	"perfdiff/analyze/run"
)

// onOneSideOnly are the metrics of which a finding says that only one side shows them:
// waits that are paid for, so that a reader must not take the dash beside them for none.
var onOneSideOnly = []subject{
	{metric: run.InputWaitTime, kind: KindOneSide}, {metric: run.ExposedCommTime, kind: KindOneSide},
}

// oneSided are the findings about what one side recorded and the other did not: said, and
// not judged.
func (p *pair) oneSided(r *Report) (out []Finding) {
	for _, s := range onOneSideOnly {
		c := metricOf(r.Metrics, s.metric)
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
		advice := "Record " + needs + " on both sides."
		if p.base.whyLost(s.metric)+p.cand.whyLost(s.metric) != "" {
			advice = "Give files that hold " + needs + "."
		}
		f := s.kind.finding()
		f.of(c)
		f.Metric, f.Class, f.Section, f.Advice = s.metric, "look", s.section, advice
		f.Text = subjectOf(c) + " is " + strings.Replace(onOneSide(c), " in the", " a step in the", 1) + ": it is not judged."
		f.Evidence = "the median step of the side that has it"
		out = append(out, f)
	}
	return out
}
