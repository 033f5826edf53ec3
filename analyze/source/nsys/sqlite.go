package nsys

import (
	"context"
	"database/sql"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
)

const magic = "SQLite format 3\x00"

// database is an export in SQLite's format, opened so that nothing is ever
// written beside it, locked or run from it.
type database struct {
	db       *sql.DB
	size     int64           // bytes of the file
	known    map[string]bool // tables and views
	perRow   float64         // bytes of the file for each row that is scanned
	progress func(int64)
	told     int64 // bytes that progress was told
}

// openDatabase opens the file at path after looking at its header.
func openDatabase(ctx context.Context, path string, progress func(int64)) (*database, error) {
	size, err := checkHeader(path)
	if err != nil {
		return nil, err
	}
	if err := register(); err != nil {
		return nil, err
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	// immutable: exports live on network mounts without locks and in folders
	// where nothing may be created.
	uri := "file://" + (&url.URL{Path: filepath.ToSlash(abs)}).EscapedPath() +
		"?mode=ro&immutable=1&_pragma=trusted_schema(0)&_pragma=cell_size_check(1)"
	db, err := sql.Open("sqlite", uri)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	d := &database{db: db, size: size, progress: progress}
	if d.known, err = d.set(ctx, "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')"); err != nil {
		db.Close()
		return nil, damaged(ctx, err)
	}
	return d, nil
}

// hasLog reports whether changes lie beside the file, which immutable leaves
// out.
func hasLog(path string) bool {
	info, err := os.Stat(path + "-wal")
	return err == nil && info.Size() > 0
}

func (d *database) close() { d.db.Close() }

// damaged explains an error of the engine, except that of a cancelled context.
func damaged(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return fmt.Errorf("damaged: %w (export the report again: nsys export --type sqlite)", err)
}

// checkHeader refuses what is no SQLite file or not all of one, and returns
// the file's size.
func checkHeader(path string) (int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, withoutPath(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return 0, withoutPath(err)
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

// withoutPath is err without the path that the caller's message names already.
func withoutPath(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return pe.Err
	}
	return err
}

// set is the first column of a small query.
func (d *database) set(ctx context.Context, query string, args ...any) (map[string]bool, error) {
	rows, err := d.db.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	names := make(map[string]bool)
	for rows.Next() {
		var name sql.NullString
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		names[name.String] = true
	}
	return names, rows.Err()
}

func (d *database) columns(ctx context.Context, table string) (map[string]bool, error) {
	if !d.known[table] {
		return nil, nil
	}
	return d.set(ctx, "SELECT name FROM pragma_table_info(?)", table)
}

// rows takes the highest rowid for the number of rows, since exporters count
// up from 1. Their rows take at least 24 bytes, which bounds what a file can
// claim and a reader then makes room for.
func (d *database) rows(ctx context.Context, table string) int64 {
	var n sql.NullInt64
	if !d.known[table] || d.db.QueryRowContext(ctx, "SELECT max(rowid) FROM "+quote(table)).Scan(&n) != nil {
		return 0
	}
	return max(0, min(n.Int64, d.size/24))
}

func (d *database) scan(ctx context.Context, table string, cols []column, emit func(*batch) error) error {
	have, err := d.columns(ctx, table)
	if err != nil || have == nil {
		return err
	}
	c, names := newCollector(ctx, cols, have, func(b *batch) error {
		d.tell(b.n)
		return emit(b)
	})
	if len(names) == 0 {
		return nil
	}
	c.left = d.size / 8 // no row is shorter
	id := announce(c)
	defer forget(id)
	var ignored sql.NullInt64
	err = d.db.QueryRowContext(ctx, selectAll(id, table, names)).Scan(&ignored)
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

// tell reports the bytes that n rows stand for.
func (d *database) tell(n int) {
	delta := min(int64(float64(n)*d.perRow), d.size-d.told)
	if d.progress != nil && delta > 0 {
		d.told += delta
		d.progress(delta)
	}
}

// share spreads the file's bytes over the rows that will be scanned.
func (d *database) share(rows int64) { d.perRow = float64(d.size) / float64(max(rows, 1)) }

// done reports the bytes that no row stood for.
func (d *database) done() {
	if rest := d.size - d.told; d.progress != nil && rest > 0 {
		d.told = d.size
		d.progress(rest)
	}
}

func selectAll(id int64, table string, names []string) string {
	var q strings.Builder
	fmt.Fprintf(&q, "SELECT %s(%d", collectName, id)
	for _, name := range names {
		q.WriteString(", " + quote(name))
	}
	q.WriteString(") FROM " + quote(table))
	return q.String()
}

// quote makes an identifier of a name, whatever the name is ("end" is also a
// word of SQL).
func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
