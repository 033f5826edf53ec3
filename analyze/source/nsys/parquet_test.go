package nsys

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/synth/nsystest"

	"github.com/parquet-go/parquet-go"
)

func TestParquetRead(t *testing.T) {
	dir := nsystest.Directory(t, 10_000)
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
		dir := nsystest.Directory(t, 1000)
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
	dir := nsystest.Directory(t, 10)
	prefixed := parquet.Encoded(parquet.String(), &parquet.DeltaByteArray)
	nsystest.WriteParquet(t, dir, "CUPTI_ACTIVITY_KIND_RUNTIME", 100, &parquet.Brotli, nsystest.Column{Name: "start", Node: parquet.Int(64), Values: []any{int64(1)}})
	const want = "table CUPTI_ACTIVITY_KIND_RUNTIME cannot be read and was left out: column start: compression BROTLI is not read (export"
	if x := read(t, dir)[0]; len(x.Device) != 10 || !warned(x, want) {
		t.Errorf("got %d kernels and %v, want ten and %s", len(x.Device), x.Warnings, want)
	}
	nsystest.WriteParquet(t, dir, "StringIds", 100, &parquet.Uncompressed, nsystest.Column{Name: "id", Node: parquet.Int(64), Values: []any{int64(1)}}, nsystest.Column{Name: "value", Node: prefixed, Values: []any{"a"}})
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
	dir := nsystest.Directory(t, 300)
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
	nsystest.WriteParquet(t, dir, "StringIds", 2, &parquet.Snappy, nsystest.Column{Name: "value", Node: parquet.String(), Values: []any{"x"}})
	if IsExport(dir) {
		t.Error("a table of names alone is taken for an export")
	}
	if dir = nsystest.Directory(t, 1); !IsExport(dir) || IsExport(filepath.Join(dir, "StringIds.parquet")) {
		t.Error("the directory of an export is not known as one")
	}
}

func FuzzParquet(f *testing.F) {
	dir := nsystest.Directory(f, 300)
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
