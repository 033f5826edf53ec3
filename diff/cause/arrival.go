package cause

import (
	"math"
	"slices"

	"perfdiff/analyze/run"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
)

// mostly is how many times larger one part of a change must be than the other
// to be called its cause.
const mostly = 3

// hidden reports whether the exposed transfer changed while the whole transfer did not.
func hidden(r *Causes, exposed *verdict.Comparison) bool {
	whole := verdict.MetricOf(r.Parts, run.CommTransferTime)
	return whole != nil && math.Abs(exposed.Delta) >= mostly*math.Abs(whole.Delta)
}

// transferWhy says whether the exposed transfer changed because the transfer takes
// another time, because compute hides another part of it, or both.
func transferWhy(r *Causes, exposed *verdict.Comparison) (why []Clause, advice Advice) {
	whole := verdict.MetricOf(r.Parts, run.CommTransferTime)
	if whole == nil || math.IsNaN(whole.Delta) {
		return nil, Advice{}
	}
	// Of what the transfer takes longer, as much is exposed as before.
	rest := exposed.Delta - whole.Delta
	switch {
	case hidden(r, exposed):
		return []Clause{ClauseHides.by(exposed.Delta)}, Advice{Kind: AdviceStreams}
	case rest*exposed.Delta > 0 && whole.Delta*exposed.Delta > 0 && math.Abs(rest) >= (1-mostOf)*math.Abs(exposed.Delta):
		return []Clause{ClauseHidesToo.by(rest)}, Advice{Kind: AdviceStreamsAnd}
	}
	return []Clause{ClauseIsTransfer.clause()}, Advice{Kind: AdviceNetwork}
}

// Arrivals says whether communication changed because ranks arrive at other times or because the transfer took another
// time; nothing where the captures do not separate the two. It compares the whole transfer, exposed or not: a late
// rank can push a transfer out from under the compute that hid it although the network is as before. told holds what
// the finding about late ranks explains already; nil nothing.
func Arrivals(r *Causes, told *explainedByLate) (why []Clause, advice Advice) {
	wait, exposed, whole := verdict.MetricOf(r.Parts, run.ExposedWaitTime), verdict.MetricOf(r.Parts, run.ExposedTransferTime), verdict.MetricOf(r.Parts, run.CommTransferTime)
	if wait == nil || exposed == nil || whole == nil || math.IsNaN(wait.Delta) || math.IsNaN(exposed.Delta) || math.IsNaN(whole.Delta) {
		return nil, Advice{}
	}
	w, t := math.Abs(wait.Delta), math.Abs(exposed.Delta)
	switch {
	case w >= mostly*t && wait.Delta < 0:
		return []Clause{ClauseCloser.clause()}, Advice{}
	case w >= mostly*t:
		return append([]Clause{ClauseApart.clause()}, mostlyOf(r, wait)...), Advice{Kind: lastAdvice(whole)}
	case pushedOut(r, told):
		return pushedWhy(exposed)
	case t >= mostly*w && hidden(r, exposed):
		return transferWhy(r, exposed)
	case t >= mostly*w:
		why, advice = transferWhy(r, exposed)
		return append(append(why, mostlyOf(r, exposed)...), ClauseWaiting.clause()), advice
	case hidden(r, exposed):
		return []Clause{ClauseBothExposed.clause()}, Advice{Kind: AdvicePushes}
	}
	return []Clause{ClauseBoth.clause()}, Advice{Kind: AdviceBothMoved}
}

// mostlyOf says which dimension of parallelism has most of a change of exposed waiting or
// transfer, where dimensions are told apart.
func mostlyOf(p *Causes, c *verdict.Comparison) []Clause {
	for i := range p.Waterfall.Parts {
		whole := &p.Waterfall.Parts[i]
		if whole.Key != c.Key {
			continue
		}
		for _, d := range whole.Within {
			if d.Delta*whole.Delta > 0 && math.Abs(d.Delta) >= mostOf*math.Abs(whole.Delta) && d.Part != run.OtherDimension {
				clause := ClauseDimension.fromTo(d.Base, d.Cand)
				clause.Names = []string{d.Part}
				return []Clause{clause}
			}
		}
	}
	return nil
}

// lastAdvice returns the advice on ranks that arrive apart, which depends on what the transfer did.
func lastAdvice(whole *verdict.Comparison) AdviceKind {
	switch {
	case !whole.HardlyMoved():
		return AdviceWhoIsLast
	case whole.Verdict == verdict.Unchanged:
		return AdviceNoNetwork
	}
	return AdviceNoSign
}

