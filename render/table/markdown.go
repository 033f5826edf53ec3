package table

import (
	"io"
	"strings"
)

// WriteMarkdown writes a table as GitHub's Markdown has it, numbers to the right. A value that was
// not recorded is a dash. number writes a number for people with its unit, and escape makes any
// text safe in a cell.
func WriteMarkdown(w io.Writer, t *Table, number func(unit string, v float64) string, escape func(string) string) error {
	head, rule := make([]string, len(t.Columns)), "|"
	for i := range t.Columns {
		c := &t.Columns[i]
		head[i] = escape(c.Name)
		rule += map[bool]string{true: "--:|", false: ":--|"}[c.Kind == Integer || c.Kind == Float]
	}
	line := func(fields []string) error {
		_, err := io.WriteString(w, "| "+strings.Join(fields, " | ")+" |\n")
		return err
	}
	if err := line(head); err != nil {
		return err
	}
	if _, err := io.WriteString(w, rule+"\n"); err != nil {
		return err
	}
	return t.Rows(func(row []Cell) error {
		fields := make([]string, len(row))
		for i := range row {
			switch kind := t.Columns[i].Kind; {
			case !row[i].Present:
				fields[i] = "-"
			case kind == Float:
				fields[i] = number(t.unitOf(i, row), row[i].Float)
			default:
				fields[i] = escape(plainText(kind, &row[i]))
			}
		}
		return line(fields)
	})
}

// unitOf is the unit of a number in a row.
func (t *Table) unitOf(column int, row []Cell) string {
	c := &t.Columns[column]
	if c.InRow == NoUnit {
		return c.Unit
	}
	unit := ""
	for i := range t.Columns {
		switch name := t.Columns[i].Name; {
		case name == "relative" && c.InRow == RowShare && row[i].Present && row[i].Integer != 0:
			return "ratio"
		case name == "unit":
			unit = row[i].Text
		}
	}
	return unit
}
