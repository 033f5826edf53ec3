package render

import (
	"regexp"
	"strings"
)

// markup are the characters that mean something in Markdown or HTML, and what
// stands for them. A dollar sign begins mathematics on GitHub.
var markup = strings.NewReplacer(
	"&", "&amp;", "<", "&lt;", ">", "&gt;", `\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`,
	"[", `\[`, "]", `\]`, "|", `\|`, "~", `\~`, "$", "<span>$</span>",
)

// links are what GitHub turns into links after Markdown is done, so that no
// backslash keeps it from them: mentions, numbers of issues, addresses. An
// empty comment between their characters does.
var (
	links   = regexp.MustCompile(`(@)(\w)|(#)(\d)|((?i:gh)-)(\d)|((?i:https?|ftp):)(//)|((?i:www))(\.)|((?i:mailto|xmpp):)(\S)`)
	parting = "${1}${3}${5}${7}${9}${11}<!-- -->${2}${4}${6}${8}${10}${12}"
)

// escape makes text that was cleaned safe in the middle of a line of Markdown
// and in a cell of a table.
func escape(s string) string { return links.ReplaceAllString(markup.Replace(s), parting) }

// code is a cleaned name as a code span: nothing in it is markup or link. A
// pipe must be escaped even there, since tables are cut into cells first.
func code(s string) string {
	if strings.TrimSpace(s) == "" {
		return ""
	}
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if len(fence) > 1 || strings.HasPrefix(s, " ") {
		s = " " + s + " "
	}
	// A backslash in front of a pipe would have to be escaped outside of
	// tables only; a slash of another kind reads the same in both.
	s = strings.ReplaceAll(s, `\|`, "∖|")
	return fence + strings.ReplaceAll(s, "|", `\|`) + fence
}
