package html

import (
	"fmt"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/policy"
	"perfdiff/diff/sides"
	"perfdiff/diff/verdict"
	"perfdiff/render/number"
	"perfdiff/render/words"
)

// environmentSection says what was compared and how the sides differ.
func (s *sheet) environmentSection() section {
	r := s.r
	sec := section{ID: "environment", Nav: "Environment", Title: "Do the two sides differ in anything else?", Reading: s.environmentReading()}
	compared := comparedTable(r, false)
	sec.Blocks = []block{{Heading: "What was compared", Table: &compared, Note: askedText(r)}}
	if len(r.Differences) > 0 {
		sec.Blocks = append(sec.Blocks, block{Heading: "What differs", Table: s.differenceTable()})
	}
	sec = appendBlock(sec, s.readsApart())
	if len(r.Same) > 0 {
		same := &table{Label: fmt.Sprintf("Same on both sides: %d settings", len(r.Same)), Heads: []head{{Text: "Setting", Left: true}, {Text: "Value", Left: true}}}
		for _, f := range r.Same {
			same.Rows = append(same.Rows, row{Cells: []cell{headCell(number.Capital(verdict.FactName(f.Key))), {Text: words.FactText(f.Key, f.Value), Left: true, Class: "wrapc"}}})
		}
		sec.Blocks = append(sec.Blocks, block{Values: same.cutRows()})
	}
	return appendBlock(sec, s.leftOutFiles())
}

func appendBlock(sec section, b *block) section {
	if b != nil {
		sec.Blocks = append(sec.Blocks, *b)
	}
	return sec
}

func ranksText(d *diff.Side) string {
	text := number.Counted(len(d.Ranks), "rank") + ": " + sides.Ranges(d.Ranks)
	if d.World > 0 {
		text += " of " + number.Count(d.World)
	}
	if len(d.Missing) > 0 {
		text += "; missing " + sides.Ranges(d.Missing)
	}
	return text
}

func filesText(d *diff.Side) string {
	bytes, bad := int64(0), 0
	for _, f := range d.Files {
		bytes += f.Bytes
		if f.Err != "" {
			bad++
		}
	}
	text := fmt.Sprintf("%s, %s", number.Counted(len(d.Files), "file"), number.ScaleOf("B", float64(bytes)).With(float64(bytes)))
	if bad > 0 {
		text += fmt.Sprintf("; %d left out", bad)
	}
	return text
}

func (s *sheet) environmentReading() string {
	count := map[string]int{}
	for _, d := range s.r.Differences {
		count[d.Class]++
	}
	var parts []string
	for _, c := range []struct{ class, text string }{
		{policy.ClassInvalidates, "forbid a verdict"}, {policy.ClassLook, "deserve a look"}, {policy.ClassHarmless, "are harmless"},
	} {
		n := count[c.class]
		if n == 0 {
			continue
		}
		text := c.text
		if n == 1 {
			text = map[string]string{"forbid a verdict": "forbids a verdict", "deserve a look": "deserves a look", "are harmless": "is harmless"}[c.text]
		}
		parts = append(parts, number.Word(n)+" "+text)
	}
	if len(parts) == 0 {
		if s.r.OfResults {
			return fmt.Sprintf("Nothing that the results name: all %d settings are the same.", len(s.r.Same))
		}
		return fmt.Sprintf("Nothing that the captures name: all %d settings are the same.", len(s.r.Same))
	}
	total := number.Counted(len(s.r.Differences), "difference")
	if len(s.r.Differences) == 1 {
		parts[0] = "it" + strings.TrimPrefix(parts[0], number.Word(1))
	}
	return number.Capital(total) + ": " + strings.Join(parts, ", ") + fmt.Sprintf(". %s the same.", number.Capital(number.Counted(len(s.r.Same), "setting"))+" "+isAre(len(s.r.Same)))
}

func (s *sheet) differenceTable() *table {
	t := &table{Label: "Differences", Heads: []head{{Text: "Setting", Left: true}, {Text: "Baseline", Left: true}, {Text: "Candidate", Left: true}, {Text: "Class", Left: true}, {Text: "Why", Left: true}}}
	class := map[string][2]string{policy.ClassInvalidates: {"Stop", "hold"}, policy.ClassLook: {"Look", "hold"}, policy.ClassHarmless: {"Harmless", ""}}
	for _, d := range s.r.Differences {
		k := class[d.Class]
		name, base, cand := words.Differs(&d)
		t.Rows = append(t.Rows, row{Cells: []cell{headCell(number.Capital(name)), {Text: orDash(base), Left: true, Class: "wrapc"}, {Text: orDash(cand), Left: true, Class: "wrapc"},
			{Text: k[0], Class: "strong " + k[1], Left: true}, {Text: number.Capital(words.Effect(&d)) + ".", Left: true, Class: "wrapc"}}})
	}
	return t.cutRows()
}

