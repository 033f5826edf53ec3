package diff

import (
	"fmt"
	"math"
	"slices"

	"perfdiff/diff/number"
	"perfdiff/diff/stat"
)

// stragglers is the finding about who is late, where that changed between the
// sides.
func (p *pair) stragglers(r *Report) []Finding {
	wait := metricOf(r.Parts, "exposed_wait_time")
	if wait == nil || math.IsNaN(wait.Delta) {
		return nil
	}
	base, before := p.base.late()
	cand, after := p.cand.late()
	var out []Finding
	if after && cand.ranks != nil && cand.phase != nil {
		out = p.lateChange(wait, p.cand, &cand, +1)
	}
	if before && base.ranks != nil && base.phase != nil {
		gone := p.lateChange(wait, p.base, &base, -1)
		switch {
		case len(out) > 0 && len(gone) > 0: // one straggler for another, or for another reason
			sc := number.ScaleOf("s", math.Max(base.more, cand.more))
			out[0].Class, out[0].Interval = "look", "" // the change of either is that of both
			out[0].Number, out[0].Unit, out[0].Effect = sc.Signed(cand.more), sc.Name, cand.more
			out[0].Text += " " + p.insteadOf(&base, &cand)
		case len(gone) > 0:
			out = gone
		}
	}
	if len(out) == 0 && wait.changed() && math.Abs(wait.Delta) >= p.policy.Threshold*p.step {
		out = p.vagueLate(wait, &base, &cand, before, after)
	}
	for i := range out {
		out[i].Metric, out[i].Section, out[i].Evidence = "exposed_wait_time", "ranks", p.ground1(wait)
	}
	return out
}

// insteadOf says who was late in the baseline in place of who is late now.
func (p *pair) insteadOf(base, cand *late) string {
	sc := number.ScaleOf("s", math.Max(base.more, cand.more))
	if slices.Equal(base.ranks, cand.ranks) {
		return "In the baseline " + base.reason(sc) + "."
	}
	return "In the baseline " + lower(base.who()) + ": " + base.reason(sc) + "."
}

// lateChange is the finding about stragglers of one side: what they take longer there
// than on the other side, if that is sure and the others wait.
func (p *pair) lateChange(wait *Comparison, s *side, l *late, sign float64) []Finding {
	there := wait.Cand
	if sign < 0 {
		there = wait.Base
	}
	delta, lo, hi := p.changeOf(func(r *oneRun) []float64 { return r.moreCurve(l.ranks, l.phase.key) })
	least := p.policy.Threshold * p.step
	if !(delta*sign >= least) || !(lo > 0 || hi < 0) || !(there >= least/2) {
		return nil
	}
	sc := number.ScaleOf("s", math.Max(l.more, math.Abs(delta)))
	f := Finding{Number: sc.Signed(delta), Unit: sc.Name, Class: "worse", Effect: delta, Advice: l.phase.advice,
		Interval: sc.Signed(lo) + " to " + sc.SignedWith(hi),
		Text:     l.who() + ": " + l.reason(sc) + ", and the others wait."}
	if sign < 0 {
		f.Class, f.Advice = "better", ""
		f.Text = "In the baseline " + lower(l.who()) + ": " + l.reason(sc) + "; in the candidate no longer."
	} else if was := l.more - delta; was >= l.more/4 {
		f.Text = l.who() + ": " + l.reason(sc) + ", " + sc.With(was) + " in the baseline, and the others wait."
	}
	return []Finding{f}
}

// vagueLate is the finding where waiting changed and no rank takes longer over the
// whole run: another one in each step, or one of which is not recorded with what.
func (p *pair) vagueLate(wait *Comparison, base, cand *late, before, after bool) []Finding {
	sc := number.ScaleOf("s", math.Max(wait.Base, wait.Cand))
	f := Finding{Number: sc.Signed(wait.Delta), Unit: sc.Name, Interval: absolute(wait), Effect: wait.Delta}
	said := func(l, other *late, known, otherKnown bool) string { // "" where nothing can be said
		more := l.more
		if otherKnown && other.kind == l.kind && slices.Equal(other.ranks, l.ranks) {
			more -= other.more
		}
		switch {
		case !known || l.kind == lateRotating && !(more >= math.Abs(wait.Delta)/2):
			return ""
		case l.kind == lateRotating:
			text := l.who() + ": " + l.reason(sc)
			if more < l.more { // the other side has it too
				text += fmt.Sprintf(" (%s on the other side)", sc.With(l.more-more))
			}
			return text
		}
		return l.who()
	}
	gone := "; in the candidate no longer."
	if before && after && base.kind == cand.kind && cand.more > 0 {
		gone = "; in the candidate less."
	}
	switch now, then := said(cand, base, after, before), said(base, cand, before, after); {
	case wait.Delta > 0 && now != "":
		f.Class, f.Text = "worse", now+", and the others wait."
		f.Advice = "Compare this rank's device, kernels and input with the others'; record ranges and system calls to see what it does longer."
		if cand.kind == lateRotating {
			f.Advice = "Look at what differs from step to step between ranks: sizes of batches, padding, routing of experts; no device is slow by itself."
			f.Effect = math.Max(f.Effect, cand.more) // what the last one takes longer, all do
		}
	case wait.Delta < 0 && then != "":
		f.Class, f.Text = "better", "In the baseline "+lower(then)+gone
		if base.kind == lateRotating {
			f.Effect = math.Min(f.Effect, -base.more)
		}
	default:
		return nil
	}
	return []Finding{f}
}

// reason says what the late ones do longer.
func (l *late) reason(sc number.Scale) string {
	switch l.kind {
	case lateRank:
		return fmt.Sprintf("it %s %s a step longer than the median rank", l.phase.singular, sc.With(l.more))
	case lateRanks:
		return fmt.Sprintf("they %s %s a step longer than the median of the others", l.phase.plural, sc.With(l.more))
	case lateNode:
		return fmt.Sprintf("they %s %s a step longer than those of other nodes", l.phase.plural, sc.With(l.more))
	}
	return fmt.Sprintf("the last one %s %s longer than the median rank in its step", l.phase.singular, sc.With(l.more))
}

// changeOf is by how much the mean of a curve changed, with its interval, in the
// curve's unit; NaN where the sides cannot be compared.
func (p *pair) changeOf(curve func(*oneRun) []float64) (delta, lo, hi float64) {
	mean := func(s *side) float64 {
		var means []float64
		for _, r := range s.runs {
			means = append(means, stat.Mean(stat.Known(curve(r))))
		}
		return stat.Mean(means)
	}
	delta = mean(p.cand) - mean(p.base)
	half := p.halfWidth(curve)
	return delta, delta - half, delta + half
}
