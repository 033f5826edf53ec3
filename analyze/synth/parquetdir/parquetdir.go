// Package parquetdir writes the tables of a SQLite database as a directory of Parquet
// files, as Nsight Systems exports them. Only tests need it, so that no program carries
// the library that it writes with: it is another one than reads them.
package parquetdir

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	"github.com/parquet-go/parquet-go"
	_ "modernc.org/sqlite" // the driver of that name
)

// Write writes the directory dir, which must not exist, with all that the database holds.
func Write(ctx context.Context, database, dir string) error {
	return write(ctx, database, dir, func(string) string { return "*" })
}

// largeColumns are the columns of a large export that are read.
var largeColumns = map[string]string{
	"StringIds":                      "*",
	"TARGET_INFO_SESSION_START_TIME": "*",
	"CUPTI_ACTIVITY_KIND_KERNEL":     "start, end, deviceId, streamId, correlationId, globalPid, demangledName",
	"CUPTI_ACTIVITY_KIND_RUNTIME":    "start, end, globalTid, correlationId, nameId",
	"OSRT_API":                       "start, end, globalTid, nameId",
	"NVTX_EVENTS":                    "start, end, eventType, globalTid, textId, domainId, text",
}

// WriteRead does what Write does for the columns of a large export that are read: the rest takes long to write.
func WriteRead(ctx context.Context, database, dir string) error {
	return write(ctx, database, dir, func(table string) string { return largeColumns[table] })
}

// write writes of each table the columns that are wanted; none of some.
func write(ctx context.Context, database, dir string, columns func(table string) string) (err error) {
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	name := (&url.URL{Path: database}).EscapedPath()
	db, err := sql.Open("sqlite", "file:"+name+"?mode=ro&immutable=1")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	tables, err := tablesOf(ctx, db)
	if err != nil {
		return err
	}
	for _, table := range tables {
		if wanted := columns(table); wanted != "" {
			if err := writeTable(ctx, db, table, wanted, filepath.Join(dir, table+".parquet")); err != nil {
				return fmt.Errorf("table %s: %w", table, err)
			}
		}
	}
	return nil
}

func tablesOf(ctx context.Context, db *sql.DB) (names []string, err error) {
	rows, err := db.QueryContext(ctx, "SELECT name FROM sqlite_master WHERE type = 'table'")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, rows.Err()
}

// rowsPerGroup is a few thousand: long captures have many groups.
const rowsPerGroup = 5000

// writeTable writes columns of one table of a database.
func writeTable(ctx context.Context, db *sql.DB, table, columns, path string) (err error) {
	rows, err := db.QueryContext(ctx, "SELECT "+columns+" FROM "+table)
	if err != nil {
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

// schemaOf returns the schema of a table and the place of each column in it: the
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
