package engine

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/url"
	"os"
	"strings"
)

// Writer writes a new database. It keeps the first error, does nothing after it, and Close
// returns it. It is not for several goroutines at a time. Equal calls make equal bytes.
type Writer struct {
	ctx  context.Context
	conn connection
	rows []*Rows
	err  error
}

// writing are the settings of a database that nobody else reads before it is closed: no
// journal and no waiting for the disk. One that breaks off is left half written.
const writing = "?mode=rw&_pragma=journal_mode(off)&_pragma=synchronous(off)&_pragma=locking_mode(exclusive)"

// Create makes a database at path, or empties the file that is there. All that is written to it is one transaction.
func Create(ctx context.Context, path string) (*Writer, error) {
	file, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	if err := file.Close(); err != nil {
		return nil, err
	}
	conn, err := connect("file:" + (&url.URL{Path: path}).EscapedPath() + writing)
	if err != nil {
		return nil, err
	}
	w := &Writer{ctx: ctx, conn: conn}
	w.Exec("BEGIN")
	return w, nil
}

// Exec runs a statement that gives no rows, such as one that makes a table.
func (w *Writer) Exec(statement string) {
	if w.err != nil {
		return
	}
	if w.err = w.ctx.Err(); w.err == nil {
		_, w.err = w.conn.ExecContext(context.Background(), statement, nil)
	}
}

// Rows inserts rows into one table.
type Rows struct {
	w      *Writer
	table  string
	insert driver.StmtExecContext
	values []driver.NamedValue
	rows   int
}

// Insert prepares to insert rows of so many columns into a table.
func (w *Writer) Insert(table string, columns int) *Rows {
	r := &Rows{w: w, table: table, values: make([]driver.NamedValue, columns)}
	if w.err != nil {
		return r
	}
	for i := range r.values {
		r.values[i].Ordinal = i + 1
	}
	places := strings.TrimSuffix(strings.Repeat("?,", columns), ",")
	var s driver.Stmt
	s, w.err = w.conn.PrepareContext(context.Background(), "INSERT INTO "+Quote(table)+" VALUES ("+places+")")
	if w.err == nil {
		r.insert = s.(driver.StmtExecContext)
		w.rows = append(w.rows, r)
	}
	return r
}

// checkEvery is how many rows are written before a cancelled context is noticed.
const checkEvery = 4096

// Add inserts a row: nil, int, int64, float64, string or []byte for each column.
func (r *Rows) Add(values ...any) {
	if r.w.err != nil {
		return
	}
	if r.rows++; r.rows%checkEvery == 0 {
		r.w.err = r.w.ctx.Err()
	}
	if err := r.add(values); err != nil && r.w.err == nil {
		r.w.err = fmt.Errorf("table %s: row %d: %w", r.table, r.rows, err)
	}
}

func (r *Rows) add(values []any) error {
	if len(values) != len(r.values) {
		return fmt.Errorf("%d values for %d columns", len(values), len(r.values))
	}
	for i, v := range values {
		switch x := v.(type) {
		case nil, int64, float64, string, []byte:
			r.values[i].Value = v
		case int:
			r.values[i].Value = int64(x)
		default:
			return fmt.Errorf("column %d: values of type %T have no place in a database", i+1, v)
		}
	}
	_, err := r.insert.ExecContext(context.Background(), r.values)
	return err
}

// Close ends the database. The error is the first of all.
func (w *Writer) Close() error {
	for _, r := range w.rows {
		w.err = errors.Join(w.err, r.insert.(driver.Stmt).Close())
	}
	w.Exec("COMMIT")
	return errors.Join(w.err, w.conn.Close())
}

// Quote makes an identifier of SQL of a name, whatever the name is.
func Quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
