package render

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"perfdiff/diff"
	"perfdiff/render/number"
	"perfdiff/render/table"
)

// Tables are what a report holds as flat tables, for programs that compute with it. They are
// made of its JSON form, so that each value is one that stands there, and the same whether they
// are made of the report or read out of that file.
type Tables struct {
	doc   *Document                           // without its ranks
	ranks func(yield func(*Rank) error) error // in order
	keys  []string                            // "metric" or "metric/part": what some rank has values of
}

// TablesOf are the tables of r. Ranks are converted one by one when their rows are asked for.
func TablesOf(r *diff.Report) *Tables {
	seen := map[string]bool{}
	for i := range r.Ranks {
		for _, side := range []*diff.RankSide{&r.Ranks[i].Base, &r.Ranks[i].Cand} {
			for key := range side.Values {
				seen[key] = true
			}
		}
	}
	t := &Tables{doc: documentOf(r), ranks: func(yield func(*Rank) error) error {
		for i := range r.Ranks {
			rank := rankDocument(&r.Ranks[i])
			if err := yield(&rank); err != nil {
				return err
			}
		}
		return nil
	}}
	t.order(seen)
	return t
}

// Policy says in what the policy is not the default; "" in nothing.
func (t *Tables) Policy() string { return t.doc.Policy.Line }

// order puts keys of values in the order of the metrics' descriptions, and then of the parts.
func (t *Tables) order(seen map[string]bool) {
	place := map[string]int{}
	for i := range t.doc.Descriptions {
		place[t.doc.Descriptions[i].Name] = i - len(t.doc.Descriptions)
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

// All are the tables, in reading order.
func (t *Tables) All() []table.Table {
	return []table.Table{t.metrics(), t.findings(), t.rankTable(), t.steps(), t.stepTimes(), t.collectives(), t.calls(), t.kernels(), t.summaries(), t.gaps(), t.gapLengths()}
}

// Table is one table, of one metric alone where metric is not "": its rows, or of the steps its
// columns.
func (t *Tables) Table(name, metric string) (table.Table, error) {
	all := t.All()
	at := slices.IndexFunc(all, func(x table.Table) bool { return x.Name == name })
	switch {
	case at < 0:
		return table.Table{}, fmt.Errorf("there is no table %q: must be %s", name, choiceText(tableNames(all)))
	case metric == "":
		return all[at], nil
	case !slices.Contains(t.Metrics(), metric):
		return table.Table{}, fmt.Errorf("the report has no metric %q", metric)
	}
	if name == stepsTable {
		return onlyColumns(all[at], metric), nil
	}
	column := slices.IndexFunc(all[at].Columns, func(c table.Column) bool { return c.Name == metricColumn })
	if column < 0 {
		return table.Table{}, fmt.Errorf("table %s is not of metrics: those that are: metrics, findings, steps", name)
	}
	rows := all[at].Rows
	all[at].Rows = func(emit func([]table.Cell) error) error {
		return rows(func(row []table.Cell) error {
			if row[column].Text != metric {
				return nil
			}
			return emit(row)
		})
	}
	return all[at], nil
}

// onlyColumns is a table with the columns of one metric and those of none.
func onlyColumns(t table.Table, metric string) table.Table {
	var kept []int
	var columns []table.Column
	for i, c := range t.Columns {
		if c.Metric == "" || c.Metric == metric {
			kept, columns = append(kept, i), append(columns, c)
		}
	}
	rows, out := t.Rows, make([]table.Cell, len(kept))
	t.Columns = columns
	t.Rows = func(emit func([]table.Cell) error) error {
		return rows(func(row []table.Cell) error {
			for i, at := range kept {
				out[i] = row[at]
			}
			return emit(out)
		})
	}
	return t
}

// Metrics are the names of the metrics of the report, in its order.
func (t *Tables) Metrics() []string {
	names := make([]string, len(t.doc.Descriptions))
	for i := range names {
		names[i] = t.doc.Descriptions[i].Name
	}
	return names
}

// WriteList writes which tables and metrics there are.
func (t *Tables) WriteList(w io.Writer) error {
	out := &errorWriter{w: w}
	line := func(format string, args ...any) { out.write(fmt.Appendf(nil, format+"\n", args...)) }
	line("Tables (--table NAME):")
	for _, x := range t.All() {
		line("  %-12s  %s", x.Name, x.Doc)
	}
	line("\nMetrics (--metric NAME):")
	for i := range t.doc.Descriptions {
		m := &t.doc.Descriptions[i]
		unit := ""
		if m.Unit != "" && m.Unit != "1" {
			unit = " (" + Line(m.Unit) + ")"
		}
		line("  %s%s", Line(m.Name), unit)
	}
	return out.err
}

// WriteTable writes a table in a form: "csv", "json", else as text for people.
func WriteTable(w io.Writer, t *table.Table, form string) error {
	switch form {
	case "csv":
		return table.WriteCSV(w, t)
	case "json":
		return table.WriteJSON(w, t)
	}
	return table.WriteText(w, t, func(unit string, v float64) string {
		if unit == "" {
			return number.Format(v)
		}
		return number.ScaleOf(unit, v).With(v)
	}, shortName)
}

func tableNames(all []table.Table) []string {
	names := make([]string, len(all))
	for i := range all {
		names[i] = all[i].Name
	}
	return names
}

// tableOf is a table with columns and rows.
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

func (r *tableRow) number(values ...Number) {
	for _, v := range values {
		r.cells = append(r.cells, table.FloatCell(float64(v)))
	}
}

func (r *tableRow) bool(v bool) { r.cells = append(r.cells, table.BoolCell(v)) }

// sideNames are the sides as tables name them.
var sideNames = [2]string{"baseline", "candidate"}

// ofSide is the value of one side.
func ofSide[T any](side int, both *Both[T]) T {
	if side == 1 {
		return both.Candidate
	}
	return both.Baseline
}
