package engine

import (
	"bytes"
	"database/sql/driver"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// TestOpenImage: rows come from the bytes of an image, as often as they are asked for, and
// nothing can be written.
func TestOpenImage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.sqlite")
	if err := fill(t.Context(), path, 5000); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	r, err := OpenImage(t.Context(), bytes.NewReader(content), 1<<20)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for range 2 {
		rows := int64(0)
		err := r.Query(t.Context(), "SELECT id, y FROM a", func(v []driver.Value) error {
			if rows++; v[0] != rows {
				t.Fatalf("got row %v, want %d", v[0], rows)
			}
			return nil
		})
		if err != nil || rows != 5000 {
			t.Errorf("got %d rows (%v), want 5000", rows, err)
		}
	}
	stop := errors.New("enough")
	if err := r.Query(t.Context(), "SELECT 1", func([]driver.Value) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("got %v, want %v", err, stop)
	}
	for _, write := range []string{"CREATE TABLE z (a)", "INSERT INTO a VALUES (1, 2, 3)", "ATTACH 'other' AS o"} {
		if err := r.Query(t.Context(), write, func([]driver.Value) error { return nil }); err == nil {
			t.Errorf("%s: got no error", write)
		}
	}
	if err := r.Query(t.Context(), "SELECT zeroblob(2000000)", func([]driver.Value) error { return nil }); err == nil || err.Error() != "a value of more than 1 MB" {
		t.Errorf("got %v, want that the value is too long", err)
	}
}
