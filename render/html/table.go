package html

import (
	"math"
	"strings"

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

// changeCell is a change, coloured where less (or more) is better and changes
// of at least least count.
func (s *sheet) changeCell(v, least float64) cell {
	c := cell{Text: align(number.Signed(v))}
	if s.data.Judged && math.Abs(v) >= least && v != 0 {
		c.Class = betterWorse(v < 0)
	}
	return c
}

func betterWorse(better bool) string {
	if better {
		return "better"
	}
	return "worse"
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
