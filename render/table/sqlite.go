package table

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	_ "modernc.org/sqlite" // registers the driver "sqlite"
)

// maxColumns is how many columns a table of SQLite has at most, as it is built by default.
const maxColumns = 2000

// View is a query that a database keeps under a name.
type View struct {
	Name, Doc string
	Columns   []string // "table.column" of what it needs; without one of them the view is not made
	Query     string
}

// sqliteTypes are the kinds of columns as SQLite declares them. It has no booleans: they are 0 and 1.
var sqliteTypes = [...]string{Text: "TEXT", Integer: "INTEGER", Float: "REAL", Bool: "INTEGER"}

// WriteSQLite writes tables into a new database at path, which must be an empty file or none, with views and a table
// "readme" that says what every column is and its unit; policy says how the policy of their verdicts differs from the
// default ("": it does not). A value that was not recorded is NULL. The same tables give the same bytes.
func WriteSQLite(ctx context.Context, path string, tables []Table, views []View, policy string) (err error) {
	// By a path that begins with file: no character of a name is taken for an option.
	db, err := sql.Open("sqlite", "file:"+strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23").Replace(path))
	if err != nil {
		return err
	}
	defer func() {
		if closed := db.Close(); err == nil {
			err = closed
		}
	}()
	db.SetMaxOpenConns(1)
	// Without a journal: who is interrupted leaves a file that nobody looks at.
	for _, pragma := range []string{"PRAGMA journal_mode = OFF", "PRAGMA synchronous = OFF"} {
		if _, err := db.ExecContext(ctx, pragma); err != nil {
			return err
		}
	}
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	d := &database{ctx: ctx, tx: tx, has: map[string]bool{}}
	if err := d.write(tables, views, policy); err != nil {
		tx.Rollback()
		return err
	}
	return tx.Commit()
}

// database is a database in the making.
type database struct {
	ctx context.Context
	tx  *sql.Tx
	has map[string]bool // "table.column" of what is there
}

func (d *database) write(tables []Table, views []View, policy string) error {
	readme := [][]any{}
	note := func(table, column, kind, unit, doc any) {
		readme = append(readme, []any{table, column, kind, unit, doc})
	}
	if policy != "" {
		note(nil, nil, nil, nil, policy)
	}
	for i := range tables {
		t := &tables[i]
		names, err := d.add(t)
		if err != nil {
			return fmt.Errorf("table %s: %w", t.Name, err)
		}
		note(t.Name, nil, nil, nil, t.Doc)
		for k := range t.Columns {
			c := &t.Columns[k]
			note(t.Name, names[k], kindNames[c.Kind], textOrNull(c.Unit), c.Doc)
		}
	}
	for _, v := range views {
		if !d.hasAll(v.Columns) {
			continue
		}
		if _, err := d.tx.ExecContext(d.ctx, "CREATE VIEW "+quoted(v.Name)+" AS "+v.Query); err != nil {
			return fmt.Errorf("view %s: %w", v.Name, err)
		}
		note(v.Name, nil, nil, nil, v.Doc)
	}
	return d.insertReadme(readme)
}

func (d *database) hasAll(columns []string) bool {
	return !slices.ContainsFunc(columns, func(c string) bool { return !d.has[c] })
}

// add writes a table, and returns the names that its columns have in the database: upper and lower case are the same
// there, and the second of two names that differ only in case gets a number.
func (d *database) add(t *Table) (names []string, err error) {
	if len(t.Columns) > maxColumns {
		return nil, fmt.Errorf("has %d columns, and one of SQLite has at most %d (write CSV)", len(t.Columns), maxColumns)
	}
	seen := map[string]int{}
	var declared, places []string
	for i := range t.Columns {
		c := &t.Columns[i]
		name := c.Name
		for n := 2; seen[strings.ToLower(name)] > 0; n++ {
			name = fmt.Sprintf("%s (%d)", c.Name, n)
		}
		seen[strings.ToLower(name)]++
		d.has[t.Name+"."+name] = true
		names = append(names, name)
		declared, places = append(declared, quoted(name)+" "+sqliteTypes[c.Kind]), append(places, "?")
	}
	if _, err := d.tx.ExecContext(d.ctx, "CREATE TABLE "+quoted(t.Name)+" ("+strings.Join(declared, ", ")+")"); err != nil {
		return nil, err
	}
	insert, err := d.tx.PrepareContext(d.ctx, "INSERT INTO "+quoted(t.Name)+" VALUES ("+strings.Join(places, ", ")+")")
	if err != nil {
		return nil, err
	}
	defer insert.Close()
	values := make([]any, len(t.Columns))
	return names, t.Rows(func(row []Cell) error {
		for i := range row {
			values[i] = sqliteValue(t.Columns[i].Kind, &row[i])
		}
		_, err := insert.ExecContext(d.ctx, values...)
		return err
	})
}

func (d *database) insertReadme(rows [][]any) error {
	const create = `CREATE TABLE readme ("table" TEXT, "column" TEXT, "type" TEXT, "unit" TEXT, "doc" TEXT)`
	if _, err := d.tx.ExecContext(d.ctx, create); err != nil {
		return err
	}
	for _, row := range rows {
		if _, err := d.tx.ExecContext(d.ctx, "INSERT INTO readme VALUES (?, ?, ?, ?, ?)", row...); err != nil {
			return err
		}
	}
	return nil
}

// sqliteValue returns a value as the driver takes it, nil for none.
func sqliteValue(kind Kind, c *Cell) any {
	switch {
	case !c.Present:
		return nil
	case kind == Text:
		return c.Text
	case kind == Float:
		return c.Float
	}
	return c.Integer
}

// textOrNull returns a text, nil for an empty one.
func textOrNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// quoted returns a name as SQL has it.
func quoted(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }
