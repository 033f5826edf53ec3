package nsys

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
)

// parquetColumn is a column to write: a nil value is NULL.
type parquetColumn struct {
	name   string
	node   parquet.Node
	values []any
}

// writeParquet writes a table as a file of Parquet, some rows to a group.
func writeParquet(t testing.TB, dir, table string, group int, codec compress.Codec, cols ...parquetColumn) {
	t.Helper()
	nodes := parquet.Group{}
	for _, c := range cols {
		nodes[c.name] = c.node
	}
	schema := parquet.NewSchema(table, nodes)
	f, err := os.Create(filepath.Join(dir, table+".parquet"))
	if err != nil {
		t.Fatal(err)
	}
	w := parquet.NewWriter(f, schema, parquet.Compression(codec), parquet.PageBufferSize(64))
	for i := range cols[0].values {
		row := make(parquet.Row, len(cols))
		for _, c := range cols {
			leaf, _ := schema.Lookup(c.name)
			row[leaf.ColumnIndex] = parquet.ValueOf(c.values[i]).Level(0, 0, leaf.ColumnIndex)
			if c.node.Optional() && c.values[i] != nil {
				row[leaf.ColumnIndex] = parquet.ValueOf(c.values[i]).Level(0, 1, leaf.ColumnIndex)
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

// smallParquet is the path of a directory with one kernel of each row, that
// its launches launched.
func smallParquet(t testing.TB, rows int) string {
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
	writeParquet(t, dir, "StringIds", 2, &parquet.Snappy,
		parquetColumn{"id", integer, []any{int64(0), int64(1), int64(2)}},
		parquetColumn{"value", parquet.Encoded(parquet.String(), &parquet.RLEDictionary), []any{"add", "ncclDevKernel_AllReduce", "cudaLaunchKernel"}})
	writeParquet(t, dir, "CUPTI_ACTIVITY_KIND_KERNEL", 100, &parquet.Snappy,
		parquetColumn{"start", integer, n(100, 10)}, parquetColumn{"end", integer, n(105, 10)}, parquetColumn{"deviceId", integer, n(0, 0)},
		parquetColumn{"streamId", parquet.Int(32), make32(rows, 7)}, parquetColumn{"correlationId", integer, n(1, 1)},
		parquetColumn{"globalPid", integer, n(testPid, 0)}, parquetColumn{"demangledName", integer, n(0, 0)})
	writeParquet(t, dir, "CUPTI_ACTIVITY_KIND_RUNTIME", 64, &parquet.Zstd,
		parquetColumn{"start", integer, n(50, 1)}, parquetColumn{"end", integer, n(51, 1)}, parquetColumn{"correlationId", integer, n(1, 1)},
		parquetColumn{"globalTid", integer, n(testTid, 0)}, parquetColumn{"nameId", parquet.Optional(parquet.Encoded(integer, &parquet.DeltaBinaryPacked)), n(2, 0)})
	return dir
}

func make32(rows int, v int32) []any {
	out := make([]any, rows)
	for i := range out {
		out[i] = v
	}
	return out
}
