// Package enginetest reads the SQLite files that package table reads through SQLite itself,
// which is the reference that perfdiff's own decoder of their pages is held to. It is for
// tests alone: perfdiff has no SQL in it.
package enginetest

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"strings"

	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/source/nsys/table/btree"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
	"modernc.org/sqlite/vfs"
)

// With is a context in which databases are read through SQLite.
func With(ctx context.Context) context.Context { return table.WithOpener(ctx, Open) }

// Open is table.Open of a file whose rows come from SQLite. What there is of tables and logs
// is said by the decoder of pages all the same.
func Open(ctx context.Context, path string, progress func(int64)) (table.File, string, error) {
	file, warning, err := table.Open(table.WithOpener(ctx, nil), path, progress)
	if err != nil {
		return nil, warning, err
	}
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return file, warning, nil
	}
	d, err := open(ctx, file, path)
	if err != nil {
		file.Close()
		return nil, warning, table.Damaged(ctx, err)
	}
	return d, warning, nil
}

// Schema are the tables that SQLite knows in a file, with the names of their columns as they
// are declared; an error where it cannot read its schema.
func Schema(ctx context.Context, path string) (map[string][]string, error) {
	d, err := open(ctx, nil, path)
	if err != nil {
		return nil, err
	}
	defer d.closeEngine()
	names, err := d.strings(ctx, "SELECT name FROM sqlite_master WHERE lower(type) = 'table' AND rootpage > 0 ORDER BY rowid")
	if err != nil {
		return nil, err
	}
	tables := make(map[string][]string)
	for _, name := range names {
		if tables[name], err = d.strings(ctx, "SELECT name FROM pragma_table_xinfo("+quote(name, "'")+")"); err != nil {
			return nil, err
		}
	}
	return tables, nil
}

// database is an export whose rows are SQLite's.
type database struct {
	table.File
	size   int64
	image  *btree.Image
	system *vfs.FS
	db     *sql.DB
	conn   *sql.Conn // limits are a connection's
}

func open(ctx context.Context, file table.File, path string) (*database, error) {
	d := &database{File: file}
	if err := d.connect(ctx, path); err != nil {
		d.closeEngine()
		return nil, err
	}
	return d, nil
}

func (d *database) connect(ctx context.Context, path string) (err error) {
	if err := register(); err != nil {
		return err
	}
	if d.image, err = btree.OpenImage(path); err != nil {
		return err
	}
	if _, _, err = d.image.ApplyLogs(ctx, path); err != nil {
		return err
	}
	d.size = d.image.Size()
	name, system, err := vfs.New(&files{image: d.image, left: allowedReads(d.size)})
	if err != nil {
		return err
	}
	d.system = system
	const how = "&mode=ro&immutable=1&_pragma=trusted_schema(0)&_pragma=cell_size_check(1)"
	if d.db, err = sql.Open("sqlite", "file:"+engineName+"?vfs="+name+how); err != nil {
		return err
	}
	d.db.SetMaxOpenConns(1)
	if d.conn, err = d.db.Conn(ctx); err != nil {
		return err
	}
	if _, err = sqlite.Limit(d.conn, sqlite3.SQLITE_LIMIT_LENGTH, btree.MaxValue); err != nil {
		return err
	}
	_, err = d.strings(ctx, "SELECT name FROM sqlite_master")
	return err
}

// Close closes the file.
func (d *database) Close() {
	d.closeEngine()
	d.File.Close()
}

func (d *database) closeEngine() {
	if d.conn != nil {
		d.conn.Close()
	}
	if d.db != nil {
		d.db.Close()
	}
	if d.system != nil {
		d.system.Close()
	}
	if d.image != nil {
		d.image.Close()
	}
}

// strings are the values of the first column of a query.
func (d *database) strings(ctx context.Context, query string) (all []string, err error) {
	rows, err := d.conn.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var s sql.NullString
		if err := rows.Scan(&s); err != nil {
			return nil, err
		}
		all = append(all, s.String)
	}
	return all, rows.Err()
}

// Columns is the set of a table's columns as SQLite has it.
func (d *database) Columns(ctx context.Context, name string) (table.NameSet, error) {
	if have, err := d.File.Columns(ctx, name); have == nil {
		return nil, err // there is no such table, or SQL in its place
	}
	names, err := d.strings(ctx, "SELECT name FROM pragma_table_xinfo("+quote(name, "'")+")")
	if err != nil {
		return nil, err
	}
	have := make(table.NameSet)
	for _, name := range names {
		have[table.Fold(name)] = true
	}
	return have, nil
}

// Rows is the highest rowid, where it can be.
func (d *database) Rows(ctx context.Context, name string) int64 {
	have, err := d.File.Columns(ctx, name)
	if have == nil || err != nil {
		return 0
	}
	for _, rowid := range []string{"rowid", "oid", "_rowid_"} {
		var n sql.NullInt64
		if have.Has(rowid) { // and is no rowid then
			continue
		}
		if d.conn.QueryRowContext(ctx, "SELECT max("+rowid+") FROM "+quote(name, `"`)+" NOT INDEXED").Scan(&n) != nil {
			return 0
		}
		return max(0, min(n.Int64, d.size/24))
	}
	return d.File.Rows(ctx, name)
}

// Scan reads a table through SQLite.
func (d *database) Scan(ctx context.Context, name string, cols []table.Column, emit func(*table.Batch) error) error {
	have, err := d.Columns(ctx, name)
	if have == nil {
		return err
	}
	computed, err := d.strings(ctx, "SELECT name FROM pragma_table_xinfo("+quote(name, "'")+") WHERE hidden = 2")
	if err != nil {
		return err
	}
	for _, c := range cols {
		for _, no := range computed {
			if table.Fold(c.Name) == table.Fold(no) {
				return d.File.Scan(ctx, name, cols, emit) // which refuses it
			}
		}
	}
	c, names := newCollector(ctx, cols, have, emit)
	id := announce(c)
	defer forget(id)
	var q strings.Builder
	fmt.Fprintf(&q, "SELECT %s(%d", collectName, id)
	for _, name := range names {
		q.WriteString(", " + quote(name, `"`))
	}
	q.WriteString(") FROM " + quote(name, `"`) + " NOT INDEXED") // an index may have been made by anybody
	var ignored sql.NullInt64
	err = d.conn.QueryRowContext(ctx, q.String()).Scan(&ignored)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case c.err != nil:
		return c.err
	case err != nil:
		return err
	}
	return c.flush()
}

// Mixed is false: one table is read after the other.
func (d *database) Mixed(context.Context, string, string) bool { return false }

// ScanTogether reads one table after the other.
func (d *database) ScanTogether(ctx context.Context, scans []table.Scan) []error {
	errs := make([]error, len(scans))
	for i, s := range scans {
		errs[i] = d.Scan(ctx, s.Table, s.Cols, s.Emit)
	}
	return errs
}

// quote makes an identifier or a text of a name, whatever the name is.
func quote(name, mark string) string {
	return mark + strings.ReplaceAll(name, mark, mark+mark) + mark
}
