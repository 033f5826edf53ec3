package trace

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// ShellWord returns a text as one word of a shell, quoted if needed, and as a terminal shows it: what cannot be
// printed is written as bash and zsh do. Every printed command that contains a name is made with this: names have
// blanks, and may have been chosen by somebody else.
func ShellWord(s string) string {
	if s != "" && !strings.ContainsFunc(s, needsQuotes) {
		return s
	}
	if !strings.ContainsFunc(s, func(r rune) bool { return r == utf8.RuneError || !unicode.IsPrint(r) }) {
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	var b strings.Builder
	b.WriteString("$'")
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\'' || c == '\\':
			b.WriteString(`\` + string(c))
		case c < ' ' || c > '~':
			fmt.Fprintf(&b, `\%03o`, c) // of three digits, as what follows may be one too
		default:
			b.WriteByte(c)
		}
	}
	return b.String() + "'"
}

// ShellPath does what ShellWord does for a path: one that begins like an option is made a path.
func ShellPath(path string) string {
	if strings.HasPrefix(path, "-") {
		path = "./" + path
	}
	return ShellWord(path)
}

// needsQuotes reports whether a character of a word stands for something else to a shell.
func needsQuotes(r rune) bool {
	plain := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_@%+=:,./-", r)
	return !plain
}
