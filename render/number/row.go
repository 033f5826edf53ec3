package number

import (
	"math"
	"strconv"
	"strings"
)

// Row writes two values and their difference, all in one unit and with the same decimals: those that give the
// difference two digits, at most two of them.
type Row struct {
	Scale
	decimals int
}

// RowOf returns the format of two values, in the metric's unit, between which size decides the digits: their
// difference, or what else is to be read with two. It has a digit more where rounding makes another difference of them.
func RowOf(unit string, base, cand, size float64) Row {
	s := ScaleOf(unit, largest(base, cand))
	if unit == "1" && base == math.Trunc(base) && cand == math.Trunc(cand) {
		return Row{s, 0}
	}
	r := Row{s, decimalsFor(size * s.Factor)}
	if r.decimals < 2 && !r.adds(base, cand) {
		r.decimals++
	}
	return r
}

// adds reports whether the difference of two values as they are shown is their difference as it is shown.
func (r Row) adds(base, cand float64) bool {
	shown := func(v float64) float64 { return math.Round(float64(v / r.Unit())) }
	return shown(cand)-shown(base) == shown(cand-base) || math.IsNaN(cand-base)
}

// Unit returns one of the last digit that is shown, in the metric's unit.
func (r Row) Unit() float64 { return math.Pow(10, -float64(r.decimals)) / r.Factor }

// Slack returns what rounding hides at most, half of a unit.
func (r Row) Slack() float64 { return math.Pow(10, -float64(r.decimals)) / (2 * r.Factor) }

// RowIn returns the format of values in a scale that is given, and of changes of this size.
func RowIn(s Scale, size float64) Row { return Row{s, decimalsFor(size * s.Factor)} }

// largest returns the larger magnitude of two values. NaN does not count.
func largest(a, b float64) float64 {
	if a, b = math.Abs(a), math.Abs(b); math.IsNaN(a) || b > a {
		return b
	}
	return a
}

// decimalsFor returns how many decimals give a number two digits, two at most.
func decimalsFor(v float64) int {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return 2
	}
	_, exponent, _ := strings.Cut(strconv.FormatFloat(v, 'e', 1, 64), "e")
	n, err := strconv.Atoi(exponent)
	if err != nil {
		return 2
	}
	return min(max(1-n, 0), 2)
}

// Digits writes a value without its unit; a zero has no decimals.
func (r Row) Digits(v float64) string {
	v = float64(v * r.Factor)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return Format(v)
	}
	text := strconv.FormatFloat(math.Abs(v), 'f', r.decimals, 64)
	whole, fraction, _ := strings.Cut(text, ".")
	if strings.Trim(text, "0.") == "" {
		return "0"
	}
	if text = group(whole); fraction != "" {
		text += "." + fraction
	}
	if v < 0 {
		return Minus + text
	}
	return text
}

// Signed writes a difference with its sign, without its unit.
func (r Row) Signed(v float64) string {
	if text := r.Digits(v); v > 0 && text != "0" {
		return "+" + text
	}
	return r.Digits(v)
}

// With writes a value with its unit.
func (r Row) With(v float64) string { return unitBehind(r.Digits(v), r.Name) }

// SignedWith writes a difference with its sign and unit.
func (r Row) SignedWith(v float64) string { return unitBehind(r.Signed(v), r.Name) }

// PercentOf writes a change as a share of what it is a change of, with its sign: "+17 %", "−0.8 %"; from two on
// as a multiple: "3.1 times". rough: the share is not known to one per cent. "" without a share.
func PercentOf(change, base float64, rough bool) string {
	share := change / base
	switch {
	case !(base > 0) || math.IsNaN(share) || math.IsInf(share, 0):
		return ""
	case share > 2:
		return strconv.FormatFloat(1+share, 'f', decimalsFor(1+share), 64) + " times"
	}
	p := Percent{1}
	if rough || math.Abs(share) >= 0.0995 {
		p.decimals = 0
	}
	return p.Signed(share) + Space + "%"
}
