package nsystest

import (
	"database/sql"
	"testing"

	_ "modernc.org/sqlite" // the driver
)

// WriteDatabase runs statements on a SQLite file, which it creates if it is missing.
func WriteDatabase(t testing.TB, path string, statements ...string) {
	t.Helper()
	db := OpenDatabase(t, path)
	defer db.Close()
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%.80s: %v", s, err)
		}
	}
}

// OpenDatabase opens a SQLite file for writing, on one connection.
func OpenDatabase(t testing.TB, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=synchronous(0)&_pragma=journal_mode(off)")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	return db
}
