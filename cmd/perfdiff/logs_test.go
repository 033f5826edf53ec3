package main

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
)

// inLog moves the last write to an export into a log beside it: the file alone says that
// all kernels took a millisecond longer, and only with its log what it said before. Both
// are copied while the writer has them open, as the index of a log (-shm) is not; the
// export becomes a link to the copy.
func inLog(t *testing.T, path, elsewhere string) {
	t.Helper()
	change := func(how, statement string, then func()) {
		db, err := sql.Open("sqlite", "file:"+path+"?_pragma=wal_autocheckpoint(0)&_pragma=journal_mode("+how+")")
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		db.SetMaxOpenConns(1)
		if _, err := db.Exec(statement); err != nil {
			t.Fatal(err)
		}
		then()
	}
	copied := filepath.Join(elsewhere, filepath.Base(path))
	change("off", "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET end = end + 1000000", func() {})
	change("wal", "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET end = end - 1000000", func() {
		for _, suffix := range []string{"", "-wal"} {
			content, err := os.ReadFile(path + suffix)
			if err != nil {
				t.Fatal(err)
			}
			writeFile(t, copied+suffix, string(content))
		}
	})
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(copied, path); err != nil {
		t.Skip(err)
	}
}

// TestLogsBeside: exports that are links to copies with a log that was not yet written
// back say what they said before, to the byte, and nothing is left beside them.
func TestLogsBeside(t *testing.T) {
	dir := writeStory(t, "lost-overlap", synth.Nsight)
	before, _ := mustRun(t, statusOK, append(sides(dir), "--warn-only", "-o", "-", "--format", "markdown")...)
	files, err := filepath.Glob(filepath.Join(dir, "candidate", "*.sqlite"))
	if err != nil || len(files) < 2 {
		t.Fatalf("%v, %v", files, err)
	}
	elsewhere := t.TempDir()
	for _, f := range files {
		inLog(t, f, elsewhere)
	}
	after, _ := mustRun(t, statusOK, append(sides(dir), "--warn-only", "-o", "-", "--format", "markdown")...)
	if after != before {
		t.Errorf("with logs:\n%s\nwant:\n%s", after, before)
	}
	if entries, err := os.ReadDir(elsewhere); err != nil || len(entries) != 2*len(files) {
		t.Errorf("%d files beside %d exports and their logs (%v)", len(entries), len(files), err)
	}
	for _, f := range files { // without the logs the files say something else
		os.Remove(filepath.Join(elsewhere, filepath.Base(f)+"-wal"))
	}
	if stale, _ := mustRun(t, statusOK, append(sides(dir), "--warn-only", "-o", "-", "--format", "markdown")...); stale == before {
		t.Error("the logs change nothing")
	}
}

// TestForeignSQL: an export with a view in place of a table is left out by name and the
// verdict says so; beside the tables it changes nothing.
func TestForeignSQL(t *testing.T) {
	const endless = " AS WITH RECURSIVE s(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM s) SELECT i AS start, i AS end FROM s WHERE i < 0"
	dir := writeStory(t, "aa", synth.Nsight)
	before, _ := mustRun(t, statusOK, append(sides(dir), "-o", "-", "--format", "markdown")...)
	files, err := filepath.Glob(filepath.Join(dir, "candidate", "*.sqlite"))
	if err != nil || len(files) < 2 {
		t.Fatalf("%v, %v", files, err)
	}
	exec := func(statements ...string) {
		db, err := sql.Open("sqlite", "file:"+files[0]+"?_pragma=journal_mode(off)")
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		for _, s := range statements {
			if _, err := db.Exec(s); err != nil {
				t.Fatal(err)
			}
		}
	}
	exec("CREATE VIEW mine" + endless)
	if after, _ := mustRun(t, statusOK, append(sides(dir), "-o", "-", "--format", "markdown")...); after != before {
		t.Errorf("with a view beside:\n%s\nwant:\n%s", after, before)
	}
	exec("DROP TABLE OSRT_API", "CREATE VIEW OSRT_API"+endless)
	_, said := mustRun(t, statusError, append(sides(dir), "--strict")...)
	if want := filepath.Base(files[0]) + ": table OSRT_API is a view, and SQL that a file brings is never run"; !strings.Contains(said, want) {
		t.Errorf("got %s want %s", said, want)
	}
	if a := compareForAnswer(t, sides(dir)...); !strings.Contains(a.stderr, "table OSRT_API is a view") {
		t.Errorf("exit %d, %s, and no word of the view: %s", a.status, a.headline, a.stderr)
	}
}
