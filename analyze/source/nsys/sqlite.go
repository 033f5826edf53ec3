package nsys

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"perfdiff/analyze/source/nsys/btree"
	"perfdiff/analyze/trace"
)

const magic = "SQLite format 3\x00"

// database is an export in SQLite's format, opened so that nothing is ever
// written beside it, locked or run from it.
type database struct {
	meter
	path    string
	db      *sql.DB     // nil until the engine is needed
	pages   btree.Pages // nil: tables are read through the engine alone
	release func() error
	shapes  schema          // of the tables that were asked for, or of all
	known   map[string]bool // tables and views
	stale   string          // a log beside the file that was not read; "" if there is none
	parted                  // what is wanted of tables that are read again and again
}

// openDatabase opens the file at path after looking at its header.
func openDatabase(ctx context.Context, path string, progress func(int64)) (*database, error) {
	size, err := checkHeader(path)
	if err != nil {
		return nil, err
	}
	d := &database{meter: meter{size: size, progress: progress}, path: path, shapes: make(schema), release: func() error { return nil }}
	if log := logBeside(path); log == "" {
		err = d.openFile(ctx)
	} else if d.connect(ctx, "readonly_shm=1") == nil && log == walSuffix {
		d.pages = newEnginePages(ctx, d.db)
	} else {
		d.stale = filepath.Base(path) + log
		err = d.connect(ctx, immutable)
	}
	if err != nil {
		return nil, damaged(ctx, err)
	}
	return d, nil
}

// openFile opens a file that nobody changes: its pages and its schema are read
// from it directly, and the engine reads what is unusual.
func (d *database) openFile(ctx context.Context) error {
	file, err := btree.OpenFile(d.path)
	if err != nil {
		return d.connect(ctx, immutable)
	}
	d.pages, d.release = file, file.Close
	shapes, err := readSchema(ctx, file)
	if err != nil || len(shapes) == 0 {
		return d.connect(ctx, immutable)
	}
	d.shapes, d.known = shapes, make(map[string]bool, len(shapes))
	for name := range shapes {
		d.known[name] = true
	}
	return nil
}

// The ends of names of what SQLite leaves beside a file that is being changed.
const (
	walSuffix     = "-wal"
	journalSuffix = "-journal"
)

// logBeside is the end of the name of a log beside the file, "" without one.
// What a log holds is not in the file's pages yet, or not valid in them.
func logBeside(path string) string {
	for _, suffix := range []string{walSuffix, journalSuffix} {
		if info, err := os.Stat(path + suffix); err == nil && info.Size() > 0 {
			return suffix
		}
	}
	return ""
}

func (d *database) has(table string) bool { return d.known[table] }

func (d *database) close() {
	d.release()
	if d.db != nil {
		d.db.Close()
	}
}

// checkHeader refuses what is no SQLite file or not all of one, and returns
// the file's size.
func checkHeader(path string) (int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, trace.WithoutPath(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return 0, trace.WithoutPath(err)
	}
	if !info.Mode().IsRegular() {
		return 0, errors.New("not an Nsight Systems export: not a regular file")
	}
	head := make([]byte, 100)
	n, err := io.ReadFull(f, head)
	switch {
	case n == 0 && errors.Is(err, io.EOF):
		return 0, errors.New("not an Nsight Systems export: the file is empty")
	case !Sniff(head[:n]):
		return 0, errors.New("not an Nsight Systems export: not a SQLite database")
	}
	if want := headerSize(head); n < 100 || want > info.Size() {
		return 0, fmt.Errorf("truncated: %d of %d bytes (copy it again, or export the report again: nsys export --type sqlite)",
			info.Size(), max(want, 512))
	}
	return info.Size(), nil
}

// headerSize is the size of the whole file by its header, 0 where the header
// does not hold it (SQLite before 3.7.0 left the field alone).
func headerSize(head []byte) int64 {
	page := int64(binary.BigEndian.Uint16(head[16:]))
	if page == 1 {
		page = 65536
	}
	if binary.BigEndian.Uint32(head[24:]) != binary.BigEndian.Uint32(head[92:]) {
		return 0
	}
	return page * int64(binary.BigEndian.Uint32(head[28:]))
}

func (d *database) columns(ctx context.Context, table string) (map[string]bool, error) {
	if !d.known[table] {
		return nil, nil
	}
	shape, err := d.shape(ctx, table)
	if err != nil {
		return nil, err
	}
	names := make(map[string]bool, len(shape.field))
	for name := range shape.field {
		names[name] = true
	}
	return names, nil
}

// rows takes the highest rowid for the number of rows, since exporters count
// up from 1. Their rows take at least 24 bytes, which bounds what a file can
// claim and a reader then makes room for.
func (d *database) rows(ctx context.Context, table string) int64 {
	if !d.known[table] {
		return 0
	}
	if s, err := d.shape(ctx, table); err == nil && s.usual && d.pages != nil {
		if last, err := btree.LastRow(d.pages, s.root); err == nil {
			return max(0, min(last, d.size/24))
		}
	}
	var n sql.NullInt64
	db, err := d.engine(ctx)
	if err != nil || db.QueryRowContext(ctx, "SELECT max(rowid) FROM "+quote(table)).Scan(&n) != nil {
		return 0
	}
	return max(0, min(n.Int64, d.size/24))
}

// scan reads a table from its pages, or what is unusual through the engine,
// which goes on behind the rows that the pages gave.
func (d *database) scan(ctx context.Context, table string, cols []column, emit func(*batch) error) error {
	if !d.known[table] {
		return nil
	}
	shape, err := d.shape(ctx, table)
	if err != nil {
		return err
	}
	done := int64(0)
	told := func(b *batch) error {
		done += int64(b.n)
		d.tell(b.n)
		return emit(b)
	}
	if bound, usual := shape.bind(cols); usual && d.pages != nil {
		each := func(rows [][]int64, n int) error { return told(&batch{n: n, cols: rows}) }
		var err error
		if known := d.extents(table, cols); known != nil {
			err = btree.ScanFrom(ctx, d.pages, shape.root, bound, known, d.from, d.to, each)
		} else {
			err = btree.Scan(ctx, d.pages, shape.root, bound, each)
		}
		if err == nil || !errors.Is(err, btree.ErrDoubt) {
			return err
		}
		if err := d.doubt(table, cols, err); err != nil {
			return err
		}
	}
	return d.query(ctx, table, cols, shape, done, told)
}
