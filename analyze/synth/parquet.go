package synth

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// writeParquet writes the export of one rank as a directory of tables: what
// the export to SQLite holds, table by table, in row groups of a few thousand
// rows as long captures have many.
func (p *profile) writeParquet(ctx context.Context, dir string, format Format) (err error) {
	sqlite := dir + ".sqlite"
	defer os.Remove(sqlite)
	if err := p.writeNsight(ctx, sqlite, format); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	db, err := sql.Open("sqlite", "file:"+escape(sqlite)+"?mode=ro&immutable=1")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	for table := range tables {
		if err := writeTable(ctx, db, table, "*", filepath.Join(dir, table+".parquet")); err != nil {
			return fmt.Errorf("table %s: %w", table, err)
		}
	}
	return nil
}

// largeColumns are the columns of a large export that its directory has.
var largeColumns = map[string]string{
	"StringIds":                      "*",
	"TARGET_INFO_SESSION_START_TIME": "*",
	"CUPTI_ACTIVITY_KIND_KERNEL":     "start, end, deviceId, streamId, correlationId, globalPid, demangledName",
	"CUPTI_ACTIVITY_KIND_RUNTIME":    "start, end, globalTid, correlationId, nameId",
	"OSRT_API":                       "start, end, globalTid, nameId",
	"NVTX_EVENTS":                    "start, end, eventType, globalTid, textId, domainId, text",
}

// LargeDirectory writes what is read of LargeExport's rows as a directory of Parquet
// files. Nothing may exist at dir, nor at dir with ".sqlite" behind it.
func LargeDirectory(ctx context.Context, dir string, n Rows) (err error) {
	sqlite := dir + ".sqlite"
	defer os.Remove(sqlite)
	if err := LargeExport(ctx, sqlite, n); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	db, err := sql.Open("sqlite", "file:"+escape(sqlite)+"?mode=ro&immutable=1")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	for table, columns := range largeColumns {
		if err := writeTable(ctx, db, table, columns, filepath.Join(dir, table+".parquet")); err != nil {
			return fmt.Errorf("table %s: %w", table, err)
		}
	}
	return nil
}

const rowsPerGroup = 5000

// writeTable writes columns of one table of a database; none if the database lacks it.
func writeTable(ctx context.Context, db *sql.DB, table, columns, path string) (err error) {
	rows, err := db.QueryContext(ctx, "SELECT "+columns+" FROM "+table)
	if err != nil {
		if strings.Contains(err.Error(), "no such table") {
			return nil
		}
		return err
	}
	defer rows.Close()
	types, err := rows.ColumnTypes()
	if err != nil {
		return err
	}
	schema, place := schemaOf(table, types)
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := parquet.NewWriter(f, schema, parquet.Compression(&parquet.Snappy), parquet.CreatedBy("perfdiff", "", ""))
	values := make([]any, len(types))
	for i := range values {
		values[i] = new(any)
	}
	for n := 0; rows.Next(); n++ {
		if err := rows.Scan(values...); err != nil {
			return err
		}
		if n > 0 && n%rowsPerGroup == 0 {
			if err := w.Flush(); err != nil {
				return err
			}
		}
		if _, err := w.WriteRows([]parquet.Row{rowOf(values, place)}); err != nil {
			return err
		}
	}
	return errors.Join(rows.Err(), w.Close())
}

// schemaOf is the schema of a table and the place of each column in it: the
// library puts columns in order of name.
func schemaOf(table string, types []*sql.ColumnType) (*parquet.Schema, []int) {
	group := parquet.Group{}
	for _, t := range types {
		var node parquet.Node
		switch t.DatabaseTypeName() {
		case "TEXT":
			node = parquet.Encoded(parquet.String(), &parquet.RLEDictionary)
		case "REAL":
			node = parquet.Leaf(parquet.DoubleType)
		default:
			node = parquet.Int(64)
		}
		group[t.Name()] = parquet.Optional(node)
	}
	schema := parquet.NewSchema(table, group)
	place := make([]int, len(types))
	for i, t := range types {
		leaf, _ := schema.Lookup(t.Name())
		place[i] = leaf.ColumnIndex
	}
	return schema, place
}

func rowOf(values []any, place []int) parquet.Row {
	row := make(parquet.Row, len(values))
	for i, v := range values {
		at := place[i]
		if x := *v.(*any); x == nil {
			row[at] = parquet.NullValue().Level(0, 0, at)
		} else {
			row[at] = parquet.ValueOf(x).Level(0, 1, at)
		}
	}
	return row
}
