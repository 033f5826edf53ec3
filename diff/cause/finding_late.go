package cause

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/stat"
	"perfdiff/diff/verdict"
)

// stragglers reports who is late, where that changed between the sides. Its number is the change of how much longer
// the late ranks take than the others, whoever they are on each side: a step pays for that. told is how much it
// explains of other metrics; nil where it names no cause.
func stragglers(p *Causes) (out []Finding, told *explainedByLate) {
	wait := verdict.MetricOf(p.Parts, run.ExposedWaitTime)
	if wait == nil || math.IsNaN(wait.Delta) {
		return nil, nil
	}
	var late [2]lateRanks
	var known [2]bool
	p.BothAtOnce(func(i int, s *sides.Side) { late[i], known[i] = FindLate(s) })
	base, before, cand, after := late[0], known[0], late[1], known[1]
	if p.Pipeline != nil { // stages come one after the other, whoever is slow
		before, after = before && base.Kind != LateRotating, after && cand.Kind != LateRotating
	}
	least := p.Least()
	waits := func(exposed float64, sign float64) bool { return exposed >= least/2 || waitsHidden(p, sign) }
	was := before && base.longerIn != nil && base.longerInAll >= least && waits(wait.Base, -1)
	is := after && cand.longerIn != nil && cand.longerInAll >= least && waits(wait.Cand, +1)
	b, c := base, cand
	switch {
	case was && is && base.like(&cand):
		out = lateChange(p, &b, &c, least, true)
	case was && is:
		out = lateInstead(p, &b, &c, least)
	case is:
		b = likewise(p.Base, cand)
		out = lateChange(p, &b, &c, least, true)
	case was:
		c = likewise(p.Cand, base)
		out = lateChange(p, &b, &c, least, false)
	}
	if len(out) > 0 {
		late := &c
		if !is {
			late = &b
		}
		addRouted(p, &out[0], late)
		told = explainLate(p, &b, &c)
	} else if wait.Changed() && math.Abs(wait.Delta) >= least {
		if out = vagueLate(p, wait, &base, &cand, before, after); len(out) > 0 {
			told = &explainedByLate{wait: wait.Delta}
		}
	}
	for i := range out {
		lateClock(p, &out[i])
		out[i].Metric, out[i].Section, out[i].Evidence = exposedWait.metric, "ranks", sampleOf(wait)
		if whole := verdict.MetricOf(p.Parts, run.CommTransferTime); whole != nil && whole.HardlyMoved() { // so that nobody takes the network for the cause
			out[i].add(ClauseTransfer.clause())
		}
	}
	return out, told
}

// lateClock adds how the sampled clock changed on ranks that compute longer, or no longer, if it did.
func lateClock(p *Causes, f *Finding) {
	c, ok := verdict.ClocksOf(p.Lined, f.Ranks)
	if !ok || !c.Differ() || !((c.Cand-c.Base)*f.Delta < 0) {
		return
	}
	for _, l := range []*Late{f.Late.Cand, f.Late.Base} {
		if l != nil && slices.Contains(l.LongerIn, computing) {
			clause := ClauseLateClock.fromTo(c.Base, c.Cand)
			clause.Ranks = f.Ranks
			f.add(clause)
			return
		}
	}
}

// waitsHidden reports whether waiting for late ranks lies under compute, which then no
// longer hides the transfer: the wait as a whole and the exposed transfer grew, or shrank
// where sign is below zero.
func waitsHidden(p *Causes, sign float64) bool {
	all, transfer := verdict.MetricOf(p.Parts, run.CommWaitTime), verdict.MetricOf(p.Parts, exposedTransfer.metric)
	grew := func(c *verdict.Comparison) bool { return c != nil && c.Changed() && sign*c.Delta >= p.Least() }
	return grew(all) && grew(transfer) && hidden(p, transfer)
}

// pushes reports whether the exposed transfer changed because waiting for late ranks did.
func (t *explainedByLate) pushes(exposed *verdict.Comparison) bool {
	return t != nil && t.wait*exposed.Delta > 0
}

// causeFirst puts a finding about late ranks before that about a transfer which they push
// out of the compute that hides it.
func causeFirst(list []Finding) {
	comm := slices.IndexFunc(list, func(f Finding) bool { return f.pushed })
	late := slices.IndexFunc(list, func(f Finding) bool { return f.Metric == exposedWait.metric && f.Section == "ranks" })
	if comm < 0 || late < comm {
		return
	}
	cause := list[late]
	copy(list[comm+1:late+1], list[comm:late])
	list[comm] = cause
}

