package table_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/source/nsys/table"
	"perfdiff/analyze/synth/nsystest"
)

// TestDefaultTexts: a default that stands once in the file and is in each of its rows is
// no more text than the file can hold.
func TestDefaultTexts(t *testing.T) {
	path := nsystest.Export(t, nsystest.KernelRow, "DROP TABLE OSRT_API; CREATE TABLE OSRT_API (a)",
		"INSERT INTO OSRT_API WITH RECURSIVE s(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM s WHERE i < 20000) SELECT i FROM s",
		"ALTER TABLE OSRT_API ADD COLUMN start TEXT DEFAULT '"+strings.Repeat("x", 100_000)+"'")
	bytes := 0
	err := open(t, path).Scan(context.Background(), "OSRT_API", []table.Column{{Name: "start", Text: func(s string) int64 { bytes += len(s); return 0 }}}, func(*table.Batch) {})
	if err == nil || !strings.HasSuffix(err.Error(), "a row that ends before a column with a default") || bytes > 20<<20 {
		t.Errorf("got %v after %d bytes of text", err, bytes)
	}
}

// TestSchemaBounds: a list of tables of any length is read within bounds.
func TestSchemaBounds(t *testing.T) {
	for _, c := range []struct {
		tables, text int
		want         string // "" for none
	}{
		{200, 30_000, ""}, {12_000, 0, ""},
		{20_001, 0, "damaged: it has more than 20000 tables"}, {20, 2_000_000, "damaged: its list of tables has more than 32 MB of text"},
	} {
		path := filepath.Join(t.TempDir(), "x.sqlite")
		var all strings.Builder
		all.WriteString("BEGIN; CREATE TABLE room (a); INSERT INTO room VALUES (zeroblob(100000000)); PRAGMA writable_schema = 1;")
		for i := range c.tables {
			fmt.Fprintf(&all, "INSERT INTO sqlite_master VALUES ('table', 't%[1]d', 't%[1]d', %[2]d, 'CREATE TABLE t%[1]d (a INTEGER -- %[3]s' || char(10) || ')');", i, i+3, strings.Repeat("x", c.text))
		}
		all.WriteString("COMMIT")
		nsystest.WriteDatabase(t, path, all.String())
		d, _, err := table.Open(context.Background(), path, table.ExportWords, nil)
		if c.want != "" {
			if err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("%d tables: got %v, want %s", c.tables, err, c.want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%d tables: %v", c.tables, err)
			continue
		}
		if got := len(d.Tables()); got != c.tables+1 {
			t.Errorf("got %d tables, want %d", got, c.tables+1)
		}
		d.Close()
	}
}

// TestHostileDeclarations: declarations that would take for ever, or any memory, are refused
// or read at once.
func TestHostileDeclarations(t *testing.T) {
	const many = 300_000
	for name, c := range map[string]struct {
		sql  string
		read bool
	}{
		"parentheses": {"CREATE TABLE x (a DEFAULT " + strings.Repeat("(", many) + "7" + strings.Repeat(")", many) + ")", true},
		"signs":       {"CREATE TABLE x (a DEFAULT (" + strings.Repeat("- ", many) + "7))", true},
		"keys":        {"CREATE TABLE x (a, PRIMARY KEY (a" + strings.Repeat(", a COLLATE q", many) + "))", false},
		"columns":     {"CREATE TABLE x (a" + strings.Repeat(", a1", many) + ")", false},
		"constraints": {"CREATE TABLE x (a" + strings.Repeat(" NOT NULL DEFAULT (1)", many/10) + ")", true},
		"types":       {"CREATE TABLE x (a" + strings.Repeat(" a", many) + ")", true},
		"comments":    {"CREATE TABLE x (a" + strings.Repeat("/**/", many) + "/*", false},
	} {
		path := filepath.Join(t.TempDir(), "x.sqlite")
		nsystest.WriteDatabase(t, path, "CREATE TABLE x (a); PRAGMA writable_schema = 1; UPDATE sqlite_master SET sql = '"+c.sql+"'")
		d, _, err := table.Open(context.Background(), path, table.ExportWords, nil)
		if err == nil {
			d.Close()
		}
		if (err == nil) != c.read {
			t.Errorf("%s: got %v, want it read: %v", name, err, c.read)
		}
	}
}
