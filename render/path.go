package render

import (
	"math"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// pathHeading is the heading of what the path consists of, in short forms.
const pathHeading = "What the step's length depends on (critical path)"

// leastPathShare is the share of the step below which a part has no line of its own in short
// forms; what changed has one.
const leastPathShare = 0.01

// pathLine is a part of the path in short forms.
type pathLine struct {
	name               string
	source             string // what it was measured from; "": all sides have one source
	base, cand, change string
	leads, moved       bool // it is the most of a side's path; it changed by leastPathShare
}

// measured returns the name, with what it was measured from.
func (l *pathLine) measured() string {
	if l.source == "" {
		return l.name
	}
	return l.name + " (" + l.source + ")"
}

// pathLines returns the parts of the path that are worth a line, then what communication holds up.
func pathLines(r *diff.Report) (out []pathLine) {
	p := &r.Path
	if len(p.Parts) == 0 {
		return nil
	}
	sc := number.RowOf("s", p.Base, p.Cand, p.Cand-p.Base)
	base, cand := p.Parts[0].Base, p.Parts[0].Cand
	for i := range p.Parts {
		base, cand = max(base, p.Parts[i].Base), max(cand, p.Parts[i].Cand)
	}
	for i := range p.Parts {
		x := &p.Parts[i]
		if x.Base >= leastPathShare*p.Base || x.Cand >= leastPathShare*p.Cand {
			out = append(out, pathLine{
				words.PathPart(x.Part), "", sc.With(x.Base), sc.With(x.Cand), sc.SignedWith(x.Cand - x.Base),
				x.Base == base || x.Cand == cand, math.Abs(x.Cand-x.Base) >= leastPathShare*p.Base,
			})
		}
	}
	if c := blockingRow(r); c != nil {
		out = append(out, *c)
	}
	return out
}

// blockingRow returns the time in which compute could not start because of communication.
func blockingRow(r *diff.Report) *pathLine {
	for i := range r.Parts {
		if c := &r.Parts[i]; c.Key.Metric == run.BlockingCommTime {
			o := rowOf(c)
			if o.missing != "" {
				return nil
			}
			return &pathLine{
				"compute held up by communication", words.Source(c), o.Base, o.Cand, o.Change,
				false, math.Abs(o.Delta) >= leastPathShare*r.Path.Base,
			}
		}
	}
	return nil
}

// path writes the composition of the critical path for a terminal: its largest part and what moved.
func (t *text) path(r *diff.Report) {
	lines := pathLines(r)
	if len(lines) == 0 {
		return
	}
	var rows [][]string
	for _, l := range lines {
		if l.leads || l.moved {
			rows = append(rows, []string{l.name, l.base, l.cand, l.change})
		}
	}
	t.heading(pathHeading)
	t.grid([]string{"time per step", textHeads(r)[0], textHeads(r)[1], "change"}, rows)
	if n := len(lines) - len(rows); n > 0 {
		t.line("  ", 4, "and "+number.Counted(n, "part")+" that changed by less than 1"+number.Space+"% of the step")
	}
}

// pathSheet shows pathLines as a table.
func pathSheet(r *diff.Report) *sheet {
	s := &sheet{heading: pathHeading, align: "lrrr", ofSides: true,
		heads: []string{"time per step", commentHeads(r)[0], commentHeads(r)[1], "change"}}
	for _, l := range pathLines(r) {
		s.add(cells(l.measured(), l.base, l.cand, l.change)...)
	}
	return s
}
