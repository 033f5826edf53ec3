package step

import (
	"regexp"
	"slices"
	"strings"
)

var (
	digits = regexp.MustCompile(`\d+`)
	// longWord matches what can be a hash: letters and digits without a break.
	longWord = regexp.MustCompile(`[0-9A-Za-z]{8,}`)
)

// minMixedHash is the least length at which a mixture of letters and digits is taken for a
// hash. A shorter word is a hash only where all of its letters are hexadecimal. Chosen, not
// measured: words with a number behind them, as layers are named, are shorter.
const minMixedHash = 20

// FoldName replaces each number in a range's name by N and each hash by #: "train step 12"
// becomes "train step N". Ranges with one folded name are occurrences of one thing.
func FoldName(name string) string {
	if !strings.ContainsAny(name, "0123456789") {
		return name
	}
	name = longWord.ReplaceAllStringFunc(name, func(w string) string {
		if isHash(w) {
			return "#"
		}
		return w
	})
	return digits.ReplaceAllString(name, "N")
}

// holdsHash reports whether a name holds a hash. A compiler gave such a name, and its numbers
// do not count the iterations of a loop.
func holdsHash(name string) bool {
	return slices.ContainsFunc(longWord.FindAllString(name, -1), isHash)
}

// isHash reports whether a word of letters and digits is a hash. A name that ends in a number, "iteration000012", is
// none.
func isHash(w string) bool {
	changes, hex := 0, true
	for i := range len(w) {
		c := w[i]
		hex = hex && (isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f')
		if i > 0 && isDigit(c) != isDigit(w[i-1]) {
			changes++
		}
	}
	return changes >= 3 && (hex || len(w) >= minMixedHash)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
