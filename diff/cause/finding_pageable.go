package cause

import (
	"math"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
	"perfdiff/diff/verdict"
)

// CopyChange is how either side copies in one direction.
type CopyChange struct {
	Direction string  `report:"direction"` // "h2d", "d2h"
	Base      CopyUse `report:"baseline"`
	Cand      CopyUse `report:"candidate"`
}

// CopyUse is how a side copies in one direction, a step. NaN: it is not known.
type CopyUse struct {
	Bytes    float64 `report:"bytes"`    // in all
	Pageable float64 `report:"pageable"` // share of them that is from, or to, pageable memory of the host
	Time     float64 `report:"time"`     // s, of the device's engine
	Rate     float64 `report:"rate"`     // B/s
	Call     float64 `report:"call"`     // s that calls which copy hold the host, in whatever direction
}

// Blocks reports whether the host is held for most of the time of the copies. In profiles of
// real jobs 86 asynchronous copies from pageable memory took 60 ms and their calls 80 ms, and 134
// from pinned memory took 1,041 ms and their calls 1.1 ms.
func (u *CopyUse) Blocks() bool { return u.Call >= mostOf*u.Time }

// pageableShare is the change of the share of pageable bytes from which it is said. Chosen, not
// measured: kinds of memory are recorded and not estimated, and the last batch of a loader that
// is not pinned is no cause.
const pageableShare = 0.1

// pageableFindings returns the directions in which more or less is copied from or to pageable memory while copies take
// longer or shorter by as much of the step as matters. The kind of memory is recorded and so certain; how sure the
// change of time is, its comparison says.
func pageableFindings(p *Causes) (out []Finding) {
	for _, direction := range []string{"h2d", "d2h"} {
		time := p.Part(run.Key{Metric: run.MemcpyTime, Part: direction})
		base, cand := copyUseOf(p, p.Base, direction), copyUseOf(p, p.Cand, direction)
		other := cand.Pageable - base.Pageable
		if time == nil || !(math.Abs(other) >= pageableShare) || !(math.Abs(time.Delta) >= p.Least()) || !(time.Delta*other > 0) {
			continue
		}
		f := NewFinding(policy.KindPageableCopies)
		f.of(time)
		f.tested(time)
		f.Metric, f.Part, f.Section, f.Effect = run.MemcpyTime, direction, run.SectionIO, time.Delta
		f.Copies, f.Evidence = &CopyChange{direction, base, cand}, sampleOf(time)
		switch f.Class = verdict.ClassWorse; {
		case !time.Changed():
			f.Class = verdict.ClassLook
		case time.Delta < 0:
			f.Class = verdict.ClassBetter
		}
		if time.Delta > 0 {
			f.Advice.Kind = AdvicePageable
		}
		out = append(out, f)
	}
	return out
}

// copyUseOf returns how a side copies in a direction. What is pageable is not known where a rank does
// not say the kinds of memory, and means nothing where the driver moves managed memory by itself.
func copyUseOf(p *Causes, s *sides.Side, direction string) CopyUse {
	typical := func(metric, part string) float64 {
		return p.TypicalStep(s.Measure(run.Key{Metric: metric, Part: part}))
	}
	u := CopyUse{Bytes: typical(run.MemcpyBytes, direction), Time: typical(run.MemcpyTime, direction),
		Rate: typical(run.MemcpyBandwidth, direction), Pageable: math.NaN(), Call: copyCalls(s)}
	known := true
	s.EachRank(func(k *sides.Rank) { known = known && k.Recorded.Has(trace.HasCopyKinds) })
	if !known || !(u.Bytes > 0) || typical(run.MemcpyBytes, direction+" managed") > 0 {
		return u
	}
	u.Pageable = 0
	if x := typical(run.MemcpyBytes, direction+" pageable"); x > 0 {
		u.Pageable = math.Min(1, x/u.Bytes)
	}
	return u
}

// copyCalls returns how long calls that copy hold the host, in s a step: the median over ranks. NaN:
// no rank shows such a call.
func copyCalls(s *sides.Side) float64 {
	var all []float64
	s.EachRank(func(k *sides.Rank) {
		sum, kept := int64(0), len(k.Kept())
		for i := range k.Stats {
			if x := &k.Stats[i]; x.Table == run.APITable && strings.Contains(x.Name, "Memcpy") {
				sum += x.Total
			}
		}
		if sum > 0 && kept > 0 {
			all = append(all, verdict.Settled(float64(sum)/1e9/float64(kept)))
		}
	})
	if len(all) == 0 {
		return math.NaN()
	}
	return stat.Median(all)
}

// explainCopies reports whether findings about pageable copies already say most of a change of exposed copies.
func explainCopies(pageable []Finding, c *verdict.Comparison) bool {
	sum := 0.0
	for i := range pageable {
		sum += pageable[i].Delta
	}
	return sum*c.Delta > 0 && math.Abs(sum) >= mostOf*math.Abs(c.Delta)
}
