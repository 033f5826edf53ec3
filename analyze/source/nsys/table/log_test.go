package table

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/synth/nsystest"
)

// calls are the times in OSRT_API as SQLite itself reads a file with its log, which it
// changes; or the error.
func calls(path string) string {
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		return err.Error()
	}
	defer db.Close()
	var n, sum int64
	if err := db.QueryRow("SELECT count(*), sum(end) FROM OSRT_API").Scan(&n, &sum); err != nil {
		return "damaged"
	}
	return fmt.Sprint(n, " ", sum)
}

// ours is the same by the reader, with what it says of the log.
func ours(path string) (calls, says string) {
	d, err := openDatabase(context.Background(), path, ExportWords, nil)
	if err != nil {
		return "damaged", err.Error()
	}
	defer d.Close()
	n, sum := 0, int64(0)
	err = d.Scan(context.Background(), "OSRT_API", Ints("end"), func(b *Batch) {
		for _, end := range b.Cols[0][:b.N] {
			n, sum = n+1, sum+end
		}
	})
	if err != nil {
		return "damaged", d.log
	}
	return fmt.Sprint(n, " ", sum), d.log
}

// TestLogs reads a file and the log beside it, through links too, as SQLite does, and
// leaves both as they are.
func TestLogs(t *testing.T) {
	for _, tt := range []struct{ journal, suffix, warning string }{
		{"wal", "-wal", ""},
		{"delete", "-journal", "a write to the file never ended and was undone: rank0.sqlite-journal"},
	} {
		file, log := nsystest.Logged(t, tt.journal)
		want := calls(nsystest.Pair(t, file, log, tt.suffix))
		if stale := calls(nsystest.Pair(t, file, nil, tt.suffix)); stale == want && tt.journal == "wal" {
			t.Fatalf("%s: the log changes nothing", tt.suffix)
		}
		path := nsystest.Pair(t, file, log, tt.suffix)
		link := filepath.Join(t.TempDir(), "link.sqlite")
		if err := os.Symlink(path, link); err != nil {
			t.Skip("no symbolic links here")
		}
		for _, at := range []string{path, link} {
			got, says := ours(at)
			if got != want || !strings.HasPrefix(says, tt.warning) || tt.warning == "" && says != "" {
				t.Errorf("%s: got %s and %q, SQLite reads %s, want %q", tt.suffix, got, says, want, tt.warning)
			}
		}
		entries, err := os.ReadDir(filepath.Dir(path))
		now, _ := os.ReadFile(path)
		then, _ := os.ReadFile(path + tt.suffix)
		if err != nil || len(entries) != 2 || !bytes.Equal(now, file) || !bytes.Equal(then, log) {
			t.Errorf("%s: reading left %v (%v), or changed what was there", tt.suffix, entries, err)
		}
	}
}

// TestDamagedLogs changes and cuts logs in many ways: what is read is what SQLite reads, and where something was lost it
// is said. A journal that is damaged is refused, of which SQLite undoes a part without a word.
func TestDamagedLogs(t *testing.T) {
	for _, tt := range []struct{ journal, suffix string }{{"wal", "-wal"}, {"delete", "-journal"}} {
		file, log := nsystest.Logged(t, tt.journal)
		whole, _ := ours(nsystest.Pair(t, file, log, tt.suffix))
		for i := range 60 {
			changed := bytes.Clone(log)
			if i%3 == 0 {
				changed = changed[:len(log)*i/60]
			} else {
				changed[(i*7919+i*i)%len(log)] ^= byte(1 + i)
			}
			got, says := ours(nsystest.Pair(t, file, changed, tt.suffix))
			refused := tt.suffix == "-journal" && got == "damaged" && strings.Contains(says, "cannot be undone, because its journal is damaged")
			if want := calls(nsystest.Pair(t, file, changed, tt.suffix)); got != want && !refused {
				t.Errorf("%s, change %d: got %s, SQLite reads %s", tt.suffix, i, got, want)
			}
			if len(changed) > 0 && got != "damaged" && got != whole && !strings.Contains(says, "rank0.sqlite"+tt.suffix) {
				t.Errorf("%s, change %d: got %s, not %s, and no word of it", tt.suffix, i, got, whole)
			}
		}
	}
}

// TestAllInTheLog: a file of which only the log holds tables is read with it, and said
// to be unfinished where its first write never ended.
func TestAllInTheLog(t *testing.T) {
	for journal, suffix := range map[string]string{"wal": "-wal", "delete": "-journal"} {
		path := filepath.Join(t.TempDir(), "rank0.sqlite")
		db, err := sql.Open("sqlite", "file:"+path+"?_pragma=cache_size(4)&_pragma=wal_autocheckpoint(0)&_pragma=journal_mode("+journal+")")
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		db.SetMaxOpenConns(1)
		if _, err := db.Exec(map[string]string{"wal": "", "delete": "BEGIN;"}[journal] + `CREATE TABLE OSRT_API AS
			WITH RECURSIVE s(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM s WHERE i < 9000) SELECT i AS start, i + 1 AS end, 1 AS globalTid, 1 AS nameId FROM s`); err != nil {
			t.Fatal(err)
		}
		file, _ := os.ReadFile(path)
		log, _ := os.ReadFile(path + suffix)
		path = nsystest.Pair(t, file, log, suffix)
		if journal == "wal" {
			if got, _ := ours(path); !strings.HasPrefix(got, "9000 ") {
				t.Errorf("got %s, want 9000 calls", got)
			}
			continue
		}
		_, err = openDatabase(context.Background(), path, ExportWords, nil)
		if want := "not an Nsight Systems export: a write to the file never ended and was undone: rank0.sqlite-journal (wait for"; err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
