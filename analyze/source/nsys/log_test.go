package nsys

import (
	"context"
	"database/sql"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/synth/nsystest"
	"perfdiff/analyze/trace"
)

// TestLogChanges: a log that is written to while it is read is refused.
func TestLogChanges(t *testing.T) {
	file, log := nsystest.Logged(t, "wal")
	path := nsystest.Pair(t, file, log, "-wal")
	grow := func(int64) { nsystest.WriteFile(t, path+"-wal", append(log, 0)) }
	_, err := Read(context.Background(), path, &trace.Options{Progress: grow})
	if want := "rank0.sqlite: the log beside it changed while it was read (wait"; err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}

// TestLogBeside: what is no log of the file is said and not read; one that is done with
// is not spoken of.
func TestLogBeside(t *testing.T) {
	file, journal := nsystest.Logged(t, "delete")
	clear(journal[:28])
	small, err := os.ReadFile(nsystest.Export(t, nsystest.KernelRow))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		file   []byte
		suffix string
		log    []byte
		want   string
	}{
		{small, "-wal", []byte("x"), "the log beside the file was not read: rank0.sqlite-wal is no log of it"},
		{small, "-wal", make([]byte, 5000), "the log beside the file was not read: rank0.sqlite-wal is no log of it"},
		{small, "-journal", []byte(strings.Repeat("x", 5000)), "the log beside the file was not read: rank0.sqlite-journal is no log of it"},
		{small, "-journal", make([]byte, 5000), ""},
		{file, "-journal", journal, ""},
	} {
		x := read(t, nsystest.Pair(t, tt.file, tt.log, tt.suffix))[0]
		x.Warnings = slices.DeleteFunc(x.Warnings, func(w trace.Warning) bool { return strings.Contains(w.Text, "its last row has the number") }) // it is deleted from
		if len(x.Warnings) > 0 != (tt.want != "") || tt.want != "" && !warned(x, tt.want) {
			t.Errorf("%s of %d bytes: got warnings %v, want %q", tt.suffix, len(tt.log), x.Warnings, tt.want)
		}
	}
	path := nsystest.Pair(t, small, []byte("x"), "-wal")
	if runtime.GOOS == "windows" || os.Getuid() == 0 || os.Chmod(path+"-wal", 0) != nil {
		t.Skip("every file can be read here")
	}
	if _, err := Read(context.Background(), path, nil); err == nil || !strings.Contains(err.Error(), "the log rank0.sqlite-wal beside it cannot be read: permission denied") {
		t.Errorf("a log that may not be read: got %v", err)
	}
}

// TestReadWithLog: what a log beside a file holds is read, through links too, and what
// came of the log is said.
func TestReadWithLog(t *testing.T) {
	for _, tt := range []struct{ journal, suffix, warning string }{
		{"wal", "-wal", ""},
		{"delete", "-journal", "a write to the file never ended and was undone: rank0.sqlite-journal"},
	} {
		file, log := nsystest.Logged(t, tt.journal)
		path := nsystest.Pair(t, file, log, tt.suffix)
		link := filepath.Join(t.TempDir(), "link.sqlite")
		if err := os.Symlink(path, link); err != nil {
			t.Skip("no symbolic links here")
		}
		for _, at := range []string{path, link} {
			if x := read(t, at)[0]; len(x.OS) < 2900 || tt.warning != "" && !warned(x, tt.warning) {
				t.Errorf("%s: got %d calls and warnings %v", tt.suffix, len(x.OS), x.Warnings)
			}
		}
	}
}

// TestReadBehindLog: a row that only the log holds is among what is read.
func TestReadBehindLog(t *testing.T) {
	path := nsystest.Export(t, nsystest.KernelRow)
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=journal_mode(wal)&_pragma=wal_autocheckpoint(0)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(nsystest.IDs.Replace("INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid) VALUES (1, 2, 59, 'in the log', $T)")); err != nil {
		t.Fatal(err)
	}
	if x := read(t, path)[0]; len(x.Ranges) != 1 || len(x.Warnings) != 0 {
		t.Errorf("got %d ranges and warnings %v, want what is in the log", len(x.Ranges), x.Warnings)
	}
}
