package nsystest

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
)

// Column is a column to write: a nil value is NULL.
type Column struct {
	Name   string
	Node   parquet.Node
	Values []any
}

// WriteParquet writes a table as a file of Parquet, some rows to a group.
func WriteParquet(t testing.TB, dir, table string, group int, codec compress.Codec, cols ...Column) {
	t.Helper()
	nodes := parquet.Group{}
	for _, c := range cols {
		nodes[c.Name] = c.Node
	}
	schema := parquet.NewSchema(table, nodes)
	f, err := os.Create(filepath.Join(dir, table+".parquet"))
	if err != nil {
		t.Fatal(err)
	}
	w := parquet.NewWriter(f, schema, parquet.Compression(codec), parquet.PageBufferSize(64))
	for i := range cols[0].Values {
		row := make(parquet.Row, len(cols))
		for _, c := range cols {
			leaf, _ := schema.Lookup(c.Name)
			row[leaf.ColumnIndex] = parquet.ValueOf(c.Values[i]).Level(0, 0, leaf.ColumnIndex)
			if c.Node.Optional() && c.Values[i] != nil {
				row[leaf.ColumnIndex] = parquet.ValueOf(c.Values[i]).Level(0, 1, leaf.ColumnIndex)
			}
		}
		if _, err := w.WriteRows([]parquet.Row{row}); err != nil {
			t.Fatal(err)
		}
		if i%group == group-1 {
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := errors.Join(w.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
}

// Directory returns the path of a directory with one kernel of each row, that
// its launches launched.
func Directory(t testing.TB, rows int) string {
	t.Helper()
	dir := t.TempDir()
	n := func(from, by int64) []any {
		out := make([]any, rows)
		for i := range out {
			out[i] = from + int64(i)*by
		}
		return out
	}
	integer := parquet.Int(64)
	WriteParquet(t, dir, "StringIds", 2, &parquet.Snappy,
		Column{"id", integer, []any{int64(0), int64(1), int64(2)}},
		Column{"value", parquet.Encoded(parquet.String(), &parquet.RLEDictionary), []any{"add", "ncclDevKernel_AllReduce", "cudaLaunchKernel"}})
	WriteParquet(t, dir, "CUPTI_ACTIVITY_KIND_KERNEL", 100, &parquet.Snappy,
		Column{"start", integer, n(100, 10)}, Column{"end", integer, n(105, 10)}, Column{"deviceId", integer, n(0, 0)},
		Column{"streamId", parquet.Int(32), make32(rows, 7)}, Column{"correlationId", integer, n(1, 1)},
		Column{"globalPid", integer, n(Pid, 0)}, Column{"demangledName", integer, n(0, 0)})
	WriteParquet(t, dir, "CUPTI_ACTIVITY_KIND_RUNTIME", 64, &parquet.Zstd,
		Column{"start", integer, n(50, 1)}, Column{"end", integer, n(51, 1)}, Column{"correlationId", integer, n(1, 1)},
		Column{"globalTid", integer, n(Tid, 0)}, Column{"nameId", parquet.Optional(parquet.Encoded(integer, &parquet.DeltaBinaryPacked)), n(2, 0)})
	return dir
}

func make32(rows int, v int32) []any {
	out := make([]any, rows)
	for i := range out {
		out[i] = v
	}
	return out
}
