package render

import (
	"regexp"
	"strings"
)

// escapeMarkup escapes the characters that mean something in Markdown or HTML. A dollar sign
// begins mathematics on GitHub.
var escapeMarkup = strings.NewReplacer(
	"&", "&amp;", "<", "&lt;", ">", "&gt;", `\`, `\\`, "`", "\\`", "*", `\*`, "_", `\_`,
	"[", `\[`, "]", `\]`, "|", `\|`, "~", `\~`, "$", "<span>$</span>",
)

// linkPattern matches what GitHub turns into links after Markdown is done, so that a backslash
// does not prevent it: mentions, numbers of issues, addresses. linkBreak puts an empty HTML
// comment between their characters, which does.
var (
	linkPattern = regexp.MustCompile(`(@)(\w)|(#)(\d)|((?i:gh)-)(\d)|((?i:https?|ftp):)(//)|((?i:www))(\.)|((?i:mailto|xmpp):)(\S)`)
	linkBreak   = "${1}${3}${5}${7}${9}${11}<!-- -->${2}${4}${6}${8}${10}${12}"
)

// escapeMarkdown makes a cleaned text safe inside a line of Markdown and inside a cell of a
// table.
func escapeMarkdown(s string) string {
	return linkPattern.ReplaceAllString(escapeMarkup.Replace(s), linkBreak)
}

// codeSpan returns a cleaned name as a code span, in which nothing is markup or a link. A pipe must
// be escaped even there, since tables are cut into cells first.
func codeSpan(s string) string {
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
