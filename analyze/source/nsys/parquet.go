package nsys

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"perfdiff/analyze/trace"

	"github.com/parquet-go/parquet-go"
)

// parquetSuffix ends the names of a directory's tables.
const parquetSuffix = ".parquet"

// IsExport reports whether a directory is an export to Parquet, one file for
// each table, by the names of the files in it.
func IsExport(dir string) bool {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false
	}
	for _, e := range entries {
		table, ok := strings.CutSuffix(fold(e.Name()), parquetSuffix)
		if !ok || !slices.ContainsFunc(signs, func(sign string) bool { return fold(sign) == table }) {
			continue
		}
		if info, err := os.Stat(filepath.Join(dir, e.Name())); err == nil && info.Mode().IsRegular() {
			return true
		}
	}
	return false
}

// directory is an export in Parquet's format. Of each table the columns that
// are asked for are read, page by page.
type directory struct {
	meter
	path  string
	sizes map[string]int64  // bytes of the tables' files, by folded name
	files map[string]string // their names
}

func openDirectory(path string, progress func(int64)) (*directory, error) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, trace.WithoutPath(err)
	}
	d := &directory{path: path, sizes: make(map[string]int64), files: make(map[string]string)}
	d.progress = progress
	for _, e := range entries {
		table, ok := strings.CutSuffix(fold(e.Name()), parquetSuffix)
		info, err := os.Stat(filepath.Join(path, e.Name())) // follows links
		if ok && err == nil && info.Mode().IsRegular() && d.files[table] == "" {
			d.sizes[table], d.files[table] = info.Size(), e.Name()
			d.size += info.Size()
		}
	}
	return d, nil
}

func (d *directory) close() {}

// refused is nil: tables of this kind hold rows alone.
func (d *directory) refused() error { return nil }

// has knows of empty files too: an exporter writes none, and what was in one is lost.
func (d *directory) has(table string) bool { return d.files[fold(table)] != "" }

// open opens a table; nil when there is none. The library trusts files more
// than they deserve, so that a panic is an error here and in scan.
func (d *directory) open(table string) (t *parquetTable, err error) {
	if !d.has(table) {
		return nil, nil
	}
	size := d.sizes[fold(table)]
	f, err := os.Open(filepath.Join(d.path, d.files[fold(table)]))
	if err != nil {
		return nil, trace.WithoutPath(err)
	}
	defer func() {
		if err = recovered(recover(), err); err != nil {
			f.Close()
		}
	}()
	if err := checkFooter(f, size); err != nil {
		return nil, err
	}
	file, err := parquet.OpenFile(f, size, parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true), parquet.ReadBufferSize(256<<10))
	if err != nil {
		return nil, err
	}
	return &parquetTable{f, file}, nil
}

// checkFooter looks at the length that a file states of what describes it, for
// which the library makes room before it reads.
func checkFooter(f io.ReaderAt, size int64) error {
	var tail [8]byte
	if size == 0 {
		return errors.New("the file is empty")
	}
	if _, err := f.ReadAt(tail[:], size-8); err != nil || string(tail[4:]) != "PAR1" {
		return errors.New("the end of a Parquet file is missing")
	}
	if n := int64(binary.LittleEndian.Uint32(tail[:4])); n > size-12 {
		return fmt.Errorf("a footer of %d bytes is stated in a file of %d", n, size)
	}
	return nil
}

// recovered is err, or what a panic said.
func recovered(panicked any, err error) error {
	if panicked != nil {
		return fmt.Errorf("not a sound Parquet file: %v", panicked)
	}
	return err
}

func (d *directory) columns(_ context.Context, table string) (folded, error) {
	t, err := d.open(table)
	if t == nil {
		return nil, err
	}
	defer t.close()
	names := make(folded)
	for _, path := range t.file.Schema().Columns() {
		if len(path) == 1 {
			names[fold(path[0])] = true
		}
	}
	return names, nil
}

// rows is what the file says, and no more than so many for each of its bytes:
// the count is made room for before it is known to be true.
func (d *directory) rows(_ context.Context, table string) int64 {
	t, err := d.open(table)
	if t == nil || err != nil {
		return 0
	}
	defer t.close()
	return max(0, min(t.file.NumRows(), d.most(table)))
}

// last is not known: rows have no numbers.
func (d *directory) last(context.Context, string) int64 { return 0 }

// most bounds the rows of a table by the bytes of its file.
func (d *directory) most(table string) int64 { return 64 * d.sizes[fold(table)] }

func (d *directory) scan(ctx context.Context, table string, cols []column, emit func(*batch) error) (err error) {
	t, err := d.open(table)
	if t == nil {
		return err
	}
	defer t.close()
	defer func() { err = recovered(recover(), err) }()
	if t.file.NumRows() > d.most(table) {
		return fmt.Errorf("%d rows are stated, more than the file can hold", t.file.NumRows())
	}
	for i := range t.file.RowGroups() {
		if err := d.scanGroup(ctx, t, i, cols, emit); err != nil {
			return err
		}
	}
	return nil
}

// maxChunk bounds a column of a row group, whose pages are inflated whole:
// exporters write some MB.
const maxChunk = 1 << 30

// scanGroup reads a row group, a batch of every column at a time: pages of
// different columns hold different numbers of rows.
func (d *directory) scanGroup(ctx context.Context, t *parquetTable, nth int, cols []column, emit func(*batch) error) error {
	group, sizes := t.file.RowGroups()[nth], t.file.Metadata().RowGroups[nth].Columns
	cursors := make([]*cursor, len(cols))
	out := &batch{cols: make([][]int64, len(cols))}
	for i, c := range cols {
		out.cols[i] = make([]int64, batchSize)
		leaf, ok := t.column(c.name)
		if !ok || leaf.MaxRepetitionLevel > 0 {
			continue // absent, or a list, which no export has: null
		}
		if bytes := sizes[leaf.ColumnIndex].MetaData.TotalUncompressedSize; bytes > maxChunk {
			return fmt.Errorf("column %s: %d bytes in one group of rows", c.name, bytes)
		}
		cursors[i] = newCursor(group.ColumnChunks()[leaf.ColumnIndex], leaf, c.text)
		defer cursors[i].close()
	}
	for left := min(group.NumRows(), t.file.NumRows()); left > 0; {
		if err := ctx.Err(); err != nil {
			return err
		}
		out.n = int(min(left, batchSize))
		for i, c := range cursors {
			if err := c.fill(out.cols[i][:out.n]); err != nil {
				return fmt.Errorf("column %s: %w", cols[i].name, err)
			}
		}
		d.tell(out.n)
		if err := emit(out); err != nil {
			return err
		}
		left -= int64(out.n)
	}
	return nil
}
