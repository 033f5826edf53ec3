package render

import (
	"math"
	"strings"

	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
	"perfdiff/render/plot"
	"perfdiff/render/words"
)

// paperPart is a part of the step as a write-up shows it: one of the waterfall, or all together
// that are too small for a line.
type paperPart struct {
	name, short       string // short is for a figure
	ink               string
	base, cand, delta float64 // s
	lo, hi            float64 // interval of delta; NaN: none
	change            *cause.PartChange
	rest              bool // what is left of the step beside the others
}

// paperParts returns the parts of the step. Those below leastPathShare of it on both sides are joined into one if
// their intervals do not leave out zero.
func paperParts(r *diff.Report) []paperPart {
	w := &r.Waterfall
	var out []paperPart
	rest, folded := paperPart{ink: plot.PlainInk.Rule2, lo: math.NaN(), hi: math.NaN(), rest: true}, 0
	for i := range w.Parts {
		p := &w.Parts[i].PartChange
		if least := leastPathShare * math.Max(w.Base, w.Cand); p.Base < least && p.Cand < least && !(p.Lo > 0 || p.Hi < 0) {
			rest.base, rest.cand, rest.delta = rest.base+p.Base, rest.cand+p.Cand, rest.delta+p.Delta
			folded++
			continue
		}
		name := words.StepPart(p.StepPart)
		out = append(out, paperPart{name: name, short: name, ink: partInk(r, p), base: p.Base, cand: p.Cand, delta: p.Delta, lo: p.Lo, hi: p.Hi, change: p})
	}
	if folded > 0 {
		each := ", each "
		if folded == 1 {
			each = " "
		}
		rest.short = "Others, below 1" + number.Space + "% each"
		rest.name = "Others (" + number.Counted(folded, "part") + each + "below 1" + number.Space + "% of the step)"
		out = append(out, rest)
	}
	return out
}

// partInk returns the colour of a part's verdict; without a verdict the colour of equal.
func partInk(r *diff.Report, p *cause.PartChange) string {
	class := verdict.ClassNone
	if r.Judged {
		class = r.Comparison(p.Key).Class(p.Delta)
	}
	return map[verdict.Class]string{verdict.ClassBetter: plot.PlainInk.Better, verdict.ClassWorse: plot.PlainInk.Worse, verdict.ClassNone: plot.PlainInk.Rule2}[class]
}

// partsTable shows the waterfall as a table that a reader can check: all numbers have the same decimals, each change
// is the difference of the two numbers in its row, and each column adds up to the step. What rounding leaves is added
// to the parts that have no line.
func partsTable(r *diff.Report) *sheet {
	w, parts := &r.Waterfall, paperParts(r)
	t := &sheet{name: "parts", heading: "Where the time went", align: "lrrrr",
		intro: "Mean over runs, ranks and steps. Columns add up, and each change is the difference of the two numbers beside it. " +
			"Of a part below the noise floor of runs there is no interval."}
	if len(parts) == 0 {
		return t
	}
	f := fixed{number.RowIn(number.Milliseconds, w.Cand-w.Base)}
	base, cand := f.round(w.Base), f.round(w.Cand)
	for _, p := range parts {
		if !p.rest {
			base, cand = base-f.round(p.base), cand-f.round(p.cand)
		}
	}
	heads := paperHeads(r)
	t.heads = []string{"Part of the step", heads[0] + ", ms", heads[1] + ", ms", "Change, ms", intervalHeading(r) + ", ms"}
	row := func(name string, base, cand int64, span string) []sheetCell {
		return cells(name, f.text(base), f.text(cand), f.signed(cand-base), span)
	}
	for _, p := range parts {
		if !p.rest {
			t.add(row(p.name, f.round(p.base), f.round(p.cand), f.interval(&p))...)
		}
	}
	if last := parts[len(parts)-1]; last.rest {
		t.add(row(last.name, base, cand, number.None)...)
	} else if base != 0 || cand != 0 {
		t.add(row("Rounding", base, cand, number.None)...)
	}
	t.add(inBold(row("Step, mean", f.round(w.Base), f.round(w.Cand), ""))...)
	if w.MedianBase > 0 && w.MedianCand > 0 { // not NaN
		t.add(row("Step, median", f.round(w.MedianBase), f.round(w.MedianCand), "")...)
	}
	return t
}

// fixed writes times of one table in ms, in units of the last decimal: those that give the change of the step two
// digits.
type fixed struct{ number.Row }

// round returns v, in s, in units of the last decimal.
func (f fixed) round(v float64) int64 { return int64(math.Round(v / f.Unit())) }

func (f fixed) text(units int64) string { return f.Digits(float64(units) * f.Unit()) }

func (f fixed) signed(units int64) string { return f.Signed(float64(units) * f.Unit()) }

// interval writes the interval of a part, or what replaces it if there is none.
func (f fixed) interval(p *paperPart) string {
	if p.change.BelowNoise || math.IsNaN(p.lo) || math.IsNaN(p.hi) {
		return words.PartInterval(p.change, number.Milliseconds)
	}
	return strings.Join([]string{f.signed(f.round(p.lo)), f.signed(f.round(p.hi))}, " to ")
}
