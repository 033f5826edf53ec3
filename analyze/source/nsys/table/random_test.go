package table_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/synth/nsystest"
)

// story makes SQL of a small database of its own for each seed.
type story struct{ *rand.Rand }

func (s story) one(of ...string) string { return of[s.IntN(len(of))] }

// value is one of any type, now and then long.
func (s story) value() string {
	switch s.IntN(12) {
	case 0:
		return "NULL"
	case 1:
		return fmt.Sprint(int64(s.Uint64()) >> s.IntN(64))
	case 2:
		return fmt.Sprint(s.NormFloat64() * 1e6)
	case 3:
		return fmt.Sprintf("%d.0", s.IntN(1000))
	case 4:
		return fmt.Sprintf("zeroblob(%d)", s.IntN(1<<s.IntN(15)))
	case 5:
		return fmt.Sprintf("'%s'", strings.Repeat(s.one("a", "é", "€", "😀", "7"), s.IntN(1<<s.IntN(13))))
	case 6:
		return s.one("0", "1", "-1", "127", "-128", "32768", "8388608", "-2147483649", "140737488355328", "9223372036854775807", "-9223372036854775808")
	}
	return fmt.Sprint(s.IntN(1000))
}

func (s story) kind() string {
	return s.one("", "INTEGER", "INTEGER", "TEXT", "REAL", "BLOB", "INT", "NUMERIC", "VARCHAR(20)", "DOUBLE PRECISION", "any")
}

// column is a declaration without its name.
func (s story) column() string {
	more := s.one("", "", "", " DEFAULT 5", " DEFAULT -2.5", " DEFAULT 'x'", " CHECK (1)", " COLLATE nocase", " NULL", " REFERENCES other (a)", " /* , */")
	return s.kind() + more
}

// table is a declaration, with the columns that rows can be put into.
func (s story) table(name string) (create string, columns []string) {
	var parts []string
	for i := range 1 + s.IntN(12) {
		column := fmt.Sprintf("%s%d", s.one("a", "Bé", "c"), i)
		switch {
		case i > 0 && s.IntN(10) == 0:
			parts = append(parts, fmt.Sprintf("%s %s AS (%s) %s", column, s.kind(), columns[0], s.one("", "STORED", "VIRTUAL")))
			continue
		case i == 0 && s.IntN(3) == 0:
			column = "k"
			parts = append(parts, column+s.one(" INTEGER PRIMARY KEY", " INTEGER PRIMARY KEY DESC", " INT PRIMARY KEY", " INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT"))
		default:
			parts = append(parts, column+" "+s.column())
		}
		columns = append(columns, column)
	}
	options := ""
	if !strings.Contains(parts[0], "PRIMARY") && s.IntN(3) == 0 {
		key := columns[s.IntN(len(columns))]
		parts = append(parts, fmt.Sprintf("PRIMARY KEY (%s %s, %s)", key, s.one("", "DESC", "COLLATE rtrim"), columns[0]))
		options = s.one("", " WITHOUT ROWID", " WITHOUT ROWID")
	} else if s.IntN(6) == 0 {
		parts = append(parts, "CHECK (1)")
	}
	return fmt.Sprintf("CREATE TABLE %s (%s)%s", name, strings.Join(parts, ", "), options), columns
}

// fill are rows, of which those that break a constraint are left out.
func (s story) fill(name string, columns []string, rows int) string {
	var all strings.Builder
	fmt.Fprintf(&all, "INSERT OR IGNORE INTO %s (%s) VALUES ", name, strings.Join(columns, ", "))
	for i := range rows {
		values := make([]string, len(columns))
		for c := range values {
			if values[c] = s.value(); columns[c] == "k" {
				values[c] = fmt.Sprint(int64(s.Uint64()) >> (8 * s.IntN(8))) // an INTEGER PRIMARY KEY takes nothing else
			}
		}
		if i > 0 {
			all.WriteString(", ")
		}
		all.WriteString("(" + strings.Join(values, ", ") + ")")
	}
	return all.String()
}

func (s story) statements() []string {
	all := []string{fmt.Sprintf("PRAGMA page_size = %d", 512<<s.IntN(6)), "PRAGMA encoding = '" + s.one("UTF-8", "UTF-8", "UTF-16le", "UTF-16be") + "'",
		"PRAGMA auto_vacuum = " + s.one("0", "1", "2"), "CREATE TABLE other (a UNIQUE)"}
	for i := range 1 + s.IntN(4) {
		name := fmt.Sprintf("t%d", i)
		create, columns := s.table(name)
		all = append(all, create, s.fill(name, columns, 1+s.IntN(60)))
		for j := range s.IntN(4) {
			column := fmt.Sprintf("added%d", j)
			all = append(all, fmt.Sprintf("ALTER TABLE %s ADD COLUMN %s %s", name, column, s.column()))
			columns = append(columns, column)
			all = append(all, s.fill(name, columns, s.IntN(20)+1))
		}
		switch s.IntN(5) {
		case 0:
			all = append(all, fmt.Sprintf("DELETE FROM %s WHERE %s %% 3 = 0", name, columns[0]))
		case 1:
			if strings.HasSuffix(create, "WITHOUT ROWID") {
				break // SQLite reads such a table in the order of an index that holds all of it
			}
			all = append(all, fmt.Sprintf("CREATE INDEX i%d ON %s (%s)", i, name, columns[0]))
		case 2:
			all = append(all, fmt.Sprintf("DELETE FROM %s", name))
		}
	}
	if s.IntN(4) == 0 {
		all = append(all, "VACUUM")
	}
	return all
}

// TestRandomDatabases holds the pages to SQLite on databases that it wrote itself.
func TestRandomDatabases(t *testing.T) {
	read := 0
	for seed := range uint64(150) {
		path := filepath.Join(t.TempDir(), fmt.Sprintf("seed%d.sqlite", seed))
		nsystest.WriteDatabase(t, path, story{rand.New(rand.NewPCG(seed, 18))}.statements()...)
		read += samePages(t, path)
	}
	if read < 190 {
		t.Errorf("got rows of %d tables, want most", read)
	}
}

// TestRandomDamage changes a few bytes of such databases, most of them where pages and rows
// begin: the pages and SQLite give the same rows, or both an error. Where a database is
// vacuumed by itself SQLite reads rows of several pages by a map of the pages, or by the
// pages, and gives one value or another: such ones are left out.
func TestRandomDamage(t *testing.T) {
	for seed := range uint64(30) {
		s := story{rand.New(rand.NewPCG(seed, 7))}
		path := filepath.Join(t.TempDir(), "whole.sqlite")
		nsystest.WriteDatabase(t, path, slices.DeleteFunc(s.statements(), func(s string) bool { return strings.Contains(s, "auto_vacuum") })...)
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 25 {
			changed := bytes.Clone(content)
			for range 1 + s.IntN(3) {
				at := s.IntN(len(changed))
				if s.IntN(2) == 0 {
					at = at/512*512 + s.IntN(40)
				}
				changed[at] ^= byte(1 + s.IntN(255))
			}
			path := filepath.Join(t.TempDir(), fmt.Sprintf("seed%d-%d.sqlite", seed, i))
			nsystest.WriteFile(t, path, changed)
			samePages(t, path)
		}
	}
}
