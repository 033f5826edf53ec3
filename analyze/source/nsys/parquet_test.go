package nsys

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
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
	f, err := os.Create(filepath.Join(dir, table+parquetSuffix))
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

// TestParquetValues: a value of any type that an exporter can choose counts as
// the same value of an export to SQLite does.
func TestParquetValues(t *testing.T) {
	const low = math.MinInt64
	for _, c := range []struct {
		name  string
		node  parquet.Node
		in    []any
		ints  []int64
		texts []string
	}{
		{"int32", parquet.Int(32), []any{int32(-1), int32(7)}, []int64{-1, 7}, []string{"-1", "7"}},
		{"uint32", parquet.Uint(32), []any{uint32(4294967295), uint32(7)}, []int64{4294967295, 7}, []string{"4294967295", "7"}},
		{"uint16", parquet.Uint(16), []any{uint32(65535), uint32(7)}, []int64{65535, 7}, []string{"65535", "7"}},
		{"int64", parquet.Int(64), []any{int64(math.MaxInt64), nil}, []int64{math.MaxInt64, low}, []string{"9223372036854775807", ""}},
		{"uint64", parquet.Uint(64), []any{uint64(1 << 63), uint64(3)}, []int64{low, 3}, []string{"-9223372036854775808", "3"}},
		{"time", parquet.Timestamp(parquet.Nanosecond), []any{int64(12345), nil}, []int64{12345, low}, []string{"12345", ""}},
		{"bool", parquet.Leaf(parquet.BooleanType), []any{true, false}, []int64{1, 0}, []string{"1", "0"}},
		{"double", parquet.Leaf(parquet.DoubleType), []any{2.0, 2.5}, []int64{2, low}, []string{"2", "2.5"}},
		{"float", parquet.Leaf(parquet.FloatType), []any{float32(4), float32(0.5)}, []int64{4, low}, []string{"4", "0.5"}},
		{"text", parquet.String(), []any{"a\x00b", ""}, []int64{low, low}, []string{"a\x00b", ""}},
		{"words", parquet.Encoded(parquet.String(), &parquet.RLEDictionary), []any{"same", nil, "same"}, []int64{low, low, low}, []string{"same", "", "same"}},
		{"lengths", parquet.Encoded(parquet.String(), &parquet.DeltaLengthByteArray), []any{"kernel1", "kernel2", nil}, []int64{low, low, low}, []string{"kernel1", "kernel2", ""}},
		{"numbers", parquet.Encoded(parquet.Int(64), &parquet.RLEDictionary), []any{int64(5), nil, int64(5)}, []int64{5, low, 5}, []string{"5", "", "5"}},
		{"split", parquet.Encoded(parquet.Int(64), &parquet.ByteStreamSplit), []any{int64(1), int64(2)}, []int64{1, 2}, []string{"1", "2"}},
		{"bytes", parquet.Leaf(parquet.ByteArrayType), []any{[]byte{0xff, 'x'}, nil}, []int64{low, low}, []string{"\xffx", ""}},
	} {
		for _, codec := range []compress.Codec{&parquet.Uncompressed, &parquet.Snappy, &parquet.Gzip, &parquet.Zstd} {
			dir := t.TempDir()
			node := c.node
			if slices.Contains(c.in, nil) {
				node = parquet.Optional(node)
			}
			writeParquet(t, dir, "T", 2, codec, parquetColumn{"x", node, c.in})
			checkColumn(t, fmt.Sprintf("%s by %s", c.name, codec), dir, c.ints, c.texts)
		}
	}
}

