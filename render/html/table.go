package html

import (
	"strings"

	"perfdiff/diff/verdict"
	"perfdiff/render/number"
)

// maxRows is how many rows of a table the page shows.
const maxRows = 200

// jsonHasAll says who has what the page leaves out: the page is passed on by itself.
const jsonHasAll = "whoever compares again with -o report.json gets them all."

type table struct {
	ID, Label string
	Heads     []head
	Rows      []row
	More      string // how many rows are left out
}

type head struct {
	Text, Unit string
	Left       bool
	Wide       bool // left out on narrow windows
}

type row struct {
	Cells []cell
	Total bool
	Rank  string // selects this rank; ""
	Step  string
	Pick  string // the kernel's id, or ""
	// Collective is the name of the collective that the row is about, or "".
	Collective string
}

type cell struct {
	Text, Class, Title, Small string
	Key                       string // part of the step whose colour stands in front of the text
	Value                     string // what the column is sorted by, where that is not its text
	Bars                      []bar  // drawn in the cell
	Of                        string // what the verdict behind the colour is about: a metric, or a kernel
	Link                      string // to the page of what Nsight Compute recorded of the kernel
	Head, Left, Wide          bool
}

// bar is a piece of a small bar: where it begins and how wide it is, in % of its place.
type bar struct {
	Class      string
	From, Wide float64
}

// cutRows leaves the first maxRows rows and says how many are left out.
func (t *table) cutRows() *table { return t.cutRowsTo(maxRows) }

func (t *table) cutRowsTo(most int) *table {
	if n := len(t.Rows); n > most {
		t.Rows = t.Rows[:most]
		t.More = number.Count(n-most) + " more rows are not on this page: " + jsonHasAll
	}
	return t
}

func heads(left string, others ...string) []head {
	out := []head{{Text: left, Left: true}}
	for _, text := range others {
		h := head{Text: text}
		if name, unit, ok := strings.Cut(text, ", "); ok {
			h.Text, h.Unit = name, unit
		}
		out = append(out, h)
	}
	return out
}

func headCell(text string) cell        { return cell{Text: text, Head: true} }
func leftCell(text string) cell        { return cell{Text: text, Left: true} }
func textCell(text, class string) cell { return cell{Text: text, Class: class} }

// numberCell returns a number whose decimal point lines up in its column.
func numberCell(v float64) cell { return cell{Text: alignNumber(number.Format(v))} }

// changeCells returns two values and their difference, with the decimals that give this two digits.
func changeCells(base, cand float64) []cell {
	f := number.RowIn(number.Scale{Factor: 1}, cand-base)
	return []cell{digitsCell(f, base), digitsCell(f, cand), {Text: alignNumber(f.Signed(cand - base))}}
}

// digitsCell returns a value with the digits of its row.
func digitsCell(f number.Row, v float64) cell { return cell{Text: alignNumber(f.Digits(v))} }

// changeCell returns a change in the colour of its verdict.
func (s *sheet) changeCell(text string, c *verdict.Comparison, change float64) cell {
	return cellOfClass(text, s.class(c, change), metricOfColour(c))
}

// class returns "better" or "worse", by the verdict on c and the sign of the change; "" without a
// verdict.
func (s *sheet) class(c *verdict.Comparison, change float64) string {
	if !s.judged {
		return ""
	}
	return c.Class(change).String()
}

// cellOfClass returns a cell in the colour of a class. of says what its verdict is about.
func cellOfClass(text, class, of string) cell {
	out := cell{Text: text, Class: class}
	if class != "" {
		out.Of = of
	}
	return out
}

// metricOfColour returns a comparison's name in cell.Of, as in JSON: "idle_time/input".
func metricOfColour(c *verdict.Comparison) string {
	switch {
	case c == nil:
		return ""
	case c.Key.Part == "":
		return c.Key.Metric
	}
	return c.Key.Metric + "/" + c.Key.Part
}

// alignNumber pads a number with figure spaces, so that decimal points line up in a right-aligned column. It allows
// for two decimals at most.
func alignNumber(s string) string {
	if s == number.None {
		return s
	}
	_, fraction, found := strings.Cut(s, ".")
	if !found {
		return s + "\u2008\u2007\u2007"
	}
	return s + strings.Repeat("\u2007", max(0, 2-len(fraction)))
}
