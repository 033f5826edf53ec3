package synth

import (
	"context"
	"errors"
	"fmt"

	"perfdiff/analyze/engine"
)

// exportWriter writes an Nsight Systems SQLite export. It keeps the first error, and does nothing
// after it.
type exportWriter struct {
	file   *engine.Writer
	schema string
	made   map[string]*engine.Rows
	ids    map[string]int64 // StringIds
	text   []string
	err    error
}

// insertRow inserts one row.
type insertRow func(values ...any)

// newExport makes a file at path and writes into it what fill adds.
func newExport(ctx context.Context, path, schema string, fill func(*exportWriter)) error {
	return newDatabase(ctx, path, func(file *engine.Writer) error {
		e := &exportWriter{file: file, schema: schema, made: map[string]*engine.Rows{}, ids: map[string]int64{}}
		e.id("") // id 0
		fill(e)
		strings := e.rows("StringIds", "id value", "")
		for i, s := range e.text {
			strings(int64(i), s)
		}
		return e.err
	})
}

// newDatabase makes a SQLite file at path and fills it.
func newDatabase(ctx context.Context, path string, fill func(*engine.Writer) error) error {
	file, err := engine.Create(ctx, path)
	if err != nil {
		return err
	}
	filled := fill(file)
	return errors.Join(filled, file.Close())
}

// id returns the id of a string in StringIds, to which it is added if it is new.
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
// all rows, as "name=1" or "name='text'"; of these, columns that the schema lacks are left out.
// All other columns are null.
func (e *exportWriter) rows(table, varying, fixed string) insertRow {
	if e.err != nil {
		return func(...any) {}
	}
	l := layout{columns: columns(table, e.schema)}
	if e.err = l.place(varying, fixed); e.err != nil {
		e.err = fmt.Errorf("table %s: %w", table, e.err)
		return func(...any) {}
	}
	to := e.made[table]
	if to == nil {
		e.file.Exec(ddl(table, e.schema))
		to = e.file.Insert(table, len(l.columns))
		e.made[table] = to
	}
	return func(values ...any) {
		if e.err != nil {
			return
		}
		if len(values) != len(l.varying) {
			e.err = fmt.Errorf("table %s: %d values for columns %s", table, len(values), varying)
			return
		}
		to.Add(l.row(values)...)
	}
}
