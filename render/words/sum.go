package words

import (
	"math"

	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// Sum is what the change of the step is made of, as a table. Both columns add up as they are printed: what rounding
// leaves over is in the row of all other parts.
type Sum struct {
	Unit string
	Of   string // of which steps: "Step, mean of 23"
	Note string // below the table
	Rows []SumRow
}

// SumRow is one part of it, or in the last row the step.
type SumRow struct {
	Name, Base, Cand, Change string // "~" for a change that is none
	Interval                 string // of the change; "" none
	Why                      string // in a few words; "" nothing
	Class                    verdict.Class
	Kind                     string  // of the part: "compute"; "" of the step
	From, To                 float64 // where its bar begins and ends, in the unit
	Follows                  bool    // it follows from the first row and is not added
	Finding                  int     // index of the finding that explains it; -1 none
}

// sumNouns are those parts in a sentence whose names are sentences themselves.
var sumNouns = map[string]string{
	"launching": "waiting for late launches", "dependency": "waiting for launched work to start", "synchronizing": "the host's waiting for the GPU", "unknown": "what is not explained",
}

// sumName names a part; late ranks are those that the step waits for.
func sumName(r *diff.Report, x *cause.SumRow, first *cause.SumRow) string {
	late := func(row *cause.SumRow) bool {
		return row.Finding >= 0 && (r.Findings[row.Finding].Kind == policy.KindStraggler || r.Findings[row.Finding].Kind == policy.KindLateRanks)
	}
	switch {
	case x.Follows && late(first):
		return "ranks wait for it, on average"
	case x.Follows:
		return "ranks wait for each other"
	case x.Kind == "compute" && late(x):
		return "Compute of the last rank"
	case x.Kind == "compute" && x.Finding >= 0 && r.Findings[x.Finding].Kind == policy.KindPipelineBubble:
		return "Compute, stage after stage"
	}
	return sumPart(x.Kind)
}

// sumPart names a part, or all others.
func sumPart(kind string) string {
	if kind == cause.Rest {
		return "Everything else"
	}
	return number.Capital(PartName(kind))
}

// SumOf returns what the change of the step is made of; nil where nothing is seen, or the step was not taken apart.
func SumOf(r *diff.Report) *Sum {
	h := &r.Headline
	s := h.Sum
	if s == nil || len(h.Lost) > 0 || h.Main != nil || !r.Judged || !h.Of.OfSteps() {
		return nil
	}
	seen := r.Verdict == verdict.Regressed || r.Verdict == verdict.Improved || h.Jump != nil && h.Jump.Match == "" || h.Mean != nil || h.Of.DoesLean()
	if !seen {
		return nil
	}
	row := number.RowOf("s", s.Base, s.Cand, s.Delta)
	out := &Sum{Unit: row.Name, Of: "Step, mean of " + number.Count(s.Steps), Note: sumNote(s)}
	if h.Jump != nil {
		out.Of = "Step, from " + number.Count(int(s.From)) + " on"
	}
	round := func(v float64) float64 { return float64(math.Round(v/row.Unit()) * row.Unit()) }
	base, cand := round(s.Base), round(s.Cand)
	at, left := base, [2]float64{base, cand}
	for i := range s.Rows {
		x := &s.Rows[i]
		b, c := round(x.Base), round(x.Cand)
		if x.Kind == cause.Rest {
			b, c = max(0, left[0]), max(0, left[1])
		}
		o := SumRow{Name: sumName(r, x, &s.Rows[0]), Base: row.Digits(b), Cand: row.Digits(c), Kind: x.Kind, Follows: x.Follows, Finding: x.Finding}
		if o.Change = row.Signed(c - b); x.Kind == cause.Rest && math.Abs(x.Delta) < cause.LeastOfSum*math.Abs(s.Delta) {
			o.Change = "~"
		} else if !x.Follows && x.Kind != cause.Rest {
			o.Class, o.Interval = sumClass(x), sumInterval(x, row)
		}
		if o.From = at; !x.Follows {
			left[0], left[1] = left[0]-float64(b), left[1]-float64(c)
			at += c - b
		}
		o.To = at
		out.Rows = append(out.Rows, o)
	}
	total := SumRow{Name: out.Of, Base: row.Digits(base), Cand: row.Digits(cand), Change: row.Signed(cand - base), From: base, To: cand, Finding: -1}
	total.Why = asPercent(s.Delta / s.Base)
	if h.Jump == nil {
		if st := usualStep(h); st.Key.Metric != "" && !math.IsNaN(st.Base) {
			total.Why += medianToo(st, row, s)
		}
		if r.Verdict == verdict.Regressed {
			total.Class = verdict.ClassWorse
		} else if r.Verdict == verdict.Improved {
			total.Class = verdict.ClassBetter
		}
	}
	out.Rows = append(out.Rows, total)
	return out
}

// medianToo says what the median step did: the same, or both values.
func medianToo(c *verdict.Comparison, row number.Row, s *cause.Sum) string {
	if by := math.Abs(c.Delta - s.Delta); by < 0.1*math.Abs(s.Delta) && c.Delta*s.Delta > 0 {
		return "; median too"
	}
	return "; median " + row.Digits(c.Base) + " and " + row.With(c.Cand)
}

// sumClass is better or worse where the interval of a part leaves out zero.
func sumClass(x *cause.SumRow) verdict.Class {
	switch {
	case x.Lo > 0:
		return verdict.ClassWorse
	case x.Hi < 0:
		return verdict.ClassBetter
	}
	return verdict.ClassNone
}

func sumInterval(x *cause.SumRow, row number.Row) string {
	if math.IsNaN(x.Lo) || math.IsNaN(x.Hi) {
		return ""
	}
	return row.Signed(x.Lo) + " to " + row.Signed(x.Hi)
}

// sumNote says what the parts are.
func sumNote(s *cause.Sum) string {
	text := "Parts are means over ranks and steps, and add up to the step."
	if s.OfPath {
		text = "Parts are those of the critical path, and add up to the step; indented rows follow from the row above and are not added."
	}
	return text + " ~ no sign of a change."
}
