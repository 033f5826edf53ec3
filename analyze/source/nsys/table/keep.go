package table

import (
	"strings"
	"unicode/utf8"
)

// maxText is how many bytes are kept of one text.
const maxText = 64 << 10

// CopyText returns a text that may be kept: out of SQLite's memory, of bounded
// length and valid UTF-8.
func CopyText(s string) string { return CopyTextBy(s, strings.Clone) }

// CopyTextBy does what CopyText does, with keep to copy a text that is short and valid.
func CopyTextBy(s string, keep func(string) string) string {
	if len(s) > maxText {
		cut := maxText
		for cut > 0 && !utf8.RuneStart(s[cut]) {
			cut--
		}
		s = s[:cut]
	}
	if utf8.ValidString(s) { // quicker than to look for what is not
		return keep(s)
	}
	return strings.ToValidUTF8(s, "\uFFFD")
}