func checkColumn(t *testing.T, at, dir string, ints []int64, texts []string) {
	t.Helper()
	d, err := openDirectory(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	var gotInts []int64
	var gotTexts []string
	cols := []column{{name: "x"}, {name: "absent"}, {name: "x", text: func(s string) int64 { gotTexts = append(gotTexts, strings.Clone(s)); return 0 }}}
	err = d.scan(context.Background(), "T", cols, func(b *batch) error {
		for i := range b.n {
			gotInts = append(gotInts, b.cols[0][i])
			if b.cols[2][i] == null {
				gotTexts = append(gotTexts, "")
			}
			if b.cols[1][i] != null {
				t.Errorf("%s: a column that is absent is %d", at, b.cols[1][i])
			}
		}
		return nil
	})
	slices.Sort(gotTexts) // nulls are seen after the texts of their batch
	wanted := slices.Sorted(slices.Values(texts))
	if err != nil || !slices.Equal(gotInts, ints) || !slices.Equal(gotTexts, wanted) {
		t.Errorf("%s: got %v, %q and error %v want %v, %q", at, gotInts, gotTexts, err, ints, wanted)
	}
}

func TestParquetRead(t *testing.T) {
	dir := smallParquet(t, 10_000)
	x := read(t, dir)[0]
	if len(x.Device) != 10_000 || len(x.API) != 10_000 || x.Device[9999].Launch != 50+9999 || x.Names.Text(x.Device[0].Name) != "add" {
		t.Errorf("got %d kernels and %d calls, the last launched at %d", len(x.Device), len(x.API), x.Device[len(x.Device)-1].Launch)
	}
	for name, damage := range map[string]func(path string) error{
		"cut":   func(path string) error { return os.Truncate(path, 3000) },
		"other": func(path string) error { return os.WriteFile(path, []byte("PAR1 and something else PAR1"), 0o600) },
		"empty": func(path string) error { return os.Truncate(path, 0) },
		"gone":  func(path string) error { return os.Chmod(path, 0) },
	} {
		dir := smallParquet(t, 1000)
		if err := damage(filepath.Join(dir, "CUPTI_ACTIVITY_KIND_RUNTIME.parquet")); err != nil {
			t.Fatal(err)
		}
		x := read(t, dir)[0]
		if len(x.Device) != 1000 {
			t.Errorf("%s: got %d kernels want them all", name, len(x.Device))
		}
		if (name == "cut" || name == "other") && !warned(x, "table CUPTI_ACTIVITY_KIND_RUNTIME is damaged") {
			t.Errorf("%s: got %v want a warning that names the table", name, x.Warnings)
		}
	}
}

// TestParquetUnread: a table in a form that is not read is left out and the form named,
// and nobody is told of damage.
func TestParquetUnread(t *testing.T) {
	dir := smallParquet(t, 10)
	prefixed := parquet.Encoded(parquet.String(), &parquet.DeltaByteArray)
	writeParquet(t, dir, "CUPTI_ACTIVITY_KIND_RUNTIME", 100, &parquet.Brotli, parquetColumn{"start", parquet.Int(64), []any{int64(1)}})
	const want = "table CUPTI_ACTIVITY_KIND_RUNTIME cannot be read and was left out: column start: compression BROTLI is not read (export"
	if x := read(t, dir)[0]; len(x.Device) != 10 || !warned(x, want) {
		t.Errorf("got %d kernels and %v, want ten and %s", len(x.Device), x.Warnings, want)
	}
	writeParquet(t, dir, "StringIds", 100, &parquet.Uncompressed, parquetColumn{"id", parquet.Int(64), []any{int64(1)}}, parquetColumn{"value", prefixed, []any{"a"}})
	const named = "table StringIds: column value: encoding DELTA_BYTE_ARRAY is not read (export the report again"
	if _, err := Read(context.Background(), dir, nil); err == nil || !strings.Contains(err.Error(), named) || strings.Contains(err.Error(), "damaged") {
		t.Errorf("got %v want %s", err, named)
	}
}

// mustNotPanicDir reads a directory whose table of kernels holds content.
func mustNotPanicDir(t *testing.T, dir string, content []byte) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, "CUPTI_ACTIVITY_KIND_KERNEL.parquet"), content, 0o600); err != nil {
		t.Fatal(err)
	}
	traces, err := Read(context.Background(), dir, nil)
	if (err == nil) != (len(traces) > 0) {
		t.Fatalf("got %d traces and error %v", len(traces), err)
	}
}

func TestParquetDamaged(t *testing.T) {
	dir := smallParquet(t, 300)
	content, err := os.ReadFile(filepath.Join(dir, "CUPTI_ACTIVITY_KIND_KERNEL.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(content); i += 97 {
		mustNotPanicDir(t, dir, content[:i])
	}
	for i := range 512 {
		flipped := bytes.Clone(content)
		flipped[(i*7919)%len(flipped)] ^= byte(1 + i%255)
		mustNotPanicDir(t, dir, flipped)
	}
}

func TestIsExport(t *testing.T) {
	dir := t.TempDir()
	writeParquet(t, dir, "StringIds", 2, &parquet.Snappy, parquetColumn{"value", parquet.String(), []any{"x"}})
	if IsExport(dir) {
		t.Error("a table of names alone is taken for an export")
	}
	if dir = smallParquet(t, 1); !IsExport(dir) || IsExport(filepath.Join(dir, "StringIds.parquet")) {
		t.Error("the directory of an export is not known as one")
	}
}

func FuzzParquet(f *testing.F) {
	dir := smallParquet(f, 300)
	content, err := os.ReadFile(filepath.Join(dir, "CUPTI_ACTIVITY_KIND_KERNEL.parquet"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(uint32(4), []byte{0xff, 0x7f})
	f.Add(uint32(len(content)-200), []byte{0x15, 0x02, 0x19})
	f.Add(uint32(len(content)-8), []byte{0xff, 0xff, 0xff, 0x7f})
	f.Fuzz(func(t *testing.T, at uint32, patch []byte) {
		changed := bytes.Clone(content)
		copy(changed[int(at)%len(changed):], patch)
		mustNotPanicDir(t, dir, changed)
	})
}
