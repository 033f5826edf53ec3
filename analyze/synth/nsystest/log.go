package nsystest

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Logged returns a database with many rows and the log next to it, as they look if both are copied while they are
// written: a write-ahead log with pages that are not in the file yet, or the rollback journal of an unfinished write
// that has already put pages into the file.
func Logged(t testing.TB, journal string) (file, log []byte) {
	t.Helper()
	path := Export(t, KernelRow)
	const rows = "INSERT INTO OSRT_API WITH RECURSIVE s(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM s WHERE i < 3000) SELECT i, i+1, $T, 3 FROM s"
	WriteDatabase(t, path, "PRAGMA page_size = 1024", "VACUUM", IDs.Replace(rows))
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=cache_size(4)&_pragma=wal_autocheckpoint(0)&_pragma=journal_mode("+journal+")")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	statements := []string{"UPDATE OSRT_API SET end = end + 7 WHERE start < 1000", "DELETE FROM OSRT_API WHERE start % 50 = 0", "UPDATE OSRT_API SET end = end + 1 WHERE start > 2000"}
	if journal != "wal" {
		statements = []string{"BEGIN", strings.Join(statements, ";")}
	}
	for _, s := range statements {
		if _, err := db.Exec(s); err != nil {
			t.Fatal(err)
		}
	}
	suffix := map[bool]string{true: "-wal", false: "-journal"}[journal == "wal"]
	if file, err = os.ReadFile(path); err == nil {
		log, err = os.ReadFile(path + suffix)
	}
	if err != nil || len(log) < 10_000 {
		t.Fatalf("a log of %d bytes, %v", len(log), err)
	}
	return file, log
}

// Pair writes a file and its log into a new directory.
func Pair(t testing.TB, file, log []byte, suffix string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rank0.sqlite")
	WriteFile(t, path, file)
	WriteFile(t, path+suffix, log)
	return path
}

// WriteFile writes a file that only its owner may read.
func WriteFile(t testing.TB, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}
