// Package words says what a report holds: it makes the sentences, and the numbers in them,
// that every format shows. It computes nothing and decides nothing.
package words

import (
	"math"

	"perfdiff/diff"
	"perfdiff/diff/cause"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// Finding is a finding as people read it.
type Finding struct {
	*cause.Finding `report:"."`
	Number         string   `report:"number"`      // "−32.7", with sign and without unit; "" it has none
	NumberIn       string   `report:"number_unit"` // the unit of Number: "ms"; "" a count, or no number
	Interval       string   `report:"interval"`    // of Number, with its unit: "−75.0 to −66.0 ms"; "" none
	Text           string   `report:"text"`        // the sentence
	Evidence       string   `report:"evidence"`    // which ranks, steps and spans it stands on; "" the sentence says it
	Advice         string   `report:"advice"`      // what to do, or to record, next; "" nothing
	Places         []string // of Where, for people
}

// Findings writes the findings of a report, in its order.
func Findings(r *diff.Report) []Finding {
	out := make([]Finding, len(r.Findings))
	for i := range r.Findings {
		out[i] = Of(r, &r.Findings[i])
	}
	return out
}

// Of returns one finding of a report.
func Of(r *diff.Report, f *cause.Finding) Finding {
	digits, unit, interval := size(f)
	return Finding{Finding: f, Number: digits, NumberIn: unit, Interval: interval,
		Text: sentence(r, f), Evidence: evidence(r, f), Advice: advice(r, f), Places: seenIn(f)}
}

// size returns the number that stands before a finding, as the row of its metric has it, its unit, and its interval
// with the unit. What was tested is the median.
func size(f *cause.Finding) (digits, unit, interval string) {
	if digits, unit, own := ownSize(f); own || math.IsNaN(f.Delta) {
		return digits, unit, ""
	}
	row, x := valuesIn(f), f.Change()
	if unit = row.Name; f.Unit == "ratio" {
		unit = Points
	}
	if !math.IsNaN(x.Lo) && !math.IsNaN(x.Hi) {
		interval = withUnit(row.Signed(x.Lo)+" to "+row.Signed(x.Hi), unit)
		if !math.IsNaN(f.Estimate) {
			interval += " of the median"
		}
	}
	return row.Signed(f.Delta), unit, interval
}

// ownSize returns the size of a finding of the kinds that show something else than a change in the scale of its
// values.
func ownSize(f *cause.Finding) (digits, unit string, own bool) {
	switch f.Kind {
	case policy.KindWarmUp:
		return valuesIn(f).Signed(f.Delta), "steps", true
	case policy.KindWorkRate, policy.KindKernelShift:
		digits, unit = signed(number.Percents, f.Delta)
		return digits, unit, true
	case policy.KindCall:
		change := f.Cand/f.Base - 1
		return number.PercentFor(change, 0, 0).Signed(change), "%", true
	case policy.KindOtherKernel:
		return valuesIn(f).Digits(math.Max(f.Base, f.Cand)), "%", true
	case policy.KindKernelAlone, policy.KindSharedSpike:
		digits, unit = signed(number.ScaleOf(f.Unit, f.Delta), f.Delta)
		return digits, unit, true
	case policy.KindSpike:
		digits, unit = signed(number.ScaleOf(f.Unit, math.Max(f.EachSpike, math.Abs(f.Delta))), f.Delta)
		return digits, unit, true
	case policy.KindOneSide:
		value := f.Base
		if math.IsNaN(value) {
			value = f.Cand
		}
		sc := number.ScaleOf(f.Unit, value)
		return sc.Format(value), sc.Name, true
	case policy.KindGapBefore:
		sc := number.GapScale(math.Max(f.Base, f.Cand))
		return sc.Format(f.Cand), sc.Name, f.Class == verdict.ClassRemains
	}
	return "", "", false
}

// signed writes a change, and its unit; nothing where there is none.
func signed(sc number.Scale, delta float64) (digits, in string) {
	if math.IsNaN(delta) {
		return "", ""
	}
	return sc.Signed(delta), sc.Name
}

// valuesIn returns the format of both values of a finding and their difference.
func valuesIn(f *cause.Finding) number.Row {
	size, most := f.Delta, math.Max(math.Abs(f.Base), math.Abs(f.Cand))
	if math.Abs(size) < 1e-9*most {
		size = most / 10 // without a change, three digits of the values
	}
	return number.RowOf(f.Unit, f.Base, f.Cand, size)
}
