package html

import (
	"cmp"
	"slices"
	"strings"

	"perfdiff/analyze/source/remedy"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// The answer is the page. A few sections that explain it are open behind it, each with what it says and its charts; its
// tables, and how to read them, are folded behind one line. Of every other section there is a line, which a reader
// opens, and an address or a browser's search as well.

// openTables lists the tables that are open from the start, by section and heading: those that answer a question that
// no chart answers. With the one at the waterfall a page has five at most, as it has only one of loads and calls.
var openTables = map[string]string{"metrics": "", "kernels": "", "loads": "", "calls": "", "environment": "What differs"}

// foldSections folds the appendix of each section into a line.
func foldSections(all []section) {
	for i := range all {
		sec := &all[i]
		var seen []block
		heading, open := openTables[sec.ID]
		if !open && len(sec.Blocks) > 0 && !slices.ContainsFunc(sec.Blocks, charted) { // nothing else to see
			heading, open = sec.Blocks[0].Heading, true
		}
		for k := range sec.Blocks {
			if len(sec.Blocks[k].Lines) > 0 { // warnings are read first
				seen = append(seen, sec.Blocks[k])
				continue
			}
			this := open && sec.Blocks[k].Table != nil && sec.Blocks[k].Heading == heading
			shown, folded := split(&sec.Blocks[k], this)
			open = open && !this
			if shown != nil {
				seen = append(seen, *shown)
			}
			if folded != nil {
				sec.Folded = append(sec.Folded, *folded)
			}
		}
		sec.Blocks, sec.FoldedAs = seen, foldedAs(sec.Folded)
		if sec.FoldedAs == "" {
			sec.Folded = nil
		}
	}
}

// charted reports whether a block has more to see than tables and notes.
func charted(b block) bool {
	return len(b.Charts) > 0 || b.Timeline != nil || b.Empty != nil || b.Switch != nil
}

// split splits a block into what is seen and what is folded away; nil if there is nothing of a kind. With open its
// table is seen.
func split(b *block, open bool) (seen, folded *block) {
	keep := open && b.Table != nil
	if b.Below || !charted(*b) && !keep {
		return nil, b
	}
	shown, rest := *b, block{Panel: b.Panel, Heading: b.Heading, Note: b.Note, Values: b.Values, Paragraphs: b.Paragraphs, Terms: b.Terms}
	shown.Note, shown.Values, shown.Paragraphs, shown.Terms = "", nil, nil, nil
	if !keep {
		rest.Table = b.Table
		shown.Table = nil
	}
	if rest.Table == nil && rest.Note == "" && rest.Values == nil && rest.Paragraphs == nil && rest.Terms == nil {
		return &shown, nil
	}
	return &shown, &rest
}

// foldedAs names what is folded: "4 tables and notes", or the only table; "" if nothing is.
func foldedAs(blocks []block) string {
	tables, notes, label := 0, false, ""
	for i := range blocks {
		b := &blocks[i]
		for _, t := range []*table{b.Table, b.Values} {
			if t != nil {
				tables++
				label = cmp.Or(t.Label, "table of values")
			}
		}
		notes = notes || b.Note != "" || len(b.Paragraphs) > 0
	}
	var out []string
	switch {
	case tables == 1:
		out = append(out, label)
	case tables > 1:
		out = append(out, number.Counted(tables, "table"))
	}
	if notes {
		out = append(out, "notes")
	}
	return number.Capital(strings.Join(out, " and "))
}

// openSections are those that are open on every page that has an answer to explain. Of any other a page has a line,
// but for those in which a finding stands.
var openSections = []string{"rank-steps", "steps", "timeline", "kernels", "metrics", "loads", "calls"}

// openAndRest parts the sections into those that are open and those of which a line is. Where nothing changed all are
// lines: the first screen is the answer.
func (s *sheet) openAndRest(all []section) (open, rest []section) {
	found := map[string]bool{}
	for i := range s.r.Findings {
		if f := &s.r.Findings[i]; standsOut(f.Class) {
			found[f.Section] = true
		}
	}
	found["ranks"] = found["ranks"] && s.tooManyRanks() // of few ranks the table names none that stands out: the maps do
	quiet := pageLook(s.r) == verdict.Unchanged.String()
	for i := range all {
		id, shows := all[i].ID, slices.ContainsFunc(all[i].Blocks, func(b block) bool { return b.Empty == nil })
		if shows && (found[id] || !quiet && slices.Contains(openSections, id)) || len(s.r.Steps) == 0 && id == "steps-found" {
			open = append(open, all[i])
		} else {
			rest = append(rest, all[i])
		}
	}
	return open, rest
}

// standsOut reports whether a finding of a class says that something changed.
func standsOut(c verdict.Class) bool {
	return c == verdict.ClassBetter || c == verdict.ClassWorse || c == verdict.ClassLook
}

// withDistributions moves the distributions of quantities to the end of the metrics.
func withDistributions(all []section) []section {
	at := func(id string) int { return slices.IndexFunc(all, func(sec section) bool { return sec.ID == id }) }
	from, to := at("distribution"), at("metrics")
	if from < 0 || to < 0 {
		return all
	}
	d := &all[from]
	d.Blocks[0].ID, d.Blocks[0].Heading, d.Blocks[0].Sub = d.ID, d.Title, d.Reading
	all[to].Blocks = append(all[to].Blocks, d.Blocks...)
	return slices.Delete(all, from, from+1)
}

// lacks stands in place of something that was not recorded.
func lacks(what remedy.Topic) *empty { return &empty{Lacks: []remedy.Topic{what}} }

// gatherMissing takes what was not recorded out of all sections, and those that have nothing else. One line says all of
// it, and what would record it.
func gatherMissing(s *sheet, all []section) (out []section) {
	var topics []remedy.Topic
	missing := section{ID: "not-recorded", Nav: "Not recorded"}
	for _, sec := range all {
		var has []block
		for _, b := range sec.Blocks {
			if b.Empty != nil && b.Empty.Lacks != nil {
				topics = append(topics, b.Empty.Lacks...)
				b.Empty = nil
				if len(b.Charts) == 0 && b.Table == nil && b.Values == nil {
					continue
				}
			}
			has = append(has, b)
		}
		if len(sec.Blocks) > 0 && len(has) == 0 {
			missing.Also = append(missing.Also, sec.ID)
			continue
		}
		sec.Blocks = has
		out = append(out, sec)
	}
	if len(topics) > 0 {
		slices.Sort(topics)
		missing.Reading = remedy.Together(slices.Compact(topics), s.r.Profilers)
		out = append(out, missing)
	}
	return out
}