// leftOutFiles lists the files that could not be read; nil if there are none.
func (s *sheet) leftOutFiles() *block {
	t := &table{Label: "Files left out", Heads: []head{{Text: "File", Left: true}, {Text: "Side", Left: true}, {Text: "Why", Left: true}}}
	for _, side := range []struct {
		name string
		list []run.File
	}{{"Baseline", s.r.Base.Files}, {"Candidate", s.r.Cand.Files}} {
		for _, f := range side.list {
			if f.Err != "" {
				t.Rows = append(t.Rows, row{Cells: []cell{{Text: f.Name, Head: true, Class: "wrapc"}, leftCell(side.name), {Text: f.Err, Left: true, Class: "wrapc"}}})
			}
		}
	}
	if len(t.Rows) == 0 {
		return nil
	}
	return &block{Heading: "Files left out", Table: t.cutRows()}
}

// stepsFoundSection returns the receipt of how the steps were found.
func (s *sheet) stepsFoundSection() section {
	sec := section{ID: "steps-found", Nav: "How steps were found", Title: "How were the steps found?", Reading: s.foundReading()}
	t := &table{Label: "Steps of each side", Heads: []head{{Text: "Side", Left: true}, {Text: "Marker", Left: true}, {Text: "Found", Unit: "per rank"}, {Text: "Kept"}, {Text: "Used"}, {Text: "Left out", Left: true}, {Text: "Second anchor", Left: true}}}
	detail := &table{Label: "Steps of each file", Heads: []head{{Text: "Side", Left: true}, {Text: "File", Left: true}, {Text: "Marker", Left: true}, {Text: "Found"}, {Text: "Kept"}, {Text: "Left out", Left: true}, {Text: "Second anchor", Left: true}}}
	for _, side := range []struct {
		name string
		of   *diff.StepReceipt
	}{{"Baseline", &s.r.Base.Steps}, {"Candidate", &s.r.Cand.Steps}} {
		st := side.of
		t.Rows = append(t.Rows, row{Cells: []cell{headCell(side.name), leftCell(orDash(st.Marker)), textCell(number.Count(st.Found), ""), textCell(number.Count(st.Kept), ""), textCell(number.Count(st.Used), ""),
			{Text: orDash(droppedText(st.Dropped, st.WarmUp)), Left: true, Class: "wrapc"}, {Text: orDash(st.Second), Left: true, Class: "wrapc"}}})
		for _, k := range st.Receipts {
			detail.Rows = append(detail.Rows, row{Cells: []cell{headCell(side.name), leftCell(k.File), leftCell(orDash(k.Marker)), textCell(number.Count(k.Found), ""), textCell(number.Count(k.Kept), ""),
				{Text: orDash(droppedText(k.Dropped, 0)), Left: true, Class: "wrapc"}, {Text: orDash(k.Second), Left: true, Class: "wrapc"}}})
		}
	}
	sec.Blocks = []block{{Table: t}}
	if s.r.Base.Steps.Hint != "" || s.r.Cand.Steps.Hint != "" {
		sec.Blocks = append(sec.Blocks, block{Empty: &empty{What: "What would help:", How: stepHint(s.r)}})
	}
	if b := s.candidateTable(); b != nil {
		sec.Blocks = append(sec.Blocks, *b)
	}
	if len(detail.Rows) > 0 {
		sec.Blocks = append(sec.Blocks, block{Values: detail.cutRows()})
	}
	return sec
}

func droppedText(drops []run.Drop, warmUp int) string {
	var out []string
	for _, d := range drops {
		if len(d.Steps) == 0 {
			out = append(out, d.Reason)
			continue
		}
		out = append(out, sides.Ranges(d.Steps)+" ("+d.Reason+")")
	}
	if warmUp > 0 {
		out = append(out, number.Counted(warmUp, "step")+" of warm-up")
	}
	return strings.Join(out, "; ")
}

func (s *sheet) foundReading() string {
	say := func(d *diff.StepReceipt) string {
		if d.Found == 0 || d.Marker == "none" {
			return "none were found"
		}
		return fmt.Sprintf("from %s, %s used", d.Marker, number.Count(d.Used))
	}
	base, cand := say(&s.r.Base.Steps), say(&s.r.Cand.Steps)
	if base == cand {
		return "On both sides " + base + "."
	}
	return "Baseline: " + base + ". Candidate: " + cand + "."
}