// explainedByLate holds how much of other changes a finding about stragglers explains, in s a step.
type explainedByLate struct {
	own  map[string]float64 // by metric, of the median rank's
	wait float64            // of the median rank's wait for them
}

// explainLate returns how much late ranks explain of the changes of other metrics. The median rank waits for them
// unless half of the ranks are late: then half of it waits and half is late.
func explainLate(p *Causes, base, cand *lateRanks) *explainedByLate {
	out := &explainedByLate{own: map[string]float64{}}
	add := func(l *lateRanks, ranks int, sign float64) {
		own := 0.0
		if 2*len(l.Ranks) >= ranks || l.Kind == LateRotating && ranks <= 2 {
			own = 0.5
		}
		out.wait += float64(sign * (1 - own) * l.longerInAll)
		for i, x := range l.longerIn {
			part := float64(sign * own * l.longerBy[i])
			out.own[x.Metric] += part
			if x.Metric == run.InputWaitTime {
				out.own[run.IdleTime] += part
			}
		}
	}
	add(base, p.Base.MostRanks(), -1)
	add(cand, p.Cand.MostRanks(), +1)
	return out
}

// explains reports whether late ranks account for the change of a metric.
func (t *explainedByLate) explains(c *verdict.Comparison) bool {
	if t == nil {
		return false
	}
	own := t.own[c.Metric.Name]
	return own*c.Delta > 0 && math.Abs(c.Delta) <= mostlyTold*math.Abs(own)
}

// mostlyTold is by how much a change may be larger than its explanation. Chosen, not measured: TestPlanted holds what
// is said of late ranks in the stories.
const mostlyTold = 1.3

// like reports whether the same ranks are late with the same thing.
func (l *lateRanks) like(m *lateRanks) bool {
	return l.Kind == m.Kind && slices.Equal(l.Ranks, m.Ranks) && slices.Equal(l.longerIn, m.longerIn)
}

// lateChange returns the finding about stragglers that are late with the same thing on both sides (on one perhaps by
// nothing): by how much that changed, if it is sure. is says that they are the candidate's.
func lateChange(p *Causes, base, cand *lateRanks, least float64, is bool) []Finding {
	delta, lo, hi := changeOf(p, func(r *sides.Run) []float64 { return lateCurve(r, cand) }, lateFloor(p, base, cand))
	if !(math.Abs(delta) >= least) || !(lo > 0 || hi < 0) {
		return nil
	}
	f := lateFinding(base, cand, delta, lo, hi)
	f.Class, f.Advice, f.Ranks = verdict.ClassWorse, cand.advice(), cand.Ranks
	if delta < 0 {
		f.Class, f.Advice = verdict.ClassBetter, Advice{}
	}
	f.Late = &LateChange{Cand: cand.asFinding(), OnOtherSide: base.longerInAll}
	if !is {
		f.Ranks, f.Late = base.Ranks, &LateChange{Base: base.asFinding(), OnOtherSide: cand.longerInAll}
	}
	if !(f.Late.OnOtherSide >= math.Max(base.longerInAll, cand.longerInAll)/4) {
		f.Late.OnOtherSide = math.NaN()
	}
	return []Finding{f}
}

// lateInstead returns the finding that other ranks are late than before, or late with another thing, if one of them is
// for sure later or less late than on the other side.
func lateInstead(p *Causes, base, cand *lateRanks, least float64) []Finding {
	moved := func(l *lateRanks, sign float64) bool {
		delta, lo, hi := changeOf(p, func(r *sides.Run) []float64 { return lateCurve(r, l) }, lateFloor(p, l, l))
		return delta*sign >= least && (lo > 0 || hi < 0)
	}
	if !moved(base, -1) && !moved(cand, +1) {
		return nil
	}
	delta, lo, hi := changeOf(p, func(r *sides.Run) []float64 {
		if slices.Contains(p.Base.Runs, r) {
			return lateCurve(r, base)
		}
		return lateCurve(r, cand)
	}, lateFloor(p, base, cand))
	f := lateFinding(base, cand, delta, lo, hi)
	f.Class, f.Advice, f.Ranks = verdict.ClassLook, cand.advice(), cand.Ranks
	f.Late = &LateChange{Cand: cand.asFinding(), Base: base.asFinding(), OnOtherSide: math.NaN()}
	switch sure := math.Abs(delta) >= least; {
	case sure && lo > 0:
		f.Class = verdict.ClassWorse
	case sure && hi < 0:
		f.Class = verdict.ClassBetter
	}
	return []Finding{f}
}

