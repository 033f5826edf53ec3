package table

import "strings"

// take takes a word without quotes, in any case of letters, or a sign; false if another comes.
func (d *declaration) take(want string) bool {
	if d.failed || len(d.word) != len(want) || !strings.EqualFold(d.word, want) { // of one length: ASCII
		return false
	}
	d.scan()
	return true
}

// need takes a word that must come next, or fails.
func (d *declaration) need(want string) {
	if !d.take(want) {
		d.failed = true
	}
}

// first returns the first byte of the word that comes next, 0 at the end.
func (d *declaration) first() byte {
	if d.word == "" {
		return 0
	}
	return d.word[0]
}

// isName reports whether a name comes next: in quotes of any of four kinds, or a word that is not reserved.
func (d *declaration) isName() bool {
	switch c := d.first(); {
	case c == '"', c == '`', c == '[', c == '\'':
		return true
	case isDigit(c), !wordByte(c), c == '$':
		return false
	}
	return !reserved[Fold(d.word)]
}

// name takes a name; "" where none comes, or an empty one.
func (d *declaration) name() string {
	if !d.isName() {
		d.failed = true
		return ""
	}
	name := unquote(d.word)
	d.scan()
	return name
}

// unquote returns a name or text without its quotes.
func unquote(word string) string {
	switch quote := word[:1]; {
	case len(word) < 2:
	case strings.Contains("\"`'", quote):
		return strings.ReplaceAll(word[1:len(word)-1], quote+quote, quote)
	case quote == "[":
		return word[1 : len(word)-1]
	}
	return word
}

// reserved are the words that SQLite does not accept as names without quotes
// (https://www.sqlite.org/lang_keywords.html, less those that its parser accepts).
var reserved = func() map[string]bool {
	out := make(map[string]bool)
	for w := range strings.FieldsSeq(`ADD ALL ALTER AND AS AUTOINCREMENT BETWEEN CASE CHECK COLLATE COMMIT CONSTRAINT CREATE DEFAULT DEFERRABLE DELETE
		DISTINCT DROP ELSE ESCAPE EXISTS FOREIGN FROM GROUP HAVING IN INDEX INSERT INTERSECT INTO IS ISNULL JOIN LIMIT NOT NOTHING NOTNULL NULL ON OR ORDER
		PRIMARY REFERENCES RETURNING SELECT SET TABLE THEN TO TRANSACTION UNION UNIQUE UPDATE USING VALUES WHEN WHERE`) {
		out[Fold(w)] = true
	}
	return out
}()

// scan goes on to the next word or sign.
func (d *declaration) scan() {
	d.last = d.at + len(d.word)
	rest := d.text[d.last:]
	for {
		rest = strings.TrimLeft(rest, " \t\n\f\r")
		if after, ok := strings.CutPrefix(rest, "--"); ok {
			_, rest, _ = strings.Cut(after, "\n")
		} else if after, ok := strings.CutPrefix(rest, "/*"); ok && after != "" {
			_, rest, _ = strings.Cut(after, "*/")
		} else {
			break
		}
	}
	d.at = len(d.text) - len(rest)
	n := wordLength(rest)
	if n < 0 {
		d.failed, n = true, len(rest)
	}
	d.word = rest[:n]
}

// wordLength returns the number of bytes of the word or sign with which a text begins, -1 for quotes without end and
// for what SQL cannot hold.
func wordLength(s string) int {
	if s == "" {
		return 0
	}
	c := s[0]
	switch {
	case c == '"' || c == '`' || c == '\'':
		return quotedLength(s)
	case c == '[':
		if end := strings.IndexByte(s, ']'); end > 0 {
			return end + 1
		}
		return -1
	case (c == 'x' || c == 'X') && len(s) > 1 && s[1] == '\'':
		if n := quotedLength(s[1:]); n > 0 {
			return n + 1
		}
		return -1
	case isDigit(c) || c == '.' && len(s) > 1 && isDigit(s[1]):
		return numberLength(s)
	case c < ' ' || c == 0x7f:
		return -1
	}
	n := 0
	for n < len(s) && wordByte(s[n]) {
		n++
	}
	return max(n, 1)
}

// quotedLength returns the length of a text in quotes, in which two quotes stand for one.
func quotedLength(s string) int {
	for i := 1; i < len(s); i++ {
		if s[i] != s[0] {
			continue
		}
		if i+1 == len(s) || s[i+1] != s[0] {
			return i + 1
		}
		i++
	}
	return -1
}

// numberLength returns the length of a number without a sign; -1 where letters follow it.
func numberLength(s string) int {
	n, digits := 0, func(n int, is func(byte) bool) int {
		for n < len(s) && (is(s[n]) || s[n] == '_' && n > 0 && is(s[n-1]) && n+1 < len(s) && is(s[n+1])) {
			n++
		}
		return n
	}
	if len(s) > 2 && s[0] == '0' && s[1]|0x20 == 'x' && isHex(s[2]) {
		n = digits(2, isHex)
	} else {
		if n = digits(0, isDigit); n < len(s) && s[n] == '.' {
			n = digits(n+1, isDigit)
		}
		if n < len(s) && s[n]|0x20 == 'e' {
			sign := n + 1
			if sign < len(s) && (s[sign] == '+' || s[sign] == '-') {
				sign++
			}
			if sign < len(s) && isDigit(s[sign]) {
				n = digits(sign, isDigit)
			}
		}
	}
	if n < len(s) && wordByte(s[n]) {
		return -1
	}
	return n
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isHex(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

// wordByte tells the letters of names without quotes. Those beyond ASCII are all letters.
func wordByte(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'z'
}
