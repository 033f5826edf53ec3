package table

import (
	"io"
	"strings"
)

// WriteMarkdown writes a table as GitHub's Markdown has it, numbers to the right. A value that was
// not recorded is a dash. number writes a number for people with its unit, which is that of the
// column or, where that has none, in the row's column "unit"; escape makes any text safe in a cell.
func WriteMarkdown(
	w io.Writer, t *Table, number func(unit string, v float64) string, escape func(string) string,
) error {
	head, rule, unit := make([]string, len(t.Columns)), "|", -1
	for i := range t.Columns {
		c := &t.Columns[i]
		head[i] = escape(c.Name)
		rule += map[bool]string{true: "--:|", false: ":--|"}[c.Kind == Integer || c.Kind == Float]
		if c.Name == "unit" {
			unit = i
		}
	}
	line := func(fields []string, rest string) error {
		_, err := io.WriteString(w, "| "+strings.Join(fields, " | ")+" |\n"+rest)
		return err
	}
	if err := line(head, rule+"\n"); err != nil {
		return err
	}
	return t.Rows(func(row []Cell) error {
		fields := make([]string, len(row))
		for i := range row {
			c := &t.Columns[i]
			switch {
			case !row[i].Present:
				fields[i] = "-"
			case c.Kind == Float && c.Unit == "" && unit >= 0:
				fields[i] = number(row[unit].Text, row[i].Float)
			case c.Kind == Float:
				fields[i] = number(c.Unit, row[i].Float)
			default:
				fields[i] = escape(plainText(c.Kind, &row[i]))
			}
		}
		return line(fields, "")
	})
}
