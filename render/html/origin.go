package html

import (
	"cmp"

	"perfdiff/diff"
	"perfdiff/render/words"
)

// runOrigin is the text and link in the head of the page that say where a side comes from.
type runOrigin struct{ Text, Link string }

// originOf has a link if the side is one run, and a link is known for it.
func originOf(s *diff.Side) runOrigin {
	out := runOrigin{Text: words.From(s)}
	if len(s.Origins) == 1 {
		out.Link = s.Origins[0].Link
	}
	return out
}

// pageTitle returns the title of the window: the verdict, and the two sides.
func pageTitle(r *diff.Report) string {
	return words.Tag(r) + ": " + cmp.Or(r.About.Title, cmp.Or(r.About.Names[0], titleOf(&r.Base))+" / "+cmp.Or(r.About.Names[1], titleOf(&r.Cand)))
}

// titleOf returns a side's name for the title: its label, else its commit, else the name of what was given.
func titleOf(s *diff.Side) string {
	if len(s.Origins) == 1 {
		return cmp.Or(s.Origins[0].Label, s.Origins[0].Short(), s.Label)
	}
	return s.Label
}
