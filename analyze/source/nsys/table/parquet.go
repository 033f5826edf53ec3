package table

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"perfdiff/analyze/source/nsys/table/parquet"
	"perfdiff/analyze/trace"
)

// parquetSuffix ends the names of a directory's tables.
const parquetSuffix = ".parquet"

// IsDirectory reports whether dir is a directory with a file for one of these tables at
// least, by the names of the files in it.
func IsDirectory(dir string, tables []string) bool {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false
	}
	for _, e := range entries {
		table, ok := strings.CutSuffix(Fold(e.Name()), parquetSuffix)
		if !ok || !slices.ContainsFunc(tables, func(one string) bool { return Fold(one) == table }) {
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

func openDirectory(path string, opt *trace.Options) (*directory, error) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, trace.WithoutPath(err)
	}
	d := &directory{path: path, sizes: make(map[string]int64), files: make(map[string]string)}
	d.tell = opt.Tell
	for _, e := range entries {
		table, ok := strings.CutSuffix(Fold(e.Name()), parquetSuffix)
		info, err := os.Stat(filepath.Join(path, e.Name())) // follows links
		if ok && err == nil && info.Mode().IsRegular() && d.files[table] == "" {
			d.sizes[table], d.files[table] = info.Size(), e.Name()
			d.size += info.Size()
		}
	}
	return d, nil
}

// Unread reports whether an error is of a form of Parquet that is not read.
func Unread(err error) bool {
	var form parquet.Unsupported
	return errors.As(err, &form)
}

func (d *directory) Close() {}

// Refused returns nil: tables of this kind only hold rows.
func (d *directory) Refused() error { return nil }

// Remember and Want are nothing: of this kind whole tables are read.
func (d *directory) Remember() {}

func (d *directory) Want(from, to int64) {}

// Has reports whether there is a file for a table, also an empty one: an exporter writes none, so its content is lost.
func (d *directory) Has(table string) bool { return d.files[Fold(table)] != "" }

// open opens a table; nil when there is none.
func (d *directory) open(table string) (*parquetTable, error) {
	if !d.Has(table) {
		return nil, nil
	}
	size := d.sizes[Fold(table)]
	f, err := os.Open(filepath.Join(d.path, d.files[Fold(table)]))
	if err != nil {
		return nil, trace.WithoutPath(err)
	}
	file, err := parquet.Open(f, size)
	if err != nil {
		f.Close()
		return nil, err
	}
	return &parquetTable{f, file}, nil
}

func (d *directory) Columns(_ context.Context, table string) (NameSet, error) {
	t, err := d.open(table)
	if t == nil {
		return nil, err
	}
	defer t.close()
	names := make(NameSet)
	for _, c := range t.file.Columns {
		names[Fold(c.Name)] = true
	}
	return names, nil
}

// Rows returns the number of rows that the file states, limited by its bytes: room is made for the count before it is
// known to be true.
func (d *directory) Rows(_ context.Context, table string) int64 {
	t, err := d.open(table)
	if t == nil || err != nil {
		return 0
	}
	defer t.close()
	return max(0, min(t.file.Rows, d.most(table)))
}

// Last returns 0, not known: rows have no numbers.
func (d *directory) Last(context.Context, string) int64 { return 0 }

// most bounds the rows of a table by the bytes of its file.
func (d *directory) most(table string) int64 { return 64 * d.sizes[Fold(table)] }

func (d *directory) Scan(ctx context.Context, table string, cols []Column, emit func(*Batch)) error {
	t, err := d.open(table)
	if t == nil {
		return err
	}
	defer t.close()
	if t.file.Rows > d.most(table) {
		return fmt.Errorf("%d rows are stated, more than the file can hold", t.file.Rows)
	}
	out := &Batch{Cols: make([][]int64, len(cols))}
	for i := range cols {
		out.Cols[i] = make([]int64, batchSize)
	}
	for i := range t.file.Groups {
		if err := d.scanGroup(ctx, t, i, cols, out, emit); err != nil {
			return err
		}
	}
	return nil
}

// scanGroup reads a row group, a batch of every column at a time: pages of
// different columns hold different numbers of rows.
func (d *directory) scanGroup(
	ctx context.Context, t *parquetTable, group int, cols []Column, out *Batch, emit func(*Batch),
) error {
	cursors := make([]*cursor, len(cols))
	for i, c := range cols {
		var err error
		if cursors[i], err = t.cursor(group, c); err != nil {
			return fmt.Errorf("column %s: %w", c.Name, err)
		}
		defer cursors[i].close()
	}
	for left := t.file.Groups[group].Rows; left > 0; {
		if err := ctx.Err(); err != nil {
			return err
		}
		out.N = int(min(left, batchSize))
		for i, c := range cursors {
			if err := c.fill(out.Cols[i][:out.N]); err != nil {
				return fmt.Errorf("column %s: %w", cols[i].Name, err)
			}
		}
		d.report(out.N)
		emit(out)
		left -= int64(out.N)
	}
	return nil
}
