package html

import (
	"fmt"
	"strings"

	"perfdiff/diff/verdict"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// What a portrait is made of: where the run was, how its steps were found, and what to know of it.

// facts returns the settings that the captures name.
func (s *portraitSheet) facts() portraitSection {
	t := &table{Label: "settings", Heads: []head{{Text: "Setting", Left: true}, {Text: "Value", Left: true}}}
	for _, f := range s.p.Side.Facts {
		t.Rows = append(t.Rows, row{Cells: []cell{headCell(number.Capital(verdict.FactName(f.Key))), {Text: words.FactText(f.Key, f.Value), Left: true, Class: "wrapc"}}})
	}
	files := &table{Label: "files left out", Heads: []head{{Text: "File", Left: true}, {Text: "Why", Left: true}}}
	for _, f := range s.p.Side.Files {
		if f.Err != "" {
			files.Rows = append(files.Rows, row{Cells: []cell{{Text: f.Name, Head: true, Class: "wrapc"}, {Text: f.Err, Left: true, Class: "wrapc"}}})
		}
	}
	sec := of("environment", "Environment", "Where did it run?", "Files: "+filesText(&s.p.Side)+".")
	if len(t.Rows) > 0 {
		sec.Blocks = append(sec.Blocks, block{Table: cutTable(t)})
	}
	if len(files.Rows) > 0 {
		sec.Blocks = append(sec.Blocks, block{Heading: "Files left out", Table: cutTable(files)})
	}
	return sec
}

// found returns the receipt of how the steps were found.
func (s *portraitSheet) found() portraitSection {
	st := &s.p.Side.Steps
	t := &table{Label: "steps of each file", Heads: []head{{Text: "File", Left: true}, {Text: "Marker", Left: true}, {Text: "Found"}, {Text: "Kept"}, {Text: "Left out", Left: true}}}
	for _, k := range st.Receipts {
		t.Rows = append(t.Rows, row{Cells: []cell{headCell(k.File), leftCell(orDash(k.Marker)), textCell(number.Count(k.Found), ""), textCell(number.Count(k.Kept), ""),
			{Text: orDash(droppedText(k.Dropped, 0)), Left: true, Class: "wrapc"}}})
	}
	reading := "None were found."
	if st.Found > 0 && st.Marker != "none" {
		reading = fmt.Sprintf("By %s: %s found, %s used.", st.Marker, number.Count(st.Found), number.Count(st.Used))
		if left := droppedText(st.Dropped, st.WarmUp); left != "" {
			reading += " Left out: " + left + "."
		}
	}
	sec := of("steps-found", "How steps were found", "How were the steps found?", reading)
	if len(t.Rows) > 0 {
		sec.Blocks = []block{{Values: cutTable(t)}}
	}
	return sec
}

// warnings lists the warnings of the run set.
func (s *portraitSheet) warnings() portraitSection {
	sec := of("warnings", "Warnings", "What should you know before you trust this?", "No warnings.")
	b := block{}
	for i := range s.p.Warnings {
		w := &s.p.Warnings[i]
		b.Lines = append(b.Lines, line{File: w.File, Text: warningText(w)})
	}
	if n := len(b.Lines); n > 0 {
		sec.Reading = number.Capital(strings.Replace(number.Counted(n, "warning"), "1 ", "one ", 1)) + "."
		if n != 1 {
			sec.Reading = number.Capital(number.Word(n)) + " warnings."
		}
		sec.Blocks = []block{b}
	}
	return sec
}
