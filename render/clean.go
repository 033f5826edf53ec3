package render

import (
	"strings"
	"unicode/utf8"

	"perfdiff/render/number"
)

// Names in profiles are written by whoever wrote the program that was
// profiled. They may hold line breaks, terminal control sequences and marks
// that turn the direction of text; none of these reaches an output for people.

// cleanText returns s on one line, without invisible characters.
func cleanText(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\t', r == '\r':
			return ' '
		case r == utf8.RuneError, invisible(r):
			return utf8.RuneError
		}
		return r
	}, s)
}

// The longest names, sentences and lines that are written in full, in characters.
const (
	maxName     = 60
	maxSentence = 400
	maxLine     = 2000
)

// shorten cleans s and cuts it to limit characters. The first 60 % and the last 40 % stay,
// because names of kernels differ at both ends.
func shorten(s string, limit int) string {
	if len(s) > 16*limit { // the middle of a text of many megabytes is not read
		s = s[:8*limit] + s[len(s)-8*limit:]
	}
	r := []rune(cleanText(s))
	if len(r) <= limit {
		return string(r)
	}
	head := (limit - 1) * 6 / 10
	return string(r[:head]) + "…" + string(r[len(r)-(limit-1-head):])
}

func shortName(s string) string     { return shorten(s, maxName) }
func shortSentence(s string) string { return shorten(s, maxSentence) }

// cleanLine cleans a text, on one line, whose parts were shortened already.
func cleanLine(s string) string { return shorten(s, 4*maxLine) }

// Line returns s as one line that is safe on a terminal, of at most 2,000 characters. It is for messages, which name
// files as they are called on disk.
func Line(s string) string { return shorten(s, maxLine) }

// firstNames writes the first most names of a list, and how many there are more.
func firstNames(list []string, most int) string {
	var parts []string
	for i, s := range list {
		if i == most {
			parts = append(parts, "and "+number.Count(len(list)-most)+" more")
			break
		}
		parts = append(parts, shortName(s))
	}
	return strings.Join(parts, ", ")
}
