package html

import (
	"strings"

	"perfdiff/diff"
	"perfdiff/diff/number"
)

// maxRows is how many rows of values a page shows of one chart.
const maxRows = 200

type table struct {
	ID, Label string
	Heads     []head
	Rows      []row
	More      string // what is not shown
}

type head struct {
	Text, Unit string
	Left       bool
	Sort       bool
	Wide       bool // left out on narrow windows
}

type row struct {
	Cells []cell
	Total bool
	Rank  string // selects this rank, or ""
	Step  string
	Pick  string // the kernel's number, or ""
}

type cell struct {
	Text, Class, Title, Small string
	Key                       string // part of the step whose colour stands in front
	Value                     string // what the column is sorted by
	Of                        string // on what a colour stands: a metric, or a kernel
	Head, Left, Wide          bool
}

// cut leaves the first maxRows rows and says how many there are more.
func (t *table) cut() *table {
	if n := len(t.Rows); n > maxRows {
		t.Rows = t.Rows[:maxRows]
		t.More = number.Count(n-maxRows) + " more rows are in the JSON form of this report."
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

// numberCell is a value whose decimal point lines up with its column.
func numberCell(v float64) cell { return cell{Text: align(number.Format(v))} }

// changeCell is a change in the colour of its verdict.
func (s *sheet) changeCell(text string, c *diff.Comparison, change float64) cell {
	return classed(text, s.class(c, change), ofMetric(c))
}

// class is what the verdict on c says of a change, "better" or "worse"; "" where there is none.
func (s *sheet) class(c *diff.Comparison, change float64) string {
	if !s.judged {
		return ""
	}
	return c.Class(change)
}

// classed is a cell in the colour of a class, with what has the class.
func classed(text, class, of string) cell {
	out := cell{Text: text, Class: class}
	if class != "" {
		out.Of = of
	}
	return out
}

// ofMetric names a comparison as the JSON form does: "idle_time/input".
func ofMetric(c *diff.Comparison) string {
	switch {
	case c == nil:
		return ""
	case c.Key.Part == "":
		return c.Key.Metric
	}
	return c.Key.Metric + "/" + c.Key.Part
}

// align pads a number with figure spaces, so that decimal points stand below
// each other in a column set flush right. Two decimals are the most.
func align(s string) string {
	if s == number.None {
		return s
	}
	_, fraction, found := strings.Cut(s, ".")
	if !found {
		return s + "\u2008\u2007\u2007"
	}
	return s + strings.Repeat("\u2007", max(0, 2-len(fraction)))
}
