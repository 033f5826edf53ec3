package table

import (
	"math"
	"os"
	"strconv"

	"perfdiff/analyze/source/nsys/table/btree"
	"perfdiff/analyze/source/nsys/table/parquet"
)

// parquetTable is an opened table.
type parquetTable struct {
	f    *os.File
	file *parquet.File
}

func (t *parquetTable) close() { t.f.Close() }

// column returns the column with a name, nil if there is none: one with exactly that name before one that differs in
// capitals.
func (t *parquetTable) column(name string) *parquet.Column {
	var like *parquet.Column
	for i := range t.file.Columns {
		switch c := &t.file.Columns[i]; {
		case c.Name == name:
			return c
		case like == nil && Fold(c.Name) == Fold(name):
			like = c
		}
	}
	return like
}

// cursor reads one column of a row group. A nil one is a column that the table
// lacks.
type cursor struct {
	in   *parquet.Reader
	kind parquet.Kind
	text func(string) int64
}

func (t *parquetTable) cursor(group int, c Column) (*cursor, error) {
	from := t.column(c.Name)
	if from == nil {
		return nil, nil
	}
	in, err := t.file.Read(group, *from)
	if err != nil {
		return nil, err
	}
	return &cursor{in, from.Kind, c.Text}, nil
}

func (c *cursor) close() {
	if c != nil {
		c.in.Close()
	}
}

// fill fills into with the column's next values. A column that ends before the
// rows do is damaged.
func (c *cursor) fill(into []int64) error {
	if c == nil {
		for i := range into {
			into[i] = Null
		}
		return nil
	}
	for len(into) > 0 {
		v, err := c.in.Next(len(into))
		if err != nil {
			return err
		}
		if c.kind == parquet.Integer && c.text == nil {
			copy(into, v.Ints)
		}
		for i := range v.N {
			if v.Present != nil && v.Present[i] == 0 {
				into[i] = Null
			} else if c.kind != parquet.Integer || c.text != nil {
				into[i] = c.value(&v, i)
			}
		}
		into = into[v.N:]
	}
	return nil
}

// value converts a value like a column of SQLite does.
func (c *cursor) value(v *parquet.Values, i int) int64 {
	switch {
	case c.kind == parquet.Float:
		return btree.FromFloat(math.Float64frombits(uint64(v.Ints[i])), c.text)
	case c.kind == parquet.Integer:
		return c.text(strconv.FormatInt(v.Ints[i], 10))
	case c.text == nil:
		return Null
	}
	text := v.Texts[i]
	return c.text(string(text[:min(len(text), maxText)]))
}
