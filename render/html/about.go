package html

import (
	"cmp"
	"fmt"
	"strings"

	"perfdiff/diff"
	"perfdiff/render/words"
)

// identity tells at the head of the page which comparison this is: a page is passed on, and read again in a year.
type identity struct {
	Title   string
	Summary string // what stands open: when it was captured
	Table   table
	Command string
}

// shownDigits is how many digits of a digest the page shows; the title of the cell has all.
// Chosen, not measured: as many as of a commit on most pages.
const shownDigits = 12

func identityOf(r *diff.Report) identity {
	out := identity{Title: r.About.Title, Command: r.About.Command, Summary: "About this report", Table: comparedTable(r, true)}
	if day := capturedDay(r); day != "" {
		out.Summary = "Captured " + day
	}
	return out
}

// sideFact is a row about what was compared: a text, and its whole form if it was shortened.
type sideFact struct {
	name   string
	atHead bool // it tells this comparison from another one
	of     func(*diff.Side) (text, whole string)
}

func sideFacts() []sideFact {
	plain := func(of func(*diff.Side) string) func(*diff.Side) (string, string) {
		return func(s *diff.Side) (string, string) { return of(s), "" }
	}
	return []sideFact{
		{"Run set", true, plain(func(s *diff.Side) string { return s.Label })},
		{"From", true, plain(words.From)},
		{"Captured on", true, plain(func(s *diff.Side) string { return words.Captured(s.Captured) })},
		{"Runs", false, plain(func(s *diff.Side) string { return fmt.Sprintf("%d: %s", len(s.Runs), joinSome(words.RunNames(s), 8)) })},
		{"Ranks", true, plain(ranksText)},
		{"Rank numbers from", false, plain(func(s *diff.Side) string { return strings.Join(s.RanksFrom, ", ") })},
		{"Hosts", false, plain(func(s *diff.Side) string { return joinSome(s.Hosts, 16) })},
		{"GPUs", false, plain(func(s *diff.Side) string { return strings.Join(s.GPUs, ", ") })},
		{"Files", true, plain(filesText)},
		{"Digest of what was read", true, func(s *diff.Side) (string, string) { return s.Digest[:min(len(s.Digest), shownDigits)], s.Digest }},
	}
}

// comparedTable says what was compared: all of it, or at the head only what tells this comparison from another. A fact
// that is known of neither side has no row.
func comparedTable(r *diff.Report, atHead bool) table {
	t := table{Label: map[bool]string{true: "Which comparison this is", false: "What was compared"}[atHead], Heads: []head{{Text: "Compared", Left: true}, {Text: "Baseline", Left: true}, {Text: "Candidate", Left: true}}}
	add := func(name string, base, cand cell) {
		base.Left, cand.Left, base.Class, cand.Class = true, true, "wrapc", "wrapc"
		t.Rows = append(t.Rows, row{Cells: []cell{headCell(name), base, cand}})
	}
	if n := r.About.Names; n != [2]string{} {
		add("Called", cell{Text: n[0]}, cell{Text: n[1]})
	}
	for _, f := range sideFacts() {
		if atHead && !f.atHead || r.OfResults && strings.HasPrefix(f.name, "Rank") {
			continue
		}
		base, baseWhole := f.of(&r.Base)
		cand, candWhole := f.of(&r.Cand)
		if base != "" || cand != "" {
			add(f.name, cell{Text: orDash(base), Title: baseWhole}, cell{Text: orDash(cand), Title: candWhole})
		}
	}
	return t
}

// capturedDay says on which days both sides were captured: "2026-03-01", "2026-03-01 and 2026-03-02"; "" if a side
// does not say.
func capturedDay(r *diff.Report) string {
	base, cand := days(&r.Base), days(&r.Cand)
	switch {
	case base == "" || cand == "":
		return ""
	case base == cand:
		return base
	}
	return base + " and " + cand
}

// days returns the day, or the first and the last, on which a side was captured.
func days(s *diff.Side) string {
	const day = len("2026-03-01")
	text := words.Captured(s.Captured)
	if text == "" {
		return ""
	}
	first, last, _ := strings.Cut(text, " to ")
	first, last = first[:day], cmp.Or(last, first)[:day]
	if first == last {
		return first
	}
	return first + " to " + last
}

// askedText says what was asked; "" where that is not known.
func askedText(r *diff.Report) string {
	if r.About.Command == "" {
		return ""
	}
	return "Asked, without paths and without what changes nothing here: " + r.About.Command
}
