package table

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
	// usual: records have the columns as they are declared. Those of tables with
	// generated columns do not.
	usual bool
	odd   map[string]bool // columns whose values are not simply in the record
	// generated are the columns that SQL of the file computes when they are read.
	generated []string
	columns   NameSet // see names
}

// bind is cols as the pages know them; false if the engine has to read them.
func (s *shape) bind(cols []Column) ([]btree.Column, bool) {
	bound, usual := make([]btree.Column, len(cols)), s.usual
	for i, c := range cols {
		bound[i] = btree.Column{Field: btree.Absent, Text: c.Text}
		field, ok := byFold(s.field, c.Name)
		if !ok {
			continue
		}
		odd, _ := byFold(s.odd, c.Name)
		bound[i].Field, usual = field, usual && !odd
	}
	return bound, usual
}

// names are the columns, which no caller changes.
func (s *shape) names() NameSet {
	if s.columns == nil {
		s.columns = make(NameSet, len(s.field))
		for name := range s.field {
			s.columns[name] = true
		}
	}
	return s.columns
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

// shape is that of a table: by the schema if that is plain, else the engine's.
func (d *database) shape(ctx context.Context, table string) (*shape, error) {
	if known, _ := byFold(d.shapes, table); known != nil {
		return known, nil
	}
	if what := d.foreign(table); what != "" {
		return nil, d.refuse("table "+table, what)
	}
	e, err := d.engine(ctx)
	if err != nil {
		return nil, err
	}
	s := &shape{field: make(map[string]int), odd: make(map[string]bool)}
	var root sql.NullInt64
	var declares sql.NullString
	const query = "SELECT rootpage, sql FROM sqlite_master WHERE type = 'table' AND name = ? COLLATE NOCASE"
	err = e.QueryRowContext(ctx, query, table).Scan(&root, &declares)
	// Where the engine stumbles over another object of the schema it still
	// reads the table. Pages of a table without rowids are of another type.
	s.usual = err == nil && root.Int64 > 0 && root.Int64 < 1<<32 && !descending.MatchString(declares.String)
	s.root = uint32(root.Int64)
	if err := s.readColumns(ctx, e, table); err != nil {
		return nil, err
	}
	s.names()
	d.shapes = d.shapes.with(Fold(table), s)
	return s, nil
}

// descending is a key that is no other name of the rowid, unlike INTEGER
// PRIMARY KEY without it.
var descending = regexp.MustCompile(`(?i)primary\s+key\s+desc`)

// computedColumn is how the engine marks a generated column that is not stored.
const computedColumn = 2

func (s *shape) readColumns(ctx context.Context, e *engine, table string) error {
	rows, err := e.QueryContext(ctx, "PRAGMA table_xinfo("+quote(table)+")")
	if err != nil {
		return err
	}
	defer rows.Close()
	var keys []string
	for i := 0; rows.Next(); i++ {
		var (
			name, declared, preset sql.NullString
			number, required       any
			key, hidden            int
		)
		if err := rows.Scan(&number, &name, &declared, &required, &preset, &key, &hidden); err != nil {
			return err
		}
		name.String, declared.String = Fold(name.String), strings.ToUpper(declared.String)
		if hidden == computedColumn {
			s.generated = append(s.generated, name.String)
		}
		s.field[name.String] = i
		s.usual = s.usual && hidden == 0
		// Rows from before the column was added have its default, and a REAL
		// column may hold what is spelt otherwise as an integer.
		s.odd[name.String] = preset.Valid || strings.Contains(declared.String, "REAL")
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
