package step

import (
	"regexp"
	"strings"
)

var (
	digits = regexp.MustCompile(`\d+`)
	// word is what a hash can be: letters and digits without a break.
	word = regexp.MustCompile(`[0-9A-Za-z]{8,}`)
)

// longHash is from how many letters and digits on a mixture of both is a hash in any
// alphabet; shorter ones are where all letters are hexadecimal.
const longHash = 20

// FoldName is a range's name with N in place of each number and # in place of each hash:
// "train step N" for "train step 12". Occurrences that differ in these are of one kind.
func FoldName(name string) string {
	if !strings.ContainsAny(name, "0123456789") {
		return name
	}
	name = word.ReplaceAllStringFunc(name, func(w string) string {
		if isHash(w) {
			return "#"
		}
		return w
	})
	return digits.ReplaceAllString(name, "N")
}

// hashed reports whether a name holds a hash: a compiler made it, and no loop counts it.
func hashed(name string) bool {
	for _, w := range word.FindAllString(name, -1) {
		if isHash(w) {
			return true
		}
	}
	return false
}

// isHash reports whether a word of letters and digits is a hash. A number behind a name,
// "iteration000012", is none: its digits stand at one place.
func isHash(w string) bool {
	changes, hex := 0, true
	for i := range len(w) {
		c := w[i]
		hex = hex && (isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f')
		if i > 0 && isDigit(c) != isDigit(w[i-1]) {
			changes++
		}
	}
	return changes >= 3 && (hex || len(w) >= longHash)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
