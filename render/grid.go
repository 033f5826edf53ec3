package render

import (
	"math"
	"strings"

	"perfdiff/render/number"
)

// grid writes rows of cells below their heads in a terminal: the first column at the left, values
// at the right. Where the terminal is too narrow, a row is a line or two with the heads in it.
func (t *text) grid(heads []string, rows [][]string) {
	all := append([][]string{heads}, rows...)
	if widthOf(all, 2, 2) > t.width {
		t.narrowGrid(heads, rows)
		return
	}
	t.lay(all, "l"+strings.Repeat("r", len(heads)-1), 2, 2, nil)
}

func (t *text) narrowGrid(heads []string, rows [][]string) {
	for _, row := range rows {
		var parts []string
		for i, cell := range row[1:] {
			if cell != "" && cell != number.None {
				parts = append(parts, heads[i+1]+" "+cell)
			}
		}
		t.line("  ", 4, row[0]+": "+strings.Join(parts, ", "))
	}
}

// pair is a value on both sides.
type pair struct{ base, cand float64 }

// pairColumn writes values of both sides in one unit, which is returned: "11.1 → 10.1". Where
// neither side has one, the cell is a dash.
func pairColumn(unit string, list []pair) (cells []string, name string) {
	top := 0.0
	for _, x := range list {
		for _, v := range []float64{x.base, x.cand} {
			if math.Abs(v) > top {
				top = math.Abs(v)
			}
		}
	}
	sc := number.ScaleOf(unit, top)
	for _, x := range list {
		if math.IsNaN(x.base) && math.IsNaN(x.cand) {
			cells = append(cells, number.None)
			continue
		}
		cells = append(cells, sc.Format(x.base)+" → "+sc.Format(x.cand))
	}
	return cells, sc.Name
}

// loadRow is a row of a terminal's table: what some ranks do together in a step.
type loadRow struct {
	name                               string
	wait, transfer, exposed, bandwidth pair
}

// loadGrid writes what ranks do together in a step.
func (t *text) loadGrid(head string, list []loadRow) {
	heads, rows := []string{head}, make([][]string, len(list))
	for i := range list {
		rows[i] = []string{list[i].name}
	}
	for _, c := range []struct {
		head, unit string
		of         func(x *loadRow) pair
	}{
		{"waiting", "s", func(x *loadRow) pair { return x.wait }},
		{"transfer", "s", func(x *loadRow) pair { return x.transfer }},
		{"exposed", "s", func(x *loadRow) pair { return x.exposed }},
		{"bus", "B/s", func(x *loadRow) pair { return x.bandwidth }},
	} {
		values := make([]pair, len(list))
		for i := range list {
			values[i] = c.of(&list[i])
		}
		cells, name := pairColumn(c.unit, values)
		heads = append(heads, c.head+", "+name)
		for i := range rows {
			rows[i] = append(rows[i], cells[i])
		}
	}
	t.grid(heads, rows)
}
