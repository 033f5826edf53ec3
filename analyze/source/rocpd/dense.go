package rocpd

import "perfdiff/analyze/source/nsys/table"

// dense holds a number for each id of a table whose ids count up from 1, as SQLite gives them.
type dense struct {
	values []int64 // table.Null where there is no row
	limit  int64   // ids of this and above are of no row that the file has room for
}

// newDense makes room for the ids of a table with so many rows.
func newDense(rows int64) dense { return dense{limit: rows + 1} }

func (d *dense) set(id, value int64) {
	if id < 0 || id >= d.limit {
		return
	}
	for int64(len(d.values)) <= id {
		d.values = append(d.values, table.Null)
	}
	d.values[id] = value
}

// at returns the number of an id, table.Null if there is none.
func (d *dense) at(id int64) int64 {
	if id < 0 || id >= int64(len(d.values)) {
		return table.Null
	}
	return d.values[id]
}
