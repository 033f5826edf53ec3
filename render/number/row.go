package number

import (
	"math"
	"strconv"
	"strings"
)

// Row writes two values and their difference with the decimals that give the difference two digits, two at most: 29.1,
// 34.1 and +5.0; 164, 79 and −85.
type Row struct {
	Scale
	decimals int
}

// RowOf returns the format of two values in a unit and of their difference.
func RowOf(unit string, base, cand float64) Row {
	r := Row{Scale: ScaleOf(unit, math.Max(math.Abs(base), math.Abs(cand)))}
	switch by := math.Abs(cand-base) * r.Factor; {
	case by < 0.995:
		r.decimals = 2
	case by < 9.95:
		r.decimals = 1
	}
	return r
}

// Round returns v in the unit of the row, as it is shown.
func (r Row) Round(v float64) float64 {
	ten := math.Pow10(r.decimals)
	return math.Round(float64(v*r.Factor)*ten) / ten
}

// Shown writes a value that Round returned.
func (r Row) Shown(v float64) string {
	whole, digits, _ := strings.Cut(strconv.FormatFloat(math.Abs(v), 'f', r.decimals, 64), ".")
	s := group(whole)
	if digits != "" {
		s += "." + digits
	}
	if v < 0 && r.Round(v/r.Factor) != 0 {
		return Minus + s
	}
	return s
}

// Format writes v: "29.1".
func (r Row) Format(v float64) string { return r.Shown(r.Round(v)) }

// Signed writes a change, with a plus sign in front of a positive one.
func (r Row) Signed(v float64) string {
	if r.Round(v) > 0 {
		return "+" + r.Format(v)
	}
	return r.Format(v)
}

// With writes v with its unit.
func (r Row) With(v float64) string { return unitBehind(r.Format(v), r.Name) }

// Change writes a change of a baseline in per cent: "+17 %", "+5.6 %", and "3.1 times" of one that more than doubled.
func Change(change float64) string {
	switch {
	case change > 2:
		return Format(1+change) + " times"
	case math.Abs(change) >= 0.0995:
		return Percent{0}.Signed(change) + Space + "%"
	}
	return Percent{1}.Signed(change) + Space + "%"
}
