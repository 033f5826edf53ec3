package trace

import (
	"strings"
	"unicode"
)

// MaxFact is the longest fact, in bytes; names of machines are shorter. Chosen, not measured: it
// keeps a hostile file from filling a report.
const MaxFact = 200

// Tidy returns what a file says about itself or its machine as a short text on one line.
func Tidy(s string) string {
	s = strings.Map(func(c rune) rune {
		if unicode.IsControl(c) {
			return ' '
		}
		return c
	}, strings.TrimSpace(s))
	if len(s) > MaxFact {
		s = strings.ToValidUTF8(s[:MaxFact], "")
	}
	return s
}
