package trace

import (
	"strings"
	"unicode"
)

// maxThreadName is the longest name of a thread, in letters: operating systems keep 15 of them, what a program says
// itself may be longer, and nobody reads more at a lane.
const maxThreadName = 48

// ThreadName returns the name of a thread as it is shown: on one line, and not too long; "" if it has no letter or
// digit.
func ThreadName(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		return ""
	}
	letters := []rune(strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, ""), func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " "))
	return string(letters[:min(len(letters), maxThreadName)])
}
