package verdict

import (
	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff/sides"
)

// inputFromOther reports whether the sides measured the wait for input from different
// things: who recorded no calls of the system knows of ranges alone.
func inputFromOther(p *sides.Lined, c *Comparison) bool {
	system := func(s *sides.Side) bool {
		all := true
		s.EachRank(func(k *sides.Rank) { all = all && (k.OnOneSideOnly || k.Recorded.Has(trace.HasOS)) })
		return all
	}
	base, cand := system(p.Base), system(p.Cand)
	if c.Key.Metric != run.InputWaitTime || base == cand {
		return false
	}
	from := map[bool]string{true: run.SourceSystem, false: run.SourceRanges}
	c.Sources = [2][]string{{from[base]}, {from[cand]}}
	return true
}

// lacking returns what both sides need for a metric that is derived from another: why a side lost that one, else what
// the metric needs.
func lacking(p *sides.Lined, of string, m run.Metric) (needs [2]Need) {
	for i, s := range []*sides.Side{p.Base, p.Cand} {
		needs[i] = Lost(s, of)
	}
	if needs == [2]Need{} {
		return [2]Need{toRecord(m.Needs), toRecord(m.Needs)}
	}
	return needs
}
