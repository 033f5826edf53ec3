package table

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
	"modernc.org/sqlite/vfs"
)

// maxValue bounds a value, a row and a statement of the engine, in bytes: texts of
// exports reach some hundred kilobytes.
const maxValue = 4 << 20

// limits of a connection, beside which nothing that an export holds comes near.
var limits = map[int]int{
	sqlite3.SQLITE_LIMIT_LENGTH:     maxValue,
	sqlite3.SQLITE_LIMIT_SQL_LENGTH: maxValue,
	sqlite3.SQLITE_LIMIT_VDBE_OP:    1 << 16,
	sqlite3.SQLITE_LIMIT_ATTACHED:   0,
}

// engine is SQLite with the database open in it.
type engine struct {
	*sql.Conn
	db     *sql.DB
	files  *engineFiles
	system *vfs.FS       // these as the engine knows them
	spent  time.Duration // by queries
}

func (e *engine) close() {
	e.Conn.Close()
	e.db.Close()
	e.system.Close()
}

type engineKey struct{}

// WithEngine is a context in which databases are read through the engine alone.
func WithEngine(ctx context.Context) context.Context {
	return context.WithValue(ctx, engineKey{}, true)
}

func openEngine(ctx context.Context, files *engineFiles) (*engine, error) {
	if err := register(); err != nil {
		return nil, err
	}
	name, system, err := vfs.New(files)
	if err != nil {
		return nil, err
	}
	// A scan needs no page twice, and what the engine keeps is not the heap's.
	const how = "&mode=ro&immutable=1&_pragma=trusted_schema(0)&_pragma=cell_size_check(1)&_pragma=cache_size(-256)"
	db, err := sql.Open("sqlite", "file:"+engineName+"?vfs="+name+how)
	if err != nil {
		system.Close()
		return nil, err
	}
	db.SetMaxOpenConns(1)
	conn, err := db.Conn(ctx) // limits are a connection's
	if err == nil {
		err = limit(conn)
	}
	if err != nil {
		db.Close()
		system.Close()
		return nil, err
	}
	return &engine{Conn: conn, db: db, files: files, system: system}, nil
}

// limit bounds what statements on a connection may do. It comes before the first that
// reads the schema.
func limit(conn *sql.Conn) error {
	for id, most := range limits {
		if _, err := sqlite.Limit(conn, id, most); err != nil {
			return err
		}
	}
	return conn.Raw(func(c any) error {
		guarded, ok := c.(sqlite.AuthorizerRegisterer)
		if !ok {
			return errors.New("the engine cannot be guarded")
		}
		return guarded.RegisterAuthorizer(guard)
	})
}

// objects are the tables of a database, and what else is in its schema under the name
// of none of them: what it is by folded name.
func objects(ctx context.Context, e *engine) (tables NameSet, others map[string]string, err error) {
	rows, err := e.QueryContext(ctx, "SELECT type, name, rootpage FROM sqlite_master")
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	tables, others = make(NameSet), make(map[string]string)
	for rows.Next() {
		var kind, name sql.NullString
		var root any
		if err := rows.Scan(&kind, &name, &root); err != nil {
			return nil, nil, err
		}
		page, _ := root.(int64)
		switch own := Fold(name.String); {
		case kind.String == "table" && page > 0:
			tables[own] = true
		case kind.String == "table":
			others[own] = "is a virtual table"
		case kind.String == "view" || kind.String == "trigger" && others[own] == "":
			others[own] = "is a " + kind.String
		}
	}
	return tables, others, rows.Err()
}

// within runs a query that ends when all queries together took as long as allowed.
func (e *engine) within(ctx context.Context, allowed time.Duration, query func(context.Context) error) error {
	limited, cancel := context.WithTimeoutCause(ctx, allowed-e.spent, errTooMuch)
	defer cancel()
	began := time.Now()
	err := query(limited)
	e.spent += time.Since(began)
	if err != nil && (context.Cause(limited) == errTooMuch || e.files.left < 0) {
		return errTooMuch
	}
	return explained(err)
}

// explained says what an error of the engine means where its own words do not.
func explained(err error) error {
	var e *sqlite.Error
	if errors.As(err, &e) && e.Code()&0xff == sqlite3.SQLITE_TOOBIG {
		return fmt.Errorf("a value of more than %d MB", maxValue>>20)
	}
	return err
}

func selectAll(id int64, table string, names []string) string {
	var q strings.Builder
	fmt.Fprintf(&q, "SELECT %s(%d", collectName, id)
	for _, name := range names {
		q.WriteString(", " + quote(name))
	}
	q.WriteString(") FROM " + quote(table) + " NOT INDEXED") // an index may have been made by anybody
	return q.String()
}

// quote makes an identifier of a name, whatever the name is ("end" is also a
// word of SQL).
func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// guard refuses statements that would reach SQL of the file, in case that a schema hides
// what it is: reads on behalf of a view or trigger, recursion, and functions other than
// those that perfdiff's own queries call.
func guard(action sqlite.AuthorizerActionCode, arg1, arg2, _, within string) sqlite.AuthorizerReturnCode {
	switch {
	case within != "":
	case action == sqlite.AuthSelect, action == sqlite.AuthRead:
		return sqlite.AuthorizerOK
	case action == sqlite.AuthFunction && (arg2 == collectName || arg2 == "max"):
		return sqlite.AuthorizerOK
	case action == sqlite.AuthPragma && arg1 == "table_xinfo":
		return sqlite.AuthorizerOK
	}
	return sqlite.AuthorizerDeny
}
