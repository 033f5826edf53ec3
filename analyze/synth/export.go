package synth

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	_ "modernc.org/sqlite" // the driver "sqlite"
)

// export is an Nsight Systems SQLite export that is being written, in one
// transaction. The first error is kept and stops everything after it.
type export struct {
	tx     *sql.Tx
	schema string
	made   map[string]bool
	ids    map[string]int64 // StringIds
	text   []string
	err    error
}

// inserter adds one row.
type inserter func(values ...any)

// newExport writes what fill adds to a new file at path.
func newExport(ctx context.Context, path, schema string, fill func(*export)) error {
	db, err := sql.Open("sqlite", "file:"+escape(path)+"?_pragma=page_size(4096)&_pragma=journal_mode(OFF)&_pragma=synchronous(OFF)")
	if err != nil {
		return err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	e := &export{tx: tx, schema: schema, made: map[string]bool{}, ids: map[string]int64{}}
	e.id("") // id 0
	fill(e)
	strings := e.rows("StringIds", "id value", "")
	for i, s := range e.text {
		strings(int64(i), s)
	}
	if e.err != nil {
		tx.Rollback() // the first error is the one to tell
		return e.err
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	return db.Close()
}

// escape lets a path stand in a URI.
func escape(path string) string {
	return strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(path)
}

// id is the id of a string in StringIds.
func (e *export) id(s string) int64 {
	id, ok := e.ids[s]
	if !ok {
		id = int64(len(e.text))
		e.ids[s] = id
		e.text = append(e.text, s)
	}
	return id
}

// rows prepares to add rows to a table, which it makes when it is not there.
// The caller gives the values of the columns in varying; fixed has columns with
// one value for all rows, as "name=value", and of these the ones that the
// schema lacks are left out. Columns in neither are null.
func (e *export) rows(table, varying, fixed string) inserter {
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
