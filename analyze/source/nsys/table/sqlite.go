package table

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"perfdiff/analyze/source/nsys/table/btree"
	"perfdiff/analyze/trace"
)

const magic = "SQLite format 3\x00"

// IsDatabase reports whether a file that begins with head is a SQLite database.
func IsDatabase(head []byte) bool { return bytes.HasPrefix(head, []byte(magic)) }

// errDirectory is the error of a path that no database can be at, and an export of another
// kind may be.
var errDirectory = errors.New("a directory")

// openDatabase opens the file at path after looking at its header. Logs lie next to the file itself, wherever links to
// it are.
func openDatabase(ctx context.Context, path string, words Words, opt *trace.Options) (*database, error) {
	info, err := os.Lstat(path)
	if err == nil && info.Mode()&os.ModeSymlink != 0 { // of a link above the file the same lies beside it
		if path, err = filepath.EvalSymlinks(path); err == nil {
			info, err = os.Stat(path)
		}
	}
	if err != nil {
		return nil, trace.WithoutPath(err)
	}
	if info.IsDir() {
		return nil, errDirectory
	}
	image, err := words.openRegular(path, info)
	if err != nil {
		return nil, err
	}
	d := &database{meter: meter{tell: opt.Tell}, room: opt.Fits, image: image, words: words}
	d.second.always = opt.Value().BySQLite
	if err := d.open(ctx, path); err != nil {
		d.Close()
		return nil, err
	}
	return d, nil
}

// openRegular opens a file, unless opening it would wait for somebody.
func (w Words) openRegular(path string, info os.FileInfo) (*btree.Image, error) {
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("not %s: not a regular file", w.Kind)
	}
	image, err := btree.OpenImage(path)
	if err != nil {
		return nil, trace.WithoutPath(err)
	}
	return image, nil
}

// open applies the logs next to the file, looks at the header and reads the schema.
func (d *database) open(ctx context.Context, path string) error {
	suffix, applied, err := d.image.ApplyLogs(ctx, path)
	if err != nil {
		return fmt.Errorf("the log %s%s beside it cannot be read: %w (copy both again)",
			filepath.Base(path), suffix, trace.WithoutPath(err))
	}
	if says := logSays[applied]; says != "" {
		d.log = fmt.Sprintf(says, filepath.Base(path)+suffix, d.words.Redo)
	}
	if d.size = d.image.Size(); applied == btree.Damaged || d.size == 0 && applied == btree.Undone {
		return fmt.Errorf("not %s: %s", d.words.Kind, d.log)
	}
	if err := d.words.checkHeader(d.image); err != nil {
		return err
	}
	if d.pages, err = btree.NewFile(d.image); err == nil {
		err = d.readTables(ctx, d.pages)
	}
	if err == nil {
		err = d.schema.checkRows(d.pages)
	}
	if err != nil {
		return d.words.Damaged(ctx, err)
	}
	return nil
}

// logSays says what a user should know about a log next to a file.
var logSays = map[btree.LogState]string{
	btree.Broken: "the log beside the file breaks off: %[1]s: what was not written to its end is left out" +
		" (copy both again, or %[2]s)",
	btree.Undone: "a write to the file never ended and was undone: %[1]s" +
		" (wait for the program that writes it, or %[2]s)",
	btree.Damaged: "a write to the file never ended and cannot be undone, because its journal is damaged: %[1]s" +
		" (copy both again, or %[2]s)",
	btree.NotALog: "the log beside the file was not read: %[1]s is no log of it" +
		" (close the program that writes it, or %[2]s)",
}

func (d *database) Has(table string) bool { return d.known.Has(table) || d.foreign(table) != "" }

func (d *database) Close() {
	if d.pages != nil {
		d.pages.Release()
	}
	d.image.Close()
}

