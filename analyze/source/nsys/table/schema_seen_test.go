package table

import (
	"database/sql"
	"path/filepath"
	"testing"
)

// TestSchemaSeen: a schema is read once where the pages are the same, whatever the file's
// own header counts, and anew where a byte of them is another.
func TestSchemaSeen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "rank0.sqlite")
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	open := func(statement string) (*schema, *shape) {
		t.Helper()
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
		d, err := openDatabase(t.Context(), path, ExportWords, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		s, err := d.shape("OSRT_API")
		if err != nil || s == nil || !d.Has("osrt_api") {
			t.Fatalf("after %s: got no table, %v", statement, err)
		}
		return d.schema, s
	}
	first, one := open("CREATE TABLE OSRT_API (start INTEGER, end INTEGER)")
	same, _ := open("INSERT INTO OSRT_API VALUES (1, 2)") // which the header counts
	other, renamed := open("ALTER TABLE OSRT_API RENAME COLUMN end TO more")
	if first != same {
		t.Error("the same pages were read anew")
	}
	if _, ok := renamed.fields["more"]; !ok || one.fields["end"].place != 1 || len(other.tables) != 1 {
		t.Errorf("after another name: got %v and %v", one.fields, renamed.fields)
	}
}
