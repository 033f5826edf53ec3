package render

import (
	"maps"
	"slices"
	"strings"

	"perfdiff/diff"
	"perfdiff/render/table"
	"perfdiff/render/words"
)

// Tables holds a report as flat tables, for programs that compute with it.
type Tables struct {
	r    *diff.Report
	keys []string // "metric" or "metric/part": what some rank has values of, in the order of the metrics' descriptions
}

// TablesOf returns the tables of r.
func TablesOf(r *diff.Report) *Tables {
	seen := map[string]bool{}
	for side := range r.Runs {
		for i := range r.Runs[side] {
			for _, rank := range r.Runs[side][i].Ranks {
				for key := range rank.Values {
					seen[key] = true
				}
			}
		}
	}
	t := &Tables{r: r}
	t.order(seen)
	return t
}

// Policy says how the policy differs from the default; "" if it does not.
func (t *Tables) Policy() string { return spaces.Replace(words.PolicyLine(&t.r.Policy)) }

// order puts keys of values in the order of the metrics' descriptions, and then of the parts.
func (t *Tables) order(seen map[string]bool) {
	place := map[string]int{}
	for i := range t.r.Descriptions {
		place[t.r.Descriptions[i].Name] = i - len(t.r.Descriptions)
	}
	t.keys = slices.SortedFunc(maps.Keys(seen), func(a, b string) int {
		x, _, _ := strings.Cut(a, "/")
		y, _, _ := strings.Cut(b, "/")
		if place[x] != place[y] {
			return place[x] - place[y]
		}
		return strings.Compare(a, b)
	})
}

// All returns the tables, in reading order.
func (t *Tables) All() []table.Table {
	return []table.Table{t.metrics(), t.findings(), t.parts(), t.runs(), t.rankTable(), t.steps(), t.stepTimes(), t.rankWaits(),
		t.collectives(), t.calls(), t.kernels(), t.summaries(), t.gaps(), t.gapLengths()}
}

// TableNames returns the names of all tables.
func TableNames() (names []string) {
	for _, x := range TablesOf(&diff.Report{}).All() {
		names = append(names, x.Name)
	}
	return names
}

// tableOf returns a table with columns and rows.
func tableOf(name, doc string, columns []table.Column, rows func(*tableRow) error) table.Table {
	return table.Table{
		Schema: table.Schema{Name: name, Doc: doc, Columns: columns},
		Rows: func(emit func([]table.Cell) error) error {
			return rows(&tableRow{cells: make([]table.Cell, 0, len(columns)), emit: emit})
		},
	}
}

// tableRow is a row in the making: its cells are added in the order of the columns.
type tableRow struct {
	cells []table.Cell
	emit  func([]table.Cell) error
}

// end hands the row over and begins the next.
func (r *tableRow) end() error {
	err := r.emit(r.cells)
	r.cells = r.cells[:0]
	return err
}

func (r *tableRow) text(values ...string) {
	for _, s := range values {
		r.cells = append(r.cells, table.TextCell(s))
	}
}

func (r *tableRow) integer(values ...int64) {
	for _, n := range values {
		r.cells = append(r.cells, table.IntegerCell(n))
	}
}

func (r *tableRow) number(values ...float64) {
	for _, v := range values {
		r.cells = append(r.cells, table.FloatCell(v))
	}
}

// seconds adds times that are counted in ns.
func (r *tableRow) seconds(values ...int64) {
	for _, ns := range values {
		r.number(float64(ns) / 1e9)
	}
}

func (r *tableRow) bool(v bool) { r.cells = append(r.cells, table.BoolCell(v)) }

// sideNames are the sides as tables name them.
var sideNames = [2]string{"baseline", "candidate"}
