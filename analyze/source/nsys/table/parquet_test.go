package table

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/synth/nsystest"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress"
)

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
			nsystest.WriteParquet(t, dir, "T", 2, codec, nsystest.Column{Name: "x", Node: node, Values: c.in})
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
	cols := []Column{{Name: "x"}, {Name: "absent"}, {Name: "x", Text: func(s string) int64 { gotTexts = append(gotTexts, strings.Clone(s)); return 0 }}}
	err = d.Scan(context.Background(), "T", cols, func(b *Batch) {
		for i := range b.N {
			gotInts = append(gotInts, b.Cols[0][i])
			if b.Cols[2][i] == Null {
				gotTexts = append(gotTexts, "")
			}
			if b.Cols[1][i] != Null {
				t.Errorf("%s: a column that is absent is %d", at, b.Cols[1][i])
			}
		}
	})
	slices.Sort(gotTexts) // nulls are seen after the texts of their batch
	wanted := slices.Sorted(slices.Values(texts))
	if err != nil || !slices.Equal(gotInts, ints) || !slices.Equal(gotTexts, wanted) {
		t.Errorf("%s: got %v, %q and error %v want %v, %q", at, gotInts, gotTexts, err, ints, wanted)
	}
}
