package synth

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// exportWriter writes an Nsight Systems SQLite export in one transaction. It keeps the first
// error, and does nothing after it.
type exportWriter struct {
	tx     *sql.Tx
	schema string
	made   map[string]bool
	ids    map[string]int64 // StringIds
	text   []string
	err    error
}

// insertRow inserts one row.
type insertRow func(values ...any)

// newExport makes a file at path and writes into it what fill adds.
func newExport(ctx context.Context, path, schema string, fill func(*exportWriter)) error {
	return newDatabase(ctx, path, func(tx *sql.Tx) error {
		e := &exportWriter{tx: tx, schema: schema, made: map[string]bool{}, ids: map[string]int64{}}
		e.id("") // id 0
		fill(e)
		strings := e.rows("StringIds", "id value", "")
		for i, s := range e.text {
			strings(int64(i), s)
		}
		return e.err
	})
}

// newDatabase makes a SQLite file at path and fills it in one transaction.
func newDatabase(ctx context.Context, path string, fill func(*sql.Tx) error) error {
	db, err := sql.Open("sqlite", "file:"+escapeURI(path)+"?_pragma=page_size(4096)&_pragma=journal_mode(OFF)&_pragma=synchronous(OFF)")
	if err != nil {
		return err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := fill(tx); err != nil {
		tx.Rollback() // the first error is the one to tell
		return err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	return db.Close()
}

// escapeURI escapes a path for use in a URI.
func escapeURI(path string) string {
	return strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(path)
}

// id is the id of a string in StringIds, to which it is added if it is new.
func (e *exportWriter) id(s string) int64 {
	id, ok := e.ids[s]
	if !ok {
		id = int64(len(e.text))
		e.ids[s] = id
		e.text = append(e.text, s)
	}
	return id
}

// rows prepares to insert rows into a table, which is made if it is not there. varying names
// the columns whose values the caller gives for each row. fixed gives columns the same value in
// all rows, as "name=value"; of these, columns that the schema lacks are left out. All other
// columns are null.
func (e *exportWriter) rows(table, varying, fixed string) insertRow {
	if e.err == nil && !e.made[table] {
		_, e.err = e.tx.Exec(ddl(table, e.schema))
		e.made[table] = true
	}
	if e.err != nil {
		return func(...any) {}
	}
	names := strings.Fields(varying)
	values := slices.Repeat([]string{"?"}, len(names))
	for _, f := range strings.Fields(fixed) {
		name, value, _ := strings.Cut(f, "=")
		if slices.ContainsFunc(columns(table, e.schema), func(c column) bool { return c.name == name }) {
			names, values = append(names, name), append(values, value)
		}
	}
	for i, n := range names {
		names[i] = `"` + n + `"` // end is a keyword
	}
	insert, err := e.tx.Prepare(fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s)", table, strings.Join(names, ", "), strings.Join(values, ", ")))
	if err != nil {
		e.err = fmt.Errorf("table %s: %w", table, err)
		return func(...any) {}
	}
	return func(row ...any) {
		if e.err != nil {
			return
		}
		if _, err := insert.Exec(row...); err != nil {
			e.err = fmt.Errorf("table %s: %w", table, err)
		}
	}
}
