// Package number writes numbers the way people read them in a report: three
// significant digits, a true minus sign, a narrow space before the unit.
// Every renderer uses it, so that a number looks the same on the page, in the
// terminal and in Markdown.
package number

import (
	"math"
	"strconv"
	"strings"
)

// The characters that numbers are set with.
const (
	Minus = "\u2212" // in front of negative numbers
	Space = "\u202f" // narrow, before units and %
	Comma = "\u2009" // thin, between groups of thousands
	None  = "\u2013" // stands for a number that does not exist
)

// Format writes v with three significant digits and at most two decimals:
// 161, 79.0, 9.12, 0.64; one digit below 0.005; integers from 1,000 on, in
// groups of three. NaN is a dash.
func Format(v float64) string {
	if math.IsNaN(v) {
		return None
	}
	if v < 0 {
		return Minus + magnitude(-v)
	}
	return magnitude(v)
}

// negligible is the size below which a change in its column's unit is nothing: 0.5 us among milliseconds. By
// definition, where three digits are shown.
const negligible = 0.0005

// Signed does what Format does with a plus sign in front of positive numbers, for changes:
// what is negligible in the unit is 0.
func Signed(v float64) string {
	if math.Abs(v) < negligible {
		return "0"
	}
	if v > 0 {
		return "+" + magnitude(v)
	}
	return Format(v)
}

// With returns Format and a unit after a narrow space; the unit "" adds nothing.
func With(v float64, unit string) string { return unitBehind(Format(v), unit) }

// SignedWith returns Signed and a unit after a narrow space.
func SignedWith(v float64, unit string) string { return unitBehind(Signed(v), unit) }

func unitBehind(s, unit string) string {
	if unit == "" {
		return s
	}
	return s + Space + unit
}

// magnitude writes v >= 0. The limits lie where rounding to the next group
// of digits would show a digit more.
func magnitude(v float64) string {
	switch {
	case v == 0:
		return "0"
	case math.IsInf(v, 1):
		return "\u221e"
	case v >= 99.95:
		return group(strconv.FormatFloat(v, 'f', 0, 64))
	case v >= 9.995:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case v >= 0.005:
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
	return oneDigit(v)
}

// oneDigit writes a small v as 0.003, and as 2e-7 where that would be all
// zeros.
func oneDigit(v float64) string {
	s := strconv.FormatFloat(v, 'e', 0, 64)
	digit, exponent, _ := strings.Cut(s, "e-")
	places, err := strconv.Atoi(exponent)
	if err != nil || places > 6 {
		return digit + "e" + Minus + strings.TrimLeft(exponent, "0")
	}
	return "0." + strings.Repeat("0", places-1) + digit
}

// group puts thin spaces into a row of digits, in threes from the right.
func group(digits string) string {
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteString(Comma)
		}
		b.WriteRune(d)
	}
	return b.String()
}

// Count writes a whole number in groups of three.
func Count(n int) string {
	if n < 0 {
		return Minus + group(strconv.FormatUint(-uint64(n), 10))
	}
	return group(strconv.Itoa(n))
}

// Times writes how often something is done on average: whole numbers as such.
func Times(v float64) string {
	if v == math.Trunc(v) && math.Abs(v) < 1e15 {
		return Count(int(v))
	}
	return Format(v)
}

// Ordinal writes an ordinal number: "2nd", "8th", "21st".
func Ordinal(n int) string {
	end := "th"
	if n%100/10 != 1 {
		switch n % 10 {
		case 1:
			end = "st"
		case 2:
			end = "nd"
		case 3:
			end = "rd"
		}
	}
	return strconv.Itoa(n) + end
}

var words = [...]string{"no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"}

// Word writes a small number as a word, a larger one in digits.
func Word(n int) string {
	if n >= 0 && n < len(words) {
		return words[n]
	}
	return Count(n)
}
