package render

import (
	"perfdiff/diff"
	"perfdiff/render/words"
)

// maxSuspectLines is how many things that differ between the sides a summary and a comment tell
// near the findings.
const maxSuspectLines = 6

// suspectLines says what differs between the sides and may be why they take another time.
func suspectLines(r *diff.Report) []string {
	all := words.Suspects(r)
	var out []string
	for _, s := range all[:min(maxSuspectLines, len(all))] {
		out = append(out, shortSentence(s))
	}
	if more := notShownText(len(all), maxSuspectLines, "differences"); more != "" {
		out = append(out, more)
	}
	return out
}

// suspects writes them on a terminal.
func (t *text) suspects(r *diff.Report) {
	lines := suspectLines(r)
	if len(lines) == 0 {
		return
	}
	t.heading(words.SuspectHeading)
	for _, l := range append(lines, words.SuspectNote(r)) {
		t.line("  ", 4, l)
	}
}

// suspects writes them in a comment.
func (c *comment) suspects(r *diff.Report) {
	lines := suspectLines(r)
	if len(lines) == 0 {
		return
	}
	c.line("\n**" + words.SuspectHeading + "**\n")
	for _, l := range lines {
		c.line("- " + escapeMarkdown(l))
	}
	c.line("\n" + words.SuspectNote(r))
}

// writeUpSuspects writes them in a write-up.
func writeUpSuspects(line func(string, ...any), r *diff.Report) {
	lines := suspectLines(r)
	if len(lines) == 0 {
		return
	}
	line("\n## %s\n", words.SuspectHeading)
	for _, l := range lines {
		line("- %s", escapeMarkdown(l))
	}
	line("\n%s", words.SuspectNote(r))
}
