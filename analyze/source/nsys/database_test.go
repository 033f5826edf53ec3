package nsys

import (
	"database/sql"
	"testing"
)

// writeDatabase creates a SQLite file, or adds to it, what the statements make.
func writeDatabase(t testing.TB, path string, statements ...string) {
	t.Helper()
	db := openForWriting(t, path)
	defer db.Close()
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%.80s: %v", s, err)
		}
	}
}

func openForWriting(t testing.TB, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=synchronous(0)&_pragma=journal_mode(off)")
	if err != nil {
		t.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	return db
}
