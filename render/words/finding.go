// Package words says what a report holds: it makes the sentences, and the numbers in them,
// that every format shows. It computes nothing and decides nothing.
package words

import (
	"math"

	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/policy"
	"perfdiff/render/number"
)

// Finding is a finding as people read it.
type Finding struct {
	*cause.Finding
	Number   string // "−32.7", with sign and without unit; "" it has none
	NumberIn string // the unit of Number: "ms"; "" a count, or no number
	Interval string // of Number, with its unit: "−75.0 to −66.0 ms"; "" none
	Text     string // the sentence
	Evidence string // which ranks, steps and spans it stands on; "" the sentence says it
	Advice   string // what to do, or to record, next; "" nothing
}

// Findings are those of a report, in its order.
func Findings(r *diff.Report) []Finding {
	out := make([]Finding, len(r.Findings))
	for i := range r.Findings {
		out[i] = Of(r, &r.Findings[i])
	}
	return out
}

// Of is one finding of a report.
func Of(r *diff.Report, f *cause.Finding) Finding {
	digits, unit := size(f)
	return Finding{Finding: f, Number: digits, NumberIn: unit, Interval: interval(f),
		Text: sentence(r, f), Evidence: evidence(r, f), Advice: advice(r, f)}
}

// points are the unit of differences of shares.
const points = "points"

// size is the number that stands before a finding, and its unit.
func size(f *cause.Finding) (digits, unit string) {
	sc := valuesIn(f)
	switch f.Kind {
	case policy.KindWarmUp:
		return sc.Signed(f.Delta), "steps"
	case policy.KindWorkRate, policy.KindKernelShift:
		return signed(number.Percents, f.Delta, "%")
	case policy.KindCall:
		change := f.Cand/f.Base - 1
		return number.PercentFor(change, 0, 0).Signed(change), "%"
	case policy.KindOtherKernel:
		return sc.Format(math.Max(f.Base, f.Cand)), "%"
	case policy.KindKernelAlone, policy.KindSharedSpike:
		sc = number.ScaleOf(f.Unit, f.Delta)
	case policy.KindSpike:
		sc = number.ScaleOf(f.Unit, math.Max(f.EachSpike, math.Abs(f.Delta)))
	case policy.KindOneSide:
		value := f.Base
		if math.IsNaN(value) {
			value = f.Cand
		}
		sc = number.ScaleOf(f.Unit, value)
		return sc.Format(value), sc.Name
	case policy.KindGapBefore:
		if sc = number.GapScale(math.Max(f.Base, f.Cand)); f.Class == "remains" {
			return sc.Format(f.Cand), sc.Name
		}
	}
	if f.Unit == "ratio" {
		return signed(sc, f.Delta, points)
	}
	return signed(sc, f.Delta, sc.Name)
}

// signed is a change with its unit; nothing where there is none.
func signed(sc number.Scale, delta float64, unit string) (digits, in string) {
	if math.IsNaN(delta) {
		return "", ""
	}
	return sc.Signed(delta), unit
}

// valuesIn is what both values of a finding are written in.
func valuesIn(f *cause.Finding) number.Scale {
	return number.ScaleOf(f.Unit, math.Max(math.Abs(f.Base), math.Abs(f.Cand)))
}

// interval is that of the number, "" where there is none.
func interval(f *cause.Finding) string {
	switch tested := !math.IsNaN(f.Estimate); {
	case math.IsNaN(f.Lo) || math.IsNaN(f.Hi):
		return ""
	case f.Relative:
		return percents(f, "%")
	case tested && f.Unit == "ratio":
		return percents(f, points)
	case tested:
		sc := number.ScaleOf(f.Unit, math.Max(math.Abs(f.Lo), math.Abs(f.Hi)))
		return sc.Signed(f.Lo) + " to " + sc.SignedWith(f.Hi)
	}
	sc := valuesIn(f)
	return sc.Signed(f.Lo) + " to " + sc.SignedWith(f.Hi)
}

// percents are the ends of an interval with as many digits as its width deserves.
func percents(f *cause.Finding, unit string) string {
	p := number.PercentFor(f.Estimate, f.Lo, f.Hi)
	return p.Signed(f.Lo) + " to " + p.Signed(f.Hi) + number.Space + unit
}
