package cause

import (
	"math"

	"perfdiff/diff/verdict"
)

// oneSided returns the findings about what only one side recorded: reported, and not judged.
func oneSided(p *Causes) (out []Finding) {
	for _, s := range onOneSideOnly {
		c := verdict.MetricOf(p.Metrics, s.metric)
		if c == nil || c.NotRecorded[0].Is() == c.NotRecorded[1].Is() {
			continue
		}
		s = s.of(c)
		value, needs := c.Base, c.NotRecorded[1]
		if c.NotRecorded[0].Is() {
			value, needs = c.Cand, c.NotRecorded[0]
		}
		if !(math.Abs(value) >= p.Least()) {
			continue
		}
		advice := Advice{Kind: AdviceRecord, Need: needs}
		if p.Base.LossOf(s.metric).Is() || p.Cand.LossOf(s.metric).Is() {
			advice.Kind = AdviceGive
		}
		f := NewFinding(s.kind)
		f.of(c)
		f.Metric, f.Class, f.Section, f.Advice = s.metric, verdict.ClassLook, s.section, advice
		f.Evidence = Evidence{Kind: EvidenceOneSide, Of: c.Key}
		out = append(out, f)
	}
	return out
}
