package render

import (
	"strings"
)

// paperTable is a table of a write-up, which is written as Markdown and as LaTeX. The first
// column and those of "l" stand left, those of "r" right.
type paperTable struct {
	name    string // of its label in LaTeX: "metrics"
	heading string
	intro   string // a sentence or two on what stands in it; "": none
	columns string // "lrrl"
	heads   []string
	rows    [][]paperCell
}

// paperCell is a text of a table, as plain characters.
type paperCell struct {
	text string
	code bool // a name of a program's
	bold bool
}

// cells are plain texts in a row.
func cells(texts ...string) []paperCell {
	out := make([]paperCell, len(texts))
	for i, s := range texts {
		out[i].text = s
	}
	return out
}

// inBold is a row in bold letters.
func inBold(row []paperCell) []paperCell {
	for i := range row {
		row[i].bold = row[i].text != ""
	}
	return row
}

// markdown writes the table under its heading; nothing where it has no rows.
func (t *paperTable) markdown(line func(string, ...any)) {
	if len(t.rows) == 0 {
		return
	}
	line("\n## %s\n", t.heading)
	if t.intro != "" {
		line("%s\n", escapeMarkdown(t.intro))
	}
	rule := strings.NewReplacer("l", ":--|", "r", "--:|").Replace(t.columns)
	var heads []string
	for _, h := range t.heads {
		heads = append(heads, escapeMarkdown(h))
	}
	line("| %s |\n|%s", strings.Join(heads, " | "), rule)
	for _, row := range t.rows {
		var out []string
		for _, c := range row {
			out = append(out, c.markdown())
		}
		line("| %s |", strings.Join(out, " | "))
	}
}

func (c *paperCell) markdown() string {
	s := escapeMarkdown(c.text)
	if c.code {
		s = codeSpan(c.text)
	}
	if c.bold {
		s = "**" + s + "**"
	}
	return s
}

// latex is the table as a float with rules of the package booktabs; "" where it has no rows.
func (t *paperTable) latex() string {
	if len(t.rows) == 0 {
		return ""
	}
	caption := t.heading + "."
	if t.intro != "" {
		caption += " " + t.intro
	}
	var heads []string
	for _, h := range t.heads {
		heads = append(heads, latexText(h))
	}
	var b strings.Builder
	b.WriteString("\\begin{table}\n\\centering\n\\caption{" + latexText(caption) + "}\n\\label{tab:perfdiff-" + t.name + "}\n")
	b.WriteString("\\begin{tabular}{" + t.columns + "}\n\\toprule\n" + strings.Join(heads, " & ") + " \\\\\n\\midrule\n")
	for _, row := range t.rows {
		var out []string
		for _, c := range row {
			out = append(out, c.latex())
		}
		b.WriteString(strings.Join(out, " & ") + " \\\\\n")
	}
	b.WriteString("\\bottomrule\n\\end{tabular}\n\\end{table}\n")
	return b.String()
}

func (c *paperCell) latex() string {
	s := latexText(c.text)
	if c.code && s != "" {
		s = "\\texttt{" + s + "}"
	}
	if c.bold {
		s = "\\textbf{" + s + "}"
	}
	return s
}
