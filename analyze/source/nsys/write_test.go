package nsys

import (
	"database/sql"
	"testing"
)

// writeDatabase creates a SQLite file with what the statements make.
func writeDatabase(t testing.TB, path string, statements ...string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatalf("%.80s: %v", s, err)
		}
	}
}
