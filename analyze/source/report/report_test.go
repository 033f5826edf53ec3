//go:build unix

package report

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// standIn puts an nsys on PATH that is a script: $out is what it is to write
// and $in is the report. Each call adds a line to the file that is returned.
func standIn(t *testing.T, script string) (calls string) {
	t.Helper()
	dir := t.TempDir()
	calls = filepath.Join(dir, "calls")
	text := "#!/bin/sh\necho \"$@\" >> '" + calls + "'\nfor a; do test \"$last\" = -o && out=$a; last=$a; done; in=$last\n" + script
	if err := os.WriteFile(filepath.Join(dir, "nsys"), []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":/usr/bin:/bin")
	return calls
}

const good = `printf 'SQLite format 3\000 of ' > "$out"; cat "$in" >> "$out"; echo 'Processing [====100%====]'`

func called(t *testing.T, calls string) int {
	t.Helper()
	text, err := os.ReadFile(calls)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return strings.Count(string(text), "\n")
}

func writeReport(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// export exports a report and returns what its export holds.
func export(t *testing.T, e *Exporter, path string, sound bool) string {
	t.Helper()
	made, done, err := e.Export(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer done(sound)
	if filepath.Base(made) != filepath.Base(path) {
		t.Errorf("got the name %s want that of the report", filepath.Base(made))
	}
	text, err := os.ReadFile(made)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimPrefix(string(text), "SQLite format 3\x00 of ")
}

func TestExportOnce(t *testing.T) {
	calls := standIn(t, good)
	cache := filepath.Join(t.TempDir(), "new", "cache")
	path := writeReport(t, "report.3.nsys-rep", "one")
	for range 3 {
		if got := export(t, New(Options{Cache: cache}), path, true); got != "one" || called(t, calls) != 1 {
			t.Fatalf("got %q after %d calls, want one", got, called(t, calls))
		}
	}
	if err := os.WriteFile(path, []byte("other"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := export(t, New(Options{Cache: cache}), path, false); got != "other" || called(t, calls) != 2 {
		t.Errorf("a report that changed: got %q after %d calls", got, called(t, calls))
	}
	if export(t, New(Options{Cache: cache}), path, true); called(t, calls) != 3 {
		t.Errorf("an export that could not be read was kept")
	}
	if text, _ := os.ReadFile(calls); !strings.Contains(string(text), "export --type sqlite --include-json true --lazy true -o ") {
		t.Errorf("got the call %q", text)
	}
}

func TestNoCache(t *testing.T) {
	calls := standIn(t, good)
	t.Setenv("TMPDIR", t.TempDir())
	path := writeReport(t, "a.qdrep", "x")
	for range 2 {
		if got := export(t, New(Options{NoCache: true}), path, true); got != "x" {
			t.Errorf("got %q", got)
		}
	}
	left, _ := os.ReadDir(os.Getenv("TMPDIR"))
	if called(t, calls) != 2 || len(left) > 0 {
		t.Errorf("got %d calls want 2; left behind %v", called(t, calls), left)
	}
}

func TestDefaultCache(t *testing.T) {
	standIn(t, good)
	home := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", home)
	export(t, New(Options{}), writeReport(t, "a.nsys-rep", "x"), true)
	if kept, _ := filepath.Glob(home + "/perfdiff/exports/*/a.nsys-rep"); len(kept) != 1 {
		t.Errorf("got %v in the user's cache want one export", kept)
	}
	t.Setenv("XDG_CACHE_HOME", "")
	t.Setenv("HOME", "")
	if e := New(Options{}); !e.opt.NoCache || export(t, e, writeReport(t, "a.nsys-rep", "y"), true) != "y" {
		t.Error("without a home the export is made and not kept")
	}
}

func TestAtOnce(t *testing.T) {
	// Each waits for a second one to begin and fails where none does.
	calls := standIn(t, `s=$(dirname "$0")/started; echo >> "$s"; i=0
while [ $(wc -l < "$s") -lt 2 ]; do i=$((i+1)); test $i -gt 600 && exit 1; sleep 0.05; done
`+good)
	e := New(Options{Cache: t.TempDir()})
	same := writeReport(t, "a.nsys-rep", "same")
	var all sync.WaitGroup
	for i := range 8 {
		path := same
		if i%2 == 1 {
			path = writeReport(t, "a.nsys-rep", fmt.Sprint(i))
		}
		all.Go(func() {
			_, done, err := e.Export(context.Background(), path)
			if err != nil {
				t.Error(err)
				return
			}
			done(true)
		})
	}
	all.Wait()
	if called(t, calls) != 5 {
		t.Errorf("got %d calls want 5: one for each report", called(t, calls))
	}
}

func TestTroubles(t *testing.T) {
	for _, tt := range []struct{ name, script, want string }{
		{"fails", `echo "Processing 10%"; echo "Error: $in was made by a newer version" >&2; exit 3`,
			"nsys export failed, exit status 3: nsys says: Error: a.nsys-rep was made by a newer version (try by hand: nsys export --type sqlite"},
		{"silent", `exit 1`, "nsys export failed, exit status 1 (try by hand"},
		{"nothing", `echo done`, "nsys export wrote no SQLite database: nsys says: done (try"},
		{"rubbish", `echo rubbish > "$out"`, "nsys export wrote no SQLite database (try"},
		{"talks", `i=0; while [ $i -lt 3000 ]; do echo "line $i of very much that is said"; i=$((i+1)); done; echo the cause; exit 1`, "the cause (try"},
	} {
		standIn(t, tt.script)
		cache, path := t.TempDir(), writeReport(t, "a.nsys-rep", "x")
		_, _, err := New(Options{Cache: cache}).Export(context.Background(), path)
		holdsTrouble(t, tt.name, err, tt.want, cache, path)
	}
}

// holdsTrouble: an error says what is wanted, briefly and without directories of this machine,
// and nothing is left behind.
func holdsTrouble(t *testing.T, name string, err error, want, cache, path string) {
	t.Helper()
	switch {
	case err == nil || !strings.Contains(err.Error(), want):
		t.Errorf("%s: got error %v want %q", name, err, want)
	case len(err.Error()) > maxOutput+300 || strings.Contains(err.Error(), filepath.Dir(path)) || strings.Contains(err.Error(), cache):
		t.Errorf("%s: got %q: too long, or with a directory of this machine", name, err)
	}
	if left, _ := os.ReadDir(cache); len(left) > 0 {
		t.Errorf("%s: left %v in the cache", name, left)
	}
}

// TestHangs: an export that does not end is ended with all that it started, and what it said by
// then is passed on. A busy machine may end it before it said anything: then it gets longer.
func TestHangs(t *testing.T) {
	calls := standIn(t, `echo waiting for a licence; echo >> "$0.waits"; sleep 100000 & sleep 100000`)
	for limit := 300 * time.Millisecond; ; limit *= 4 {
		cache, path := t.TempDir(), writeReport(t, "a.nsys-rep", "x")
		_, _, err := New(Options{Cache: cache, Timeout: limit}).Export(context.Background(), path)
		if _, silent := os.Stat(filepath.Join(filepath.Dir(calls), "nsys.waits")); silent != nil && limit < time.Minute {
			continue
		}
		want := fmt.Sprintf("nsys export did not end within %s (--timeout gives it longer): nsys says: waiting for a licence (try", limit)
		holdsTrouble(t, "hangs", err, want, cache, path)
		return
	}
}

func TestOlderTool(t *testing.T) {
	calls := standIn(t, `case "$*" in *--lazy*) echo "unrecognised option '--lazy'"; exit 1;; esac; `+good)
	if got := export(t, New(Options{Cache: t.TempDir()}), writeReport(t, "a.qdrep", "old"), true); got != "old" || called(t, calls) != 2 {
		t.Errorf("got %q after %d calls", got, called(t, calls))
	}
}

func TestInterrupted(t *testing.T) {
	standIn(t, "sleep 100000")
	ctx, cancel := context.WithTimeout(context.Background(), 100*time.Millisecond)
	defer cancel()
	cache := t.TempDir()
	if _, _, err := New(Options{Cache: cache}).Export(ctx, writeReport(t, "a.nsys-rep", "x")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v want the context's error", err)
	}
	if left, _ := os.ReadDir(cache); len(left) > 0 {
		t.Errorf("left %v in the cache", left)
	}
}

func TestNoTool(t *testing.T) {
	t.Setenv("PATH", "")
	if _, _, err := New(Options{}).Export(context.Background(), "a.nsys-rep"); !errors.Is(err, ErrNoTool) {
		t.Errorf("got %v want %v", err, ErrNoTool)
	}
}

func TestCacheThatCannotBe(t *testing.T) {
	standIn(t, good)
	file := writeReport(t, "file", "x")
	_, _, err := New(Options{Cache: filepath.Join(file, "cache")}).Export(context.Background(), writeReport(t, "a.nsys-rep", "x"))
	if err == nil || !strings.HasPrefix(err.Error(), "the cache of exports cannot be written: not a directory (--cache DIR") {
		t.Errorf("got %v", err)
	}
}

// TestEvict fills a cache with three exports of which two fit.
func TestEvict(t *testing.T) {
	standIn(t, `printf 'SQLite format 3\000' > "$out"; head -c 1000000 /dev/zero >> "$out"`)
	cache := t.TempDir()
	foreign := filepath.Join(cache, "mine")
	if err := os.MkdirAll(foreign, 0o700); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-48 * time.Hour)
	var kept []string
	for i := range 3 {
		e := New(Options{Cache: cache})
		e.limit = 2_500_000
		made, done, err := e.Export(context.Background(), writeReport(t, "a.nsys-rep", fmt.Sprint(i)))
		if err != nil {
			t.Fatal(err)
		}
		done(true)
		kept = append(kept, filepath.Dir(made))
		when := old.Add(time.Duration(i) * time.Minute)
		if i == 0 {
			when = old.Add(time.Hour) // the first was used after the second
		}
		if err := os.Chtimes(filepath.Dir(made), when, when); err != nil {
			t.Fatal(err)
		}
		if part := filepath.Join(cache, ".part-left"); i == 1 {
			if err := errors.Join(os.Mkdir(part, 0o700), os.Chtimes(part, old, old), os.Chtimes(foreign, old, old)); err != nil {
				t.Fatal(err)
			}
		}
	}
	left, _ := os.ReadDir(cache)
	var names []string
	for _, d := range left {
		names = append(names, d.Name())
	}
	if all := strings.Join(names, " "); len(left) != 3 || !strings.Contains(all, filepath.Base(kept[0])) || !strings.Contains(all, filepath.Base(kept[2])) || !strings.Contains(all, "mine") {
		t.Errorf("got %v want the first, the last and the directory of another owner", names)
	}
}

func TestIs(t *testing.T) {
	for name, want := range map[string]bool{"a.nsys-rep": true, "A.NSYS-REP": true, "a.qdrep": true, "a.sqlite": false, "nsys-rep": false} {
		if IsReport(name) != want {
			t.Errorf("%s: got %v", name, !want)
		}
	}
	if got := Command("/x/it's mine.nsys-rep"); !strings.HasSuffix(got, `-o 'it'\''s mine.sqlite' 'it'\''s mine.nsys-rep'`) {
		t.Errorf("got %s", got)
	}
}
