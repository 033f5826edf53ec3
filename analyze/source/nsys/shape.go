package nsys

import (
	"context"
	"database/sql"
	"regexp"
	"strings"

	"perfdiff/analyze/source/nsys/btree"
)

// shape is how a table lies in a SQLite file.
type shape struct {
	root  uint32
	field map[string]int // columns by folded name: the place in the record, or btree.Rowid
	// usual: records have the columns as they are declared. Views, virtual
	// tables and those without rowids or with generated columns are not.
	usual bool
	odd   map[string]bool // columns whose values are not simply in the record
}

// bind is cols as the pages know them; false if the engine has to read them.
func (s *shape) bind(cols []column) ([]btree.Column, bool) {
	bound, usual := make([]btree.Column, len(cols)), s.usual
	for i, c := range cols {
		bound[i] = btree.Column{Field: btree.Absent, Text: c.text}
		name := fold(c.name)
		if field, ok := s.field[name]; ok {
			bound[i].Field = field
		}
		usual = usual && !s.odd[name]
	}
	return bound, usual
}

// keyed reports whether rowids are the values of a column.
func (s *shape) keyed() bool {
	for _, field := range s.field {
		if field == btree.Rowid {
			return true
		}
	}
	return false
}

// shape is that of a table or view: by the schema if that is plain, else the engine's.
func (d *database) shape(ctx context.Context, table string) (*shape, error) {
	table = fold(table)
	if known := d.shapes[table]; known != nil {
		return known, nil
	}
	db, err := d.engine(ctx)
	if err != nil {
		return nil, err
	}
	s := &shape{field: make(map[string]int), odd: make(map[string]bool)}
	var kind string
	var root sql.NullInt64
	var bare bool // without rowids
	var sql sql.NullString
	err = db.QueryRowContext(ctx, `SELECT m.type, m.rootpage, m.sql, coalesce(l.wr, 1) FROM sqlite_master m
		LEFT JOIN pragma_table_list(m.name) l ON l.schema = 'main' WHERE m.name = ? COLLATE NOCASE AND m.type IN ('table', 'view')`, table).
		Scan(&kind, &root, &sql, &bare)
	// Where the engine stumbles over another object of the schema it still
	// reads the table.
	s.usual = err == nil && kind == "table" && !bare && root.Int64 > 0 && root.Int64 < 1<<32 && !descending.MatchString(sql.String)
	s.root = uint32(root.Int64)
	if err := s.readColumns(ctx, db, table); err != nil {
		return nil, err
	}
	d.shapes[table] = s
	return s, nil
}

// descending is a key that is no other name of the rowid, unlike INTEGER
// PRIMARY KEY without it.
var descending = regexp.MustCompile(`(?i)primary\s+key\s+desc`)

func (s *shape) readColumns(ctx context.Context, db *sql.DB, table string) error {
	rows, err := db.QueryContext(ctx, "SELECT name, upper(type), dflt_value IS NOT NULL, pk, hidden FROM pragma_table_xinfo(?)", table)
	if err != nil {
		return err
	}
	defer rows.Close()
	var keys []string
	for i := 0; rows.Next(); i++ {
		var (
			name, declared sql.NullString
			preset         bool
			key, hidden    int
		)
		if err := rows.Scan(&name, &declared, &preset, &key, &hidden); err != nil {
			return err
		}
		name.String = fold(name.String)
		s.field[name.String] = i
		s.usual = s.usual && hidden == 0
		// Rows from before the column was added have its default, and a REAL
		// column may hold what is spelt otherwise as an integer.
		s.odd[name.String] = preset || strings.Contains(declared.String, "REAL")
		if key > 0 {
			keys = append(keys, name.String)
			s.odd[name.String] = declared.String != "INTEGER"
		}
	}
	// A single INTEGER PRIMARY KEY is another name of the rowid, for all that
	// an export declares.
	for _, name := range keys {
		s.odd[name] = s.odd[name] || len(keys) > 1
		s.field[name] = btree.Rowid
	}
	return rows.Err()
}
