package ncu

import (
	"math"
	"strconv"
	"strings"
)

// A number is printed as the machine's language has it: 1,234.50 or 1.234,50. Which it is shows
// only where a separator stands that the other way would not have, so that both readings of each
// number are kept until the end of the file.

// writing counts how a file writes its numbers.
type writing struct{ dots, commas, unclear int } // decimals behind a dot, behind a comma; "1,234", which is either

// number reads a printed number both ways, with a dot or a comma for decimals; ok is false for what is no number
// ("n/a", "nan", a text).
func (w *writing) number(s string) (dot, comma float64, ok bool) {
	s = strings.TrimSpace(s)
	if s == "" || !strings.ContainsAny(s[:1], "-+.0123456789") {
		return 0, 0, false
	}
	if head, _, more := strings.Cut(s, " ("); more { // the instances of a metric follow it
		s = head
	}
	dot, dotOK := parsed(s, ",", ".")
	comma, commaOK := parsed(s, ".", ",")
	switch {
	case dotOK && !commaOK:
		if strings.ContainsAny(s, ".,") {
			w.dots++
		}
		return dot, math.NaN(), true
	case commaOK && !dotOK:
		w.commas++
		return math.NaN(), comma, true
	case dotOK && strings.Contains(s, ","):
		w.unclear++
	}
	return dot, comma, dotOK
}

// parsed reads a number with a separator between groups of three digits and one before decimals.
func parsed(s, group, decimal string) (float64, bool) {
	whole, rest, has := strings.Cut(s, decimal)
	if has && strings.Contains(rest, group) {
		return 0, false
	}
	if strings.Contains(whole, group) {
		groups := strings.Split(strings.TrimLeft(whole, "+-"), group)
		for i, g := range groups {
			if len(g) != 3 && (i > 0 || len(g) == 0 || len(g) > 3) {
				return 0, false
			}
		}
		whole = strings.ReplaceAll(whole, group, "")
	}
	if has {
		whole += "." + rest
	}
	v, err := strconv.ParseFloat(whole, 64)
	return v, err == nil && !math.IsNaN(v) && !math.IsInf(v, 0)
}
