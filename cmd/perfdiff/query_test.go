package main

import (
	"database/sql"
	"path/filepath"
	"regexp"
	"testing"

	"perfdiff/analyze/synth"
)

// TestQueryOfHelp runs the query that the help shows against a database that the program wrote.
func TestQueryOfHelp(t *testing.T) {
	help, _ := mustRun(t, statusOK, "help", "outputs")
	examples := regexp.MustCompile(`(?s)sqlite3\s+[\w.]+\s+'([^']*)'`).FindAllStringSubmatch(help, -1)
	if len(examples) == 0 {
		t.Fatalf("the help shows no query:\n%s", help)
	}
	path := filepath.Join(t.TempDir(), "t.db")
	mustRun(t, statusRegressed, append(sides(writeStory(t, "straggler-rank3", synth.Nsight)), "-q", "--sqlite", path)...)
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, example := range examples {
		rows, err := db.QueryContext(t.Context(), example[1])
		if err != nil {
			t.Errorf("%s: %v", example[1], err)
			continue
		}
		found := rows.Next()
		if err := rows.Err(); err != nil || !found {
			t.Errorf("%s: got no row, %v", example[1], err)
		}
		rows.Close()
	}
}
