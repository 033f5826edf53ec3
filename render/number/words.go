package number

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Counted writes "1 run" and "3 runs".
func Counted(n int, what string) string { return Count(n) + " " + Plural(n, what) }

// Plural returns the word for n things.
func Plural(n int, what string) string {
	if n == 1 {
		return what
	}
	return what + "s"
}

// Capital begins a sentence.
func Capital(s string) string { return first(s, unicode.ToUpper) }

// Lower returns text as it stands within a sentence.
func Lower(s string) string { return first(s, unicode.ToLower) }

// first returns a text with another first letter; what is no UTF-8 stays as it is.
func first(s string, other func(rune) rune) string {
	letter, size := utf8.DecodeRuneInString(s)
	if letter == utf8.RuneError {
		return s
	}
	return string(other(letter)) + s[size:]
}

// Some writes the first names of a list and how many more there are: "a, b and 3 more".
func Some(names []string, most int) string {
	text := strings.Join(names[:min(most, len(names))], ", ")
	if more := len(names) - most; more > 0 {
		text += " and " + Count(more) + " more"
	}
	return text
}
