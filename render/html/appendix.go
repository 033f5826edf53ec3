package html

import (
	"cmp"
	"strings"

	"perfdiff/render/number"
)

// The findings are the page; the sections behind them are its appendix. A section shows what it
// says and its charts. Its tables, and how to read them, are folded behind one line, which a
// reader opens, and a browser's search as well.

// openTables lists the tables that are open from the start, by section and heading: those that answer a question that
// no chart answers. With the one at the waterfall a page has five at most, as it has only one of loads and calls.
var openTables = map[string]string{"metrics": "", "kernels": "", "loads": "", "calls": "", "environment": "What differs"}

// foldSections folds the appendix of each section into a line.
func foldSections(all []section) {
	for i := range all {
		sec := &all[i]
		var seen []block
		heading, open := openTables[sec.ID]
		open = open && !sec.Quiet
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

// split splits a block into what is seen and what is folded away; nil if there is nothing of a kind. With open its
// table is seen.
func split(b *block, open bool) (seen, folded *block) {
	charted := len(b.Charts) > 0 || b.Tall != nil || b.Timeline != nil || b.Empty != nil || b.Switch != nil
	keep := open && b.Table != nil
	if !charted && !keep {
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
	tables, terms, notes, label := 0, 0, false, ""
	for i := range blocks {
		b := &blocks[i]
		for _, t := range []*table{b.Table, b.Values} {
			if t != nil {
				tables++
				label = cmp.Or(t.Label, "table of values")
			}
		}
		terms += len(b.Terms)
		notes = notes || b.Note != "" || len(b.Paragraphs) > 0
	}
	var out []string
	switch {
	case tables == 1:
		out = append(out, label)
	case tables > 1:
		out = append(out, number.Counted(tables, "table"))
	}
	if terms > 0 {
		out = append(out, number.Counted(terms, "term"))
	}
	if notes {
		out = append(out, "notes")
	}
	return number.Capital(strings.Join(out, " and "))
}
