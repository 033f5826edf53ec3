package render

import (
	"slices"
	"strings"

	"perfdiff/diff"
	"perfdiff/render/number"
)

// sheet is a table for people: what it says is in words and units already. It is described once and printed
// as Markdown, as LaTeX or in a terminal.
type sheet struct {
	name    string // of its label in LaTeX: "metrics"; "" where it is not written there
	heading string
	intro   string // a sentence or two on what stands in it; "": none
	align   string // of its columns: "lrrl", l at the left and r at the right
	heads   []string
	ofSides bool // columns 1 and 2 are the sides
	rows    [][]sheetCell
}

// sheetCell is a text of a table, as plain characters.
type sheetCell struct {
	text   string
	code   bool // a name of a program's
	bold   bool
	marked bool // it is Markdown already, of a table that has no other form
}

// cells returns plain texts in a row.
func cells(texts ...string) []sheetCell {
	out := make([]sheetCell, len(texts))
	for i, s := range texts {
		out[i].text = s
	}
	return out
}

// nameAndCells returns cells after a name that a program gave.
func nameAndCells(name string, texts ...string) []sheetCell {
	return append([]sheetCell{{text: name, code: true}}, cells(texts...)...)
}

// markedCells returns texts that are Markdown already.
func markedCells(texts ...string) []sheetCell {
	out := cells(texts...)
	for i := range out {
		out[i].marked = true
	}
	return out
}

// nameOrNone returns a name of a program's, or a dash where it is empty.
func nameOrNone(s string) sheetCell {
	if strings.TrimSpace(s) == "" {
		return sheetCell{text: number.None}
	}
	return sheetCell{text: s, code: true}
}

// inBold returns a row in bold letters.
func inBold(row []sheetCell) []sheetCell {
	for i := range row {
		row[i].bold = row[i].text != ""
	}
	return row
}

// add adds a row.
func (s *sheet) add(row ...sheetCell) { s.rows = append(s.rows, row) }

// first returns the table with at most so many rows.
func (s sheet) first(most int) *sheet {
	s.rows = s.rows[:min(len(s.rows), most)]
	return &s
}

// texts returns the rows as plain characters.
func (s *sheet) texts() (rows [][]string) {
	for _, row := range s.rows {
		var out []string
		for i := range row {
			out = append(out, row[i].text)
		}
		rows = append(rows, out)
	}
	return rows
}

// capital returns the table for a write-up: heads and names begin with a capital letter, except for what the user
// calls the sides.
func (s sheet) capital(r *diff.Report) *sheet {
	sides := paperHeads(r)
	s.heads, s.rows = slices.Clone(s.heads), slices.Clone(s.rows)
	for i, h := range s.heads {
		if s.heads[i] = number.Capital(h); s.ofSides && (i == 1 || i == 2) {
			s.heads[i] = sides[i-1]
		}
	}
	for i, row := range s.rows {
		s.rows[i] = slices.Clone(row)
		s.rows[i][0].text = number.Capital(row[0].text)
	}
	return &s
}

// markdown returns the lines of the table.
func (s *sheet) markdown() []string {
	out := []string{markdownRow(cells(s.heads...)), "|" + strings.NewReplacer("l", ":--|", "r", "--:|").Replace(s.align)}
	for _, row := range s.rows {
		out = append(out, markdownRow(row))
	}
	return out
}

func markdownRow(row []sheetCell) string {
	out := make([]string, len(row))
	for i := range row {
		out[i] = row[i].markdown()
	}
	return "| " + strings.Join(out, " | ") + " |"
}

func (c *sheetCell) markdown() string {
	s := c.text
	switch {
	case c.code:
		s = codeSpan(s)
	case !c.marked:
		s = escapeMarkdown(s)
	}
	if c.bold {
		s = "**" + s + "**"
	}
	return s
}

