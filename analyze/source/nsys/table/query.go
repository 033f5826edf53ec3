package table

import (
	"context"
	"database/sql"
	"fmt"
	"regexp"
	"strings"

	"perfdiff/analyze/source/nsys/table/btree"
)

// engine is the engine with the file open in it.
func (d *database) engine(ctx context.Context) (*engine, error) {
	if d.sql == nil {
		if err := d.connect(ctx); err != nil {
			return nil, err
		}
	}
	return d.sql, nil
}

// connect opens the image with the engine and lists its tables.
func (d *database) connect(ctx context.Context) error {
	e, err := openEngine(ctx, &engineFiles{ctx: ctx, image: d.image, left: allowedReads(d.size)})
	if err != nil {
		return err
	}
	known, others, err := objects(ctx, e)
	if err != nil {
		e.close()
		return err // what the pages said of the tables stands
	}
	d.sql, d.known, d.others = e, known, others
	return nil
}

// query reads a table through the engine, without its first rows.
func (d *database) query(
	ctx context.Context, table string, cols []Column, shape *shape, skip int64, emit func(*Batch) error,
) error {
	c, names := newCollector(ctx, cols, shape.field, emit)
	if len(names) == 0 {
		return nil
	}
	e, err := d.engine(ctx)
	if err != nil {
		return err
	}
	if d.on { // a table is read once for each part
		e.files.left, e.spent = allowedReads(d.size), 0
	}
	c.skip, c.left, c.bytes = skip, d.size/8, 4*d.size+16<<20 // no row is shorter, and no text is there often
	id := announce(c)
	defer forget(id)
	var ignored sql.NullInt64
	err = e.within(ctx, allowedTime(d.size), func(ctx context.Context) error {
		return e.QueryRowContext(ctx, selectAll(id, table, names)).Scan(&ignored)
	})
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

// Damaged explains an error of the engine, except that of a cancelled context.
func Damaged(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if Unread(err) {
		return fmt.Errorf("%w (%s)", err, wordsIn(ctx).Again)
	}
	return fmt.Errorf("damaged: %w (%s)", err, wordsIn(ctx).Again)
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
