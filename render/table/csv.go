package table

import (
	"encoding/csv"
	"io"
	"strconv"
	"strings"
)

// WriteCSV writes a table as in RFC 4180, lines ending in \n: the names of the columns, then the rows. Numbers have as
// many digits as tell them from any other, no separators of thousands, and a float always a point or an exponent:
// readers that guess the type of a column by its first rows do not take one for a column of whole numbers. Texts are
// written as they are: one that begins with = + - or @ is a name and no formula, and an apostrophe before it would be
// another name for every reader but a spreadsheet.
func WriteCSV(w io.Writer, t *Table) error {
	out := csv.NewWriter(w)
	fields := make([]string, len(t.Columns))
	for i := range t.Columns {
		fields[i] = t.Columns[i].Name
	}
	if err := out.Write(fields); err != nil {
		return err
	}
	err := t.Rows(func(row []Cell) error {
		for i := range row {
			fields[i] = plainText(t.Columns[i].Kind, &row[i])
		}
		return out.Write(fields)
	})
	if err != nil {
		return err
	}
	out.Flush()
	return out.Error()
}

// plainText returns a value as text, "" for a missing one.
func plainText(kind Kind, c *Cell) string {
	switch {
	case !c.Present:
		return ""
	case kind == Integer:
		return strconv.FormatInt(c.Integer, 10)
	case kind == Bool:
		return strconv.FormatBool(c.Integer != 0)
	case kind == Float:
		return floatText(c.Float)
	}
	return c.Text
}

// floatText writes v with the fewest digits that read back as v, and never like a whole number.
func floatText(v float64) string {
	s := strconv.FormatFloat(v, 'g', -1, 64)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}
