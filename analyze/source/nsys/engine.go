package nsys

import (
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
)

// immutable: exports live on network mounts without locks and in folders
// where nothing may be created.
const immutable = "immutable=1"

// engine is the engine with the file open in it.
func (d *database) engine(ctx context.Context) (*sql.DB, error) {
	if d.db == nil {
		if err := d.connect(ctx, immutable); err != nil {
			return nil, err
		}
	}
	return d.db, nil
}

// connect opens the file with the engine and lists its tables.
func (d *database) connect(ctx context.Context, how string) error {
	if err := register(); err != nil {
		return err
	}
	if d.db != nil {
		d.db.Close()
		d.db = nil
	}
	abs, err := filepath.Abs(d.path)
	if err != nil {
		return err
	}
	uri := "file://" + (&url.URL{Path: filepath.ToSlash(abs)}).EscapedPath() +
		"?mode=ro&" + how + "&_pragma=trusted_schema(0)&_pragma=cell_size_check(1)"
	db, err := sql.Open("sqlite", uri)
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	known, err := set(ctx, db, "SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")
	if err != nil {
		db.Close()
		return err // what the pages said of the tables stands
	}
	d.db, d.known = db, make(folded, len(known))
	for name := range known {
		d.known[fold(name)] = true
	}
	return nil
}

// set is the first column of a small query.
func set(ctx context.Context, db *sql.DB, query string) (map[string]bool, error) {
	rows, err := db.QueryContext(ctx, query)
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

// query reads a table through the engine, without its first rows.
func (d *database) query(ctx context.Context, table string, cols []column, shape *shape, skip int64, emit func(*batch) error) error {
	c, names := newCollector(ctx, cols, shape.field, emit)
	if len(names) == 0 {
		return nil
	}
	db, err := d.engine(ctx)
	if err != nil {
		return err
	}
	c.skip, c.left = skip, d.size/8 // no row is shorter
	id := announce(c)
	defer forget(id)
	var ignored sql.NullInt64
	err = db.QueryRowContext(ctx, selectAll(id, table, names)).Scan(&ignored)
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

// damaged explains an error of the engine, except that of a cancelled context.
func damaged(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return fmt.Errorf("damaged: %w (export the report again: nsys export --type sqlite)", err)
}
