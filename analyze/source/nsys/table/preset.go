package table

import (
	"encoding/hex"
	"slices"
	"strings"
)

// Rows from before a column was added end before it, and have the value that its DEFAULT
// says. What that is, SQLite tells: here it is only read over.

// isReal reports whether a column turns whole numbers into numbers with a point, by its declared kind. SQLite looks
// for parts of words in it, and the first of these wins, in this order
// (https://www.sqlite.org/datatype3.html#type_affinity).
func isReal(kind string, strict bool) bool {
	kind = string(appendFolded(nil, unquoteKind(kind)))
	has := func(parts ...string) bool {
		return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(kind, p) })
	}
	return !has("int", "char", "clob", "text", "blob") && !(strict && kind == "any") && has("real", "floa", "doub")
}

// declaredKind returns the kind of a column without the words that its grammar takes for a part.
func declaredKind(text string) string {
	const first, last = "GENERATED", "ALWAYS"
	if rest := len(text) - len(last); rest >= len(first) && strings.EqualFold(text[rest:], last) {
		text = strings.TrimRight(text[:rest], " \t\n\f\r")
		if rest = len(text) - len(first); rest >= 0 && strings.EqualFold(text[rest:], first) {
			text = strings.TrimRight(text[:rest], " \t\n\f\r")
		}
	}
	return text
}

// unquoteKind returns a kind as SQLite compares it: without the quotes around it or, of several words, the first if
// that one is quoted.
func unquoteKind(kind string) string {
	const quotes = "\"`['"
	if len(kind) < 2 || !strings.Contains(quotes, kind[:1]) {
		return kind
	}
	if inner := kind[1 : len(kind)-1]; !strings.ContainsAny(inner, quotes) {
		return inner
	}
	return unquote(kind[:max(1, wordLength(kind))])
}

// defaultValue reads what follows DEFAULT, and reports whether it may be anything but NULL.
func (d *declaration) defaultValue() bool {
	if d.word == "(" {
		d.parentheses()
		return true
	}
	if d.take("NULL") {
		return false
	}
	signed := d.take("+") || d.take("-")
	switch word, c := d.word, d.first(); {
	case signed && d.take("NULL"):
	case isDigit(c) || c == '.' && len(word) > 1:
		d.scan()
	case len(word) > 2 && word[1] == '\'' && c != '\'':
		_, err := hex.DecodeString(word[2 : len(word)-1])
		d.failed = d.failed || err != nil
		d.scan()
	default:
		d.name()
	}
	return true
}
