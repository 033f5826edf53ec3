package nsys

import (
	"errors"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// parquetTable is an opened table.
type parquetTable struct {
	f    *os.File
	file *parquet.File
}

func (t *parquetTable) close() { t.f.Close() }

// column is the column of that name.
func (t *parquetTable) column(name string) (leaf parquet.LeafColumn, ok bool) {
	if leaf, ok = t.file.Schema().Lookup(name); ok {
		return leaf, true
	}
	for _, path := range t.file.Schema().Columns() {
		if len(path) == 1 && fold(path[0]) == fold(name) {
			return t.file.Schema().Lookup(path[0])
		}
	}
	return leaf, false
}

// cursor reads one column of a row group. A nil one is a column that the table
// lacks.
type cursor struct {
	pages    parquet.Pages
	page     parquet.Page
	values   parquet.ValueReader
	buffer   []parquet.Value
	text     func(string) int64
	unsigned bool // 32 bits without a sign
}

func newCursor(chunk parquet.ColumnChunk, leaf parquet.LeafColumn, text func(string) int64) *cursor {
	c := &cursor{pages: chunk.Pages(), buffer: make([]parquet.Value, 1024), text: text}
	if t := leaf.Node.Type(); t.LogicalType() != nil {
		number, ok := strings.CutPrefix(t.String(), "INT(32,")
		c.unsigned = ok && strings.HasPrefix(number, "false")
	}
	return c
}

func (c *cursor) close() {
	if c == nil {
		return
	}
	parquet.Release(c.page)
	c.pages.Close()
}

// fill fills into with the column's next values. A column that ends before the
// rows do is damaged.
func (c *cursor) fill(into []int64) error {
	if c == nil {
		for i := range into {
			into[i] = null
		}
		return nil
	}
	for len(into) > 0 {
		if c.values == nil {
			if err := c.next(); err != nil {
				return err
			}
		}
		n, err := c.values.ReadValues(c.buffer[:min(len(into), len(c.buffer))])
		for i := range n {
			into[i] = c.value(&c.buffer[i])
		}
		into = into[n:]
		switch {
		case errors.Is(err, io.EOF):
			c.values = nil
		case err != nil:
			return err
		case n == 0:
			return errors.New("a page without values")
		}
	}
	return nil
}

func (c *cursor) next() error {
	parquet.Release(c.page)
	c.page = nil
	page, err := c.pages.ReadPage()
	if err != nil {
		if errors.Is(err, io.EOF) {
			return errors.New("fewer values than rows")
		}
		return err
	}
	c.page, c.values = page, page.Values()
	return nil
}

// value is what a value counts as, as in a column of SQLite: see convert.
func (c *cursor) value(v *parquet.Value) int64 {
	switch v.Kind() {
	case parquet.Int32:
		x := int64(v.Int32())
		if c.unsigned {
			x = int64(v.Uint32())
		}
		return c.number(x)
	case parquet.Int64:
		return c.number(v.Int64())
	case parquet.Boolean:
		x := int64(0)
		if v.Boolean() {
			x = 1
		}
		return c.number(x)
	case parquet.Float:
		return convert(float64(v.Float()), c.text)
	case parquet.Double:
		return convert(v.Double(), c.text)
	case parquet.ByteArray, parquet.FixedLenByteArray:
		if text := v.ByteArray(); c.text != nil {
			return c.text(string(text[:min(len(text), maxText)]))
		}
	}
	return null // of no kind: NULL
}

func (c *cursor) number(x int64) int64 {
	if c.text != nil {
		return c.text(strconv.FormatInt(x, 10))
	}
	return x
}
