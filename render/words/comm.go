package words

import (
	"fmt"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/verdict"
)

// transfers holds the comparisons that clauses about communication name.
type transfers struct{ wait, exposed, whole *verdict.Comparison }

func transfersOf(r *diff.Report) transfers {
	of := func(metric string) *verdict.Comparison { return comparison(r, run.Key{Metric: metric}) }
	return transfers{of(run.ExposedWaitTime), of(run.ExposedTransferTime), of(run.CommTransferTime)}
}

// why says why communication changed: by waiting, transfer or what hides it.
func (t *transfers) why(c *cause.Clause) string {
	whole := "the transfer itself " + wentIn(t.whole)
	switch c.Kind {
	case cause.ClauseIsTransfer:
		return whole
	case cause.ClauseHides:
		return fmt.Sprintf("compute hides %s of the transfer, which itself %s; what is exposed of it %s",
			hides(c.Delta), wentIn(t.whole), wentIn(t.exposed))
	case cause.ClauseHidesToo:
		return fmt.Sprintf("compute hides %s of the transfer (%s), and %s", hides(c.Delta), rowOf(t.whole).SignedWith(c.Delta), whole)
	case cause.ClauseAllExposed:
		return "it is all of the transfer, none is hidden"
	}
	return t.late(c)
}

// hides says which part of the transfer compute hides now.
func hides(exposed float64) string {
	if exposed < 0 {
		return "more"
	}
	return "less"
}

// late returns why where ranks are late.
func (t *transfers) late(c *cause.Clause) string {
	whole, waiting := "the transfer itself "+wentIn(t.whole), "waiting "+wentIn(t.wait)
	switch c.Kind {
	case cause.ClauseCloser:
		return "ranks arrive closer together (" + waiting + "); " + whole
	case cause.ClauseApart:
		return "ranks arrive further apart (" + waiting + "); " + whole
	case cause.ClausePushed:
		push := "push"
		if c.Delta <= 0 {
			push = "no longer push"
		}
		return "late ranks " + push + " the transfer out of the compute that hides it; " + whole
	case cause.ClauseWaiting:
		return "waiting for late ranks " + wentIn(t.wait)
	case cause.ClauseBothExposed:
		return fmt.Sprintf("waiting for late ranks %s; %s, of which %s is exposed",
			wentIn(t.wait), whole, valuesOf(t.exposed))
	case cause.ClauseBoth:
		return "waiting for late ranks " + wentIn(t.wait) + ", " + whole
	}
	return ""
}

// wentIn says where something came from and went, that it stayed, which has to be shown,
// or that no change is seen.
func wentIn(c *verdict.Comparison) string {
	base, cand := c.Shown()
	switch row := rowOf(c); {
	case c.HardlyMoved() && c.Verdict == verdict.Unchanged:
		return "takes as long as before (" + row.With(cand) + ")"
	case c.HardlyMoved() || !c.Changed():
		return "shows no sign of a change (" + row.Digits(base) + " and " + row.With(cand) + ")"
	}
	return verb(cand-base) + " " + valuesOf(c)
}

// copies say which copies changed.
func copies(r *diff.Report, c *cause.Clause) string {
	what := map[string]string{"h2d": "copies to the device", "d2h": "copies from the device",
		"d2d": "copies within the device", "p2p": "copies between devices"}[c.Names[0]]
	values := func(metric string) string { return valuesOf(comparison(r, run.Key{Metric: metric, Part: c.Names[0]})) }
	switch c.Kind {
	case cause.ClauseCopiesTake:
		return what + " take " + values(run.MemcpyTime)
	case cause.ClauseCopiesMove:
		return what + " move " + values(run.MemcpyBytes) + " per step"
	}
	return what + " run at another rate (" + values(run.MemcpyBandwidth) + ")"
}
