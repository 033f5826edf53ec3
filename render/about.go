package render

import (
	"strings"

	"perfdiff/diff"
	"perfdiff/render/words"
)

// The longest names of sides at the head of a column, in characters: on a terminal, whose tables
// have six columns in 80, and elsewhere.
const (
	maxTextHead = 14
	maxHead     = 40
)

// textHeads returns the heads of the sides' columns on a terminal.
func textHeads(r *diff.Report) [2]string { return cleanBoth(words.Sides(r, maxTextHead), cleanText) }

// commentHeads returns the names of both sides for a comment in Markdown.
func commentHeads(r *diff.Report) [2]string { return cleanBoth(words.Sides(r, maxHead), cleanText) }

// paperHeads returns the same as plain characters.
func paperHeads(r *diff.Report) [2]string { return cleanBoth(words.SideHeads(r, maxHead), cleanText) }

// figureHeads returns the names of the sides in a figure of a write-up.
func figureHeads(r *diff.Report) [2]string {
	return cleanBoth(words.SideHeads(r, maxTextHead), cleanText)
}

func cleanBoth(s [2]string, clean func(string) string) [2]string {
	return [2]string{clean(s[0]), clean(s[1])}
}

// nameOf returns what the user calls a side, "" nothing.
func nameOf(r *diff.Report, side int) string { return shortName(r.About.Names[side]) }

// titleText returns the title of a report on one line; "" none was given.
func titleText(r *diff.Report) string { return shorten(strings.TrimSpace(r.About.Title), 2*maxName) }

// shownDigits is how many digits of a digest are written. Chosen, not measured: as many as of a
// commit on most pages.
const shownDigits = 12

// shortDigest returns the beginning of a digest.
func shortDigest(d string) string { return d[:min(len(d), shownDigits)] }
