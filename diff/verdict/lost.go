package verdict

import (
	"slices"

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

// inputUnsure notes how much more the wait for input may be on a side whose calls alone tell of it, if that matters to
// its step, and reports whether it could be all of a change that matters.
func (p *Trial) inputUnsure(c *Comparison) bool {
	if c.Key.Metric != run.InputWaitTime {
		return false
	}
	for i, s := range []*sides.Side{p.Base, p.Cand} {
		sum := 0.0
		for _, other := range []string{"host", "unknown"} {
			if m := s.Measure(run.Key{Metric: run.IdleTime, Part: other}); m.Mean > 0 {
				sum += m.Mean
			}
		}
		if sum >= float64(p.Policy.Threshold*s.Measure(sides.StepTime).Mean) && slices.Contains(c.Sources[i], run.SourceCalls) {
			c.MayBeInput[i] = sum
		}
	}
	delta := c.CandMean - c.BaseMean
	return delta >= p.Least() && delta < c.MayBeInput[0] || -delta >= p.Least() && -delta < c.MayBeInput[1]
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
