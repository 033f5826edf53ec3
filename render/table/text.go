package table

import (
	"io"
	"strings"
	"unicode/utf8"
)

// firstRows is how many rows decide how wide columns are: the rows of a large job are not held.
const firstRows = 1000

// textGap is between two columns.
const textGap = "  "

// WriteText writes a table in aligned columns, numbers to the right. A value that was
// not recorded is a dash. number writes a number for people with its unit, and clean makes any text
// safe to print in one line.
func WriteText(w io.Writer, t *Table, number func(unit string, v float64) string, clean func(string) string) error {
	out := &textTable{w: w, kinds: make([]Kind, len(t.Columns)), width: make([]int, len(t.Columns))}
	head := make([]string, len(t.Columns))
	for i := range t.Columns {
		c := &t.Columns[i]
		out.kinds[i], head[i] = c.Kind, clean(c.Name)
	}
	if err := out.add(head); err != nil {
		return err
	}
	err := t.Rows(func(row []Cell) error {
		fields := make([]string, len(row))
		for i := range row {
			switch kind := out.kinds[i]; {
			case !row[i].Present:
				fields[i] = "-"
			case kind == Float:
				fields[i] = number(t.unitOf(i, row), row[i].Float)
			default:
				fields[i] = clean(plainText(kind, &row[i]))
			}
		}
		return out.add(fields)
	})
	if err != nil {
		return err
	}
	return out.flush()
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

// textTable is a table in the making.
type textTable struct {
	w     io.Writer
	kinds []Kind
	width []int // of columns, in characters
	first [][]string
	wide  bool // widths are decided
}

// add writes a row once widths are decided.
func (t *textTable) add(fields []string) error {
	if t.wide {
		return t.line(fields)
	}
	for i, f := range fields {
		t.width[i] = max(t.width[i], utf8.RuneCountInString(f))
	}
	if t.first = append(t.first, fields); len(t.first) > firstRows {
		return t.flush()
	}
	return nil
}

// flush decides widths and writes the rows that waited for that.
func (t *textTable) flush() error {
	t.wide = true
	for _, fields := range t.first {
		if err := t.line(fields); err != nil {
			return err
		}
	}
	t.first = nil
	return nil
}

func (t *textTable) line(fields []string) error {
	var b strings.Builder
	for i, f := range fields {
		if i > 0 {
			b.WriteString(textGap)
		}
		pad := strings.Repeat(" ", max(0, t.width[i]-utf8.RuneCountInString(f)))
		if kind := t.kinds[i]; kind == Integer || kind == Float {
			f, pad = pad+f, ""
		}
		b.WriteString(f + pad)
	}
	_, err := io.WriteString(t.w, strings.TrimRight(b.String(), " ")+"\n")
	return err
}
