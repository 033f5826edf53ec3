package html

import (
	"cmp"

	"perfdiff/diff"
)

// source is where a side comes from, as the head of the page says it.
type source struct{ Text, Link string }

// sourceOf has a link where the side is one run of which one is known.
func sourceOf(s *diff.Side) source {
	out := source{Text: s.From()}
	if len(s.Origins) == 1 {
		out.Link = s.Origins[0].Link
	}
	return out
}

// titleOf is what a side is called in the title: by its label, its commit, or as what was
// given is called.
func titleOf(s *diff.Side) string {
	if len(s.Origins) == 1 {
		return cmp.Or(s.Origins[0].Label, s.Origins[0].Short(), s.Label)
	}
	return s.Label
}