// checkHeader refuses what is no SQLite file, or only a part of one.
func (w Words) checkHeader(image *btree.Image) error {
	head := make([]byte, 100)
	n, err := image.ReadAt(head, 0)
	switch {
	case n == 0 && errors.Is(err, io.EOF):
		return fmt.Errorf("not %s: the file is empty", w.Kind)
	case n == 0 && err != nil:
		return trace.WithoutPath(err)
	case !IsDatabase(head[:n]):
		return fmt.Errorf("not %s: not a SQLite database", w.Kind)
	}
	if want := headerSize(head); n < 100 || want > image.Size() {
		return fmt.Errorf("truncated: %d of %d bytes (copy it again, or %s)",
			image.Size(), max(want, 512), w.Again)
	}
	return nil
}

// headerSize returns the size of the whole file by its header, 0 where the header does not hold it (SQLite before
// 3.7.0 left the field alone).
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

// shape returns the shape of a table; nil where there is none, an error where something else has its name.
func (d *database) shape(table string) (*shape, error) {
	if known, _ := byFold(d.schema.tables, table); known != nil {
		return known, nil
	}
	if what := d.foreign(table); what != "" {
		return nil, d.refuse("table "+table, what)
	}
	return nil, nil
}

func (d *database) Columns(_ context.Context, table string) (NameSet, error) {
	s, err := d.shape(table)
	if s == nil {
		return nil, err
	}
	return s.columns, nil
}

// Rows takes the highest rowid for the number of rows, since exporters count
// up from 1. Their rows take at least 24 bytes, which bounds what a file can
// claim and a reader then makes room for.
func (d *database) Rows(_ context.Context, table string) int64 {
	s, err := d.shape(table)
	if s == nil || err != nil {
		return 0
	}
	return max(0, min(d.highest(s), d.size/24))
}

// highest returns the highest rowid of a table; 0 where there is none.
func (d *database) highest(s *shape) int64 {
	if s.clustered {
		return 0
	}
	last, err := btree.LastRow(d.pages, s.root)
	if err != nil {
		return 0 // what is wrong, who reads the rows says
	}
	return last
}

// Last returns the highest rowid, if rowids are not also a column and the file has room for so many rows: a number far
// above does not count rows.
func (d *database) Last(_ context.Context, table string) int64 {
	s, err := d.shape(table)
	if s == nil || err != nil || s.keyed {
		return 0
	}
	last := d.highest(s)
	if last > d.size/8 { // no row is shorter
		return 0
	}
	return last
}

// Scan reads a table from its pages, or by SQLite where these are none for the decoder.
func (d *database) Scan(ctx context.Context, table string, cols []Column, emit func(*Batch)) error {
	s, err := d.scan(Scan{table, cols, emit})
	if s == nil || err != nil {
		return err
	}
	if why := s.leftToSQLite(); why != "" {
		return s.readSQLite(ctx, why)
	}
	return s.doubt(ctx, s.readPages(ctx))
}

// readPages reads a table from its pages, in which nothing is done about damage.
func (s *scan) readPages(ctx context.Context) error {
	if known := s.d.extents(s.Table, s.Cols); known != nil {
		return btree.ScanFrom(ctx, s.d.pages, s.shape.root, s.bound, known, s.d.from, s.d.to, s.each)
	}
	return btree.Scan(ctx, s.d.pages, s.shape.root, s.bound, s.each)
}

// scan is the reading of one table.
type scan struct {
	Scan
	d     *database
	shape *shape
	bound []btree.Column
	rows  int64 // that were handed over
}

// scan begins to read a table; nil where there is none.
func (d *database) scan(of Scan) (*scan, error) {
	shape, err := d.shape(of.Table)
	if shape == nil {
		return nil, err
	}
	if name := shape.computed(of.Cols); name != "" {
		return nil, d.refuse("column "+name+" of table "+of.Table, "is computed")
	}
	return &scan{Scan: of, d: d, shape: shape, bound: shape.bind(of.Cols)}, nil
}

// each hands rows over.
func (s *scan) each(rows [][]int64, n int) error {
	s.d.report(n)
	s.rows += int64(n)
	s.Emit(&Batch{N: n, Cols: rows})
	return nil
}