// LateChange describes the late ranks of both sides.
type LateChange struct {
	Cand        *Late   `report:"candidate"`     // the candidate's; nil: the sentence is about the baseline's alone
	Base        *Late   `report:"baseline"`      // the baseline's; nil: the sentence is about the candidate's alone
	OnOtherSide float64 `report:"on_other_side"` // s a step: what the same ones take longer on the other side; NaN: nothing worth a word
	LessLate    bool    `report:"less_late"`     // of the baseline's: they are late in the candidate too, and less
}

// lateFinding returns the finding about late ranks, without its causes: by how many s a step they take
// longer than the others, with the ranks of both sides.
func lateFinding(base, cand *lateRanks, delta, lo, hi float64) Finding {
	f := NewFinding(policy.KindStraggler)
	f.Base, f.Cand, f.Delta, f.Lo, f.Hi, f.Unit, f.Effect = base.longerInAll, cand.longerInAll, delta, lo, hi, "s", delta
	return f
}

// vagueLate returns the finding where waiting changed and no rank takes longer over the whole run: another rank is
// late in each step, or what makes a rank late is not recorded.
func vagueLate(p *Causes, wait *verdict.Comparison, base, cand *lateRanks, before, after bool) []Finding {
	f := NewFinding(policy.KindLateRanks)
	f.of(wait)
	f.tested(wait)
	f.Effect = wait.Delta
	named := func(l, other *lateRanks, known, otherKnown bool) (told *Late, left float64) { // nil where nothing can be said
		if !known {
			return nil, 0
		}
		more := l.longerInAll
		if otherKnown && other.like(l) {
			more -= other.longerInAll
		}
		if l.Kind == LateRotating && !(more >= math.Abs(wait.Delta)/2) {
			return nil, 0
		}
		told, left = l.asFinding(), math.NaN()
		switch {
		case !(more > 0):
			told.LongerIn, told.LongerBy = nil, nil
		case l.longerIn != nil && more < l.longerInAll: // the other side has it too
			left = l.longerInAll - more
		}
		return told, left
	}
	now, nowLeft := named(cand, base, after, before)
	then, thenLeft := named(base, cand, before, after)
	switch {
	case wait.Delta > 0 && now != nil:
		f.Class, f.Ranks, f.Advice.Kind = verdict.ClassWorse, cand.Ranks, AdviceWhatLate
		f.Late = &LateChange{Cand: now, OnOtherSide: nowLeft}
		if cand.Kind == LateRotating || cand.longerIn != nil {
			f.Advice = cand.advice()
		}
	case wait.Delta < 0 && then != nil:
		f.Class, f.Ranks = verdict.ClassBetter, base.Ranks
		f.Late = &LateChange{Base: then, OnOtherSide: thenLeft, LessLate: before && after && base.like(cand) && cand.longerInAll > 0}
	default:
		return nil
	}
	return []Finding{f}
}

// advice returns what to do about the late ranks.
func (l *lateRanks) advice() Advice {
	if l.Kind == LateRotating {
		return Advice{Kind: AdviceRotating}
	}
	most := 0
	for i := range l.longerBy {
		if l.longerBy[i] > l.longerBy[most] {
			most = i
		}
	}
	return Advice{Kind: AdviceLate, Of: l.longerIn[most]}
}

// lateFloor returns how much runs differ in how late ranks are, as a share of the step. Ranks are compared with each
// other within each step, so it does not matter how fast a run is as a whole: in compute it is how much the imbalance
// of ranks differs.
func lateFloor(p *Causes, base, cand *lateRanks) float64 {
	for _, x := range slices.Concat(base.longerIn, cand.longerIn) {
		if x != computing {
			return p.FloorFor(p.Plan.Steps)
		}
	}
	return verdict.ImbalanceFloor
}

// changeOf returns by how much the mean of a curve changed, with its interval, in the
// curve's unit, where runs differ by floor; NaN where the sides cannot be compared.
func changeOf(p *Causes, curve func(*sides.Run) []float64, floor float64) (delta, lo, hi float64) {
	mean := func(s *sides.Side) float64 {
		var means []float64
		for _, r := range s.Runs {
			means = append(means, stat.Mean(stat.Known(curve(r))))
		}
		return stat.Mean(means)
	}
	delta = mean(p.Cand) - mean(p.Base)
	half := halfWidth(p, curve, func(float64) float64 { return floor })
	return delta, delta - half, delta + half
}
