package nsys

import (
	"strings"
)

// A capture has a payload for each call of NCCL, all with the same labels. What exporters
// write, one object of plain texts and whole numbers, is read where it stands; whatever
// else is JSON takes the decoder.

// mostMembers is how many members an object has that is read so.
const mostMembers = 32

// scanJSON reads the members of an object into p; false if it is none of the plain ones,
// and p is not to be used then.
func scanJSON(p *payload, text string) bool {
	text, ok := strings.CutPrefix(skipSpace(text), "{")
	if !ok {
		return false
	}
	var seen [mostMembers]payloadField
	for n := range seen {
		label, rest, ok := plainText(skipSpace(text))
		if !ok {
			return false
		}
		rest, ok = strings.CutPrefix(skipSpace(rest), ":")
		if !ok {
			return false
		}
		value, rest, ok := plainValue(skipSpace(rest))
		if !ok {
			return false
		}
		of := memberOf(label)
		for _, m := range seen[:n] { // of two with one meaning, the decoder says which counts
			if m == of && of != payloadOther {
				return false
			}
		}
		seen[n] = of
		p.setMember(of, value)
		rest = skipSpace(rest)
		if strings.HasPrefix(rest, "}") {
			return true
		}
		if text, ok = strings.CutPrefix(rest, ","); !ok {
			return false
		}
	}
	return false
}

func skipSpace(s string) string {
	for len(s) > 0 && (s[0] == ' ' || s[0] == '\n' || s[0] == '\t' || s[0] == '\r') {
		s = s[1:]
	}
	return s
}

// plainText returns the text in quotation marks that s begins with, and what follows it: one
// of ASCII without escapes.
func plainText(s string) (text, rest string, ok bool) {
	if len(s) == 0 || s[0] != '"' {
		return "", "", false
	}
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			return s[1:i], s[i+1:], true
		case c == '\\' || c < ' ' || c >= 0x80:
			return "", "", false
		}
	}
	return "", "", false
}

// plainValue returns a plain text or a whole number that s begins with, and what follows it.
func plainValue(s string) (value, rest string, ok bool) {
	if strings.HasPrefix(s, `"`) {
		return plainText(s)
	}
	at := 0
	if strings.HasPrefix(s, "-") {
		at = 1
	}
	n := at
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	if n == at || s[at] == '0' && n > at+1 || n == len(s) || strings.IndexByte(" \n\t\r,}", s[n]) < 0 {
		return "", "", false
	}
	return s[:n], s[n:], true
}
