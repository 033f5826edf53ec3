package render

import (
	"strings"
	"unicode/utf8"

	"perfdiff/diff/number"
)

// Names in profiles are written by whoever wrote the program that was
// profiled. They may hold line breaks, terminal control sequences and marks
// that turn the direction of text; none of these reaches an output for people.

// clean is s on one line and without anything that is not seen.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\t', r == '\r':
			return ' '
		case r == utf8.RuneError, unseen(r):
			return utf8.RuneError
		}
		return r
	}, s)
}

// The longest names and sentences that are written whole, in characters.
const (
	longestName     = 60
	longestSentence = 400
	longestLine     = 2000
)

// short is clean and at most limit characters long: of a longer text the
// first 60 % and the last 40 % stay, because the names of kernels differ at
// both ends.
func short(s string, limit int) string {
	if len(s) > 16*limit { // the middle of a text of many megabytes is not read
		s = s[:8*limit] + s[len(s)-8*limit:]
	}
	r := []rune(clean(s))
	if len(r) <= limit {
		return string(r)
	}
	head := (limit - 1) * 6 / 10
	return string(r[:head]) + "…" + string(r[len(r)-(limit-1-head):])
}

func name(s string) string     { return short(s, longestName) }
func sentence(s string) string { return short(s, longestSentence) }

// whole is a text whose parts are short already, on one line.
func whole(s string) string { return short(s, 4*longestLine) }

// Line is s as one line that may be written to a terminal, of at most 2,000
// characters: for messages, which name files as they are called on disk.
func Line(s string) string { return short(s, longestLine) }

// names writes at most most of a list, and how many are left.
func names(list []string, most int) string {
	var parts []string
	for i, s := range list {
		if i == most {
			parts = append(parts, "and "+number.Count(len(list)-most)+" more")
			break
		}
		parts = append(parts, name(s))
	}
	return strings.Join(parts, ", ")
}
