package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// fill writes a database with a view, rows of every type and two tables in turns.
func fill(ctx context.Context, path string, rows int) error {
	w, err := Create(ctx, path)
	if err != nil {
		return err
	}
	w.Exec("CREATE TABLE a (id INTEGER PRIMARY KEY, x, y TEXT)")
	w.Exec(`CREATE TABLE "b ""c" (v REAL)`)
	w.Exec("CREATE VIEW c AS SELECT x FROM a")
	a, b := w.Insert("a", 3), w.Insert(`b "c`, 1)
	for i := range rows {
		a.Add(nil, []any{nil, i, int64(i), 0.5, []byte{0, 255}}[i%5], fmt.Sprint("text ", i))
		b.Add(float64(i))
	}
	return w.Close()
}

// TestCreate: what is written is SQLite's own format, the same bytes each time, in place of
// what was there, under a name that has to be quoted.
func TestCreate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a b%20?#")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "x.sqlite")
	if err := os.WriteFile(path, []byte(strings.Repeat("old", 100_000)), 0o600); err != nil {
		t.Fatal(err)
	}
	var first []byte
	for range 2 {
		if err := fill(t.Context(), path, 20_000); err != nil {
			t.Fatal(err)
		}
		content, err := os.ReadFile(path)
		if err != nil || !bytes.HasPrefix(content, []byte("SQLite format 3\x00")) || first != nil && !bytes.Equal(first, content) {
			t.Errorf("got %d bytes (%v), and %d the time before, or others", len(content), err, len(first))
		}
		first = content
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("got %v (%v), want the database alone", entries, err)
	}
}

// TestCreateFails: the first error is the one that is told.
func TestCreateFails(t *testing.T) {
	if _, err := Create(t.Context(), filepath.Join(t.TempDir(), "no", "x.sqlite")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v, want that there is no such directory", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := fill(ctx, filepath.Join(t.TempDir(), "x.sqlite"), 10); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want it cancelled", err)
	}
	w, err := Create(t.Context(), filepath.Join(t.TempDir(), "x.sqlite"))
	if err != nil {
		t.Fatal(err)
	}
	w.Exec("CREATE TABLE a (x)")
	a := w.Insert("a", 1)
	a.Add(1, 2)
	a.Add(true)
	w.Exec("no SQL")
	if err := w.Close(); err == nil || err.Error() != "table a: row 1: 2 values for 1 columns" {
		t.Errorf("got %v, want the number of values", err)
	}
}