// writeInto writes the table under its heading into a write-up; nothing where it has no rows.
func (s *sheet) writeInto(line func(string, ...any)) {
	if len(s.rows) == 0 {
		return
	}
	line("\n## %s\n", s.heading)
	if s.intro != "" {
		line("%s\n", escapeMarkdown(s.intro))
	}
	for _, l := range s.markdown() {
		line("%s", l)
	}
}

// table adds the lines of a table to a comment.
func (c *comment) table(s *sheet) {
	for _, l := range s.markdown() {
		c.line(l)
	}
}

// foldedTable adds a table that readers must open to see, with its introduction and lines below it; nothing
// where it has no rows.
func (c *comment) foldedTable(s *sheet, below ...string) {
	if len(s.rows) == 0 {
		return
	}
	c.folded(s.heading, func() {
		if s.intro != "" {
			c.line(escapeMarkdown(s.intro) + "\n")
		}
		c.table(s)
		for _, l := range below {
			if l != "" {
				c.line("\n" + l)
			}
		}
	})
}

// latex returns the table as a float with rules of the package booktabs; "" where it has no rows.
func (s *sheet) latex() string {
	if len(s.rows) == 0 {
		return ""
	}
	caption := s.heading + "."
	if s.intro != "" {
		caption += " " + s.intro
	}
	var b strings.Builder
	b.WriteString("\\begin{table}\n\\centering\n\\caption{" + latexText(caption) + "}\n\\label{tab:perfdiff-" + s.name + "}\n")
	b.WriteString("\\begin{tabular}{" + s.align + "}\n\\toprule\n" + latexRow(cells(s.heads...)) + "\\midrule\n")
	for _, row := range s.rows {
		b.WriteString(latexRow(row))
	}
	b.WriteString("\\bottomrule\n\\end{tabular}\n\\end{table}\n")
	return b.String()
}

func latexRow(row []sheetCell) string {
	out := make([]string, len(row))
	for i := range row {
		out[i] = row[i].latex()
	}
	return strings.Join(out, " & ") + " \\\\\n"
}

func (c *sheetCell) latex() string {
	s := latexText(c.text)
	if c.code && s != "" {
		s = "\\texttt{" + s + "}"
	}
	if c.bold {
		s = "\\textbf{" + s + "}"
	}
	return s
}

// lay writes rows below each other in a terminal: columns of "l" at the left and of "r" at the right, indent
// before the first and gap between them. classes colours the last cell of each row; nil: none is coloured.
func (t *text) lay(rows [][]string, align string, indent, gap int, classes []string) {
	widths := columnWidths(rows)
	for k, row := range rows {
		line := strings.Repeat(" ", indent)
		for i, cell := range row {
			if i > 0 {
				line += strings.Repeat(" ", gap)
			}
			cell = spaces.Replace(cell)
			if i < len(row)-1 || align[i] == 'r' {
				cell = padTo(cell, widths[i], align[i] == 'r')
			} else if classes != nil {
				cell = t.paint(classes[k], cell)
			}
			line += cell
		}
		t.WriteString(strings.TrimRight(line, " ") + "\n")
	}
}

// layWhereItFits writes rows with two columns between them or one; false where the terminal is too narrow.
func (t *text) layWhereItFits(rows [][]string, align string) bool {
	for _, gap := range []int{2, 1} {
		if widthOf(rows, 0, gap) <= t.width {
			t.lay(rows, align, 0, gap, nil)
			return true
		}
	}
	return false
}

// widthOf returns how wide rows are, laid with such an indent and gap.
func widthOf(rows [][]string, indent, gap int) int {
	sum := indent - gap
	for _, w := range columnWidths(rows) {
		sum += w + gap
	}
	return sum
}

// columnWidths returns how wide the columns of rows are.
func columnWidths(rows [][]string) []int {
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], columnsOf(spaces.Replace(cell)))
		}
	}
	return widths
}

// onlyColumns returns rows reduced to some of their columns.
func onlyColumns(rows [][]string, columns ...int) [][]string {
	out := make([][]string, len(rows))
	for i, row := range rows {
		for _, k := range columns {
			out[i] = append(out[i], row[k])
		}
	}
	return out
}