// pushedOut reports whether late ranks, which have a finding, are why another part of the transfer
// is exposed, although waiting for them is not what changed.
func pushedOut(r *Causes, told *explainedByLate) bool {
	wait, exposed := verdict.MetricOf(r.Parts, run.ExposedWaitTime), verdict.MetricOf(r.Parts, run.ExposedTransferTime)
	if wait == nil || exposed == nil || !(math.Abs(exposed.Delta) >= mostly*math.Abs(wait.Delta)) {
		return false
	}
	return hidden(r, exposed) && told.pushes(exposed)
}

// pushedWhy says that late ranks are why another part of the transfer is hidden.
func pushedWhy(exposed *verdict.Comparison) (why []Clause, advice Advice) {
	return []Clause{ClausePushed.by(exposed.Delta)}, Advice{Kind: AdviceBeginLate}
}

// Inseparable returns a clause that says why waiting and transfer cannot be separated, and what to record so that they
// can; nothing where both captures allow it.
func Inseparable(r *Causes) (why []Clause, advice Advice) {
	for _, s := range []*sides.Side{r.Base, r.Cand} {
		for _, c := range s.Clocks() {
			if c.Inseparable == "" || s.WorldSize() == 1 { // the one rank of a job waits for nobody
				continue
			}
			clause := ClauseInseparable.clause()
			if clause.Reasons = c.Reasons; c.Reasons == nil { // a summary of an earlier version says it whole
				clause.Names = []string{c.Inseparable}
			}
			return []Clause{clause}, Advice{Kind: separating(&c)}
		}
	}
	return nil, Advice{}
}

// separating returns the advice on how to tell waiting from transfer: capture the missing ranks or, if all were
// captured, set the clocks of their hosts. Nothing for other reasons.
func separating(c *run.Clocks) AdviceKind {
	why := func(is func(run.Inseparable) bool) bool { return slices.ContainsFunc(c.Reasons, is) }
	switch {
	case why(func(w run.Inseparable) bool { return w.Why == run.NodeSummaries }):
		return AdviceJoin // they were captured
	case why(func(w run.Inseparable) bool { return w.CaptureAll() }):
		return AdviceCaptureAll
	case why(func(w run.Inseparable) bool { return w.Why == run.DoneEarly }) && (c.Used == 0 || len(c.NotAligned) > 0):
		return AdviceSetClocks
	}
	return AdviceNone
}

// movedAgainst returns findings about waiting and about transfer separately, if one grew and the other shrank, or if
// the finding about stragglers explains the waiting. all: then no finding about their sum, the exposed communication,
// is needed.
func movedAgainst(p *Causes, told *explainedByLate) (out []Finding, all bool) {
	wait, transfer := verdict.MetricOf(p.Parts, run.ExposedWaitTime), verdict.MetricOf(p.Parts, run.ExposedTransferTime)
	least := p.Least()
	if wait == nil || transfer == nil || math.IsNaN(wait.Delta) || math.IsNaN(transfer.Delta) {
		return nil, false
	}
	matters := func(c *verdict.Comparison) bool { return math.Abs(c.Delta) >= least && c.Changed() }
	waiting := told != nil && (math.Abs(wait.Delta-told.wait) < math.Max(least, math.Abs(wait.Delta)*(mostlyTold-1)) ||
		told.wait*wait.Delta > 0 && math.Abs(wait.Delta) <= math.Abs(told.wait)) // what is exposed of it can be less
	if !waiting && !(wait.Delta*transfer.Delta < 0 && matters(wait) && matters(transfer)) {
		return nil, false
	}
	if matters(transfer) {
		f := changeFinding(p, exposedTransfer, transfer)
		why, advice := transferWhy(p, transfer)
		whole := verdict.MetricOf(p.Parts, run.CommTransferTime)
		if f.pushed = whole != nil && hidden(p, transfer) && told.pushes(transfer); f.pushed {
			why, advice = pushedWhy(transfer)
		}
		if whole != nil && math.Abs(transfer.Base-whole.Base)+math.Abs(transfer.Cand-whole.Cand) <= verdict.HardlyMovedShare*(whole.Base+whole.Cand) {
			why, f.pushed = []Clause{ClauseAllExposed.clause()}, false
		}
		if len(why) > 0 {
			f.add(why...)
			if f.Class == verdict.ClassWorse {
				f.Advice = advice
			}
		}
		f.addMean(transfer)
		out = append(out, f)
	}
	if !waiting {
		f := changeFinding(p, exposedWait, wait)
		f.addMean(wait)
		out = append(out, f)
	}
	return out, true
}
