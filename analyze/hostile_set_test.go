package analyze

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// do fails the test where err is not nil.
func do(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// socket leaves a socket at path.
func socket(t *testing.T, path string) {
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	do(t, err)
	l.SetUnlinkOnClose(false)
	do(t, l.Close())
}

// TestHostileDirectories holds what is said of things in a directory that are
// no files, or none that can be read.
func TestHostileDirectories(t *testing.T) {
	for _, tt := range []struct {
		name string
		make func(dir string)
		file string
		want string
	}{
		{"dangling link", func(dir string) { do(t, os.Symlink("nowhere", filepath.Join(dir, "x.sqlite"))) }, "x.sqlite", "x.sqlite: no such file or directory"},
		{"link to itself", func(dir string) { do(t, os.Symlink("x.json", filepath.Join(dir, "x.json"))) }, "x.json", "too many levels of symbolic links"},
		{"links in a circle", func(dir string) {
			do(t, os.Symlink("y.json", filepath.Join(dir, "x.json")))
			do(t, os.Symlink("x.json", filepath.Join(dir, "y.json")))
		}, "y.json", "too many levels of symbolic links"},
		{"link to the directory itself", func(dir string) { do(t, os.Symlink(".", filepath.Join(dir, "x.json"))) }, "", "the directories are left out"},
		{"socket", func(dir string) { socket(t, filepath.Join(dir, "x.json")) }, "x.json", "x.json: not a regular file"},
		{"device", func(dir string) { do(t, os.Symlink("/dev/zero", filepath.Join(dir, "x.json"))) }, "x.json", "x.json: not a regular file"},
		{"directory like a file", func(dir string) { do(t, os.Mkdir(filepath.Join(dir, "x.sqlite"), 0o755)) }, "", "the directories are left out"},
		{"other name", func(dir string) { socket(t, filepath.Join(dir, "x")) }, "x", ""},
		{"no permission", func(dir string) {
			if os.Geteuid() == 0 {
				do(t, os.Symlink("/dev/null/x", filepath.Join(dir, "x.json"))) // root may read all
				return
			}
			put(t, filepath.Join(dir, "x.json"), profile(2, 5, 4))
			do(t, os.Chmod(filepath.Join(dir, "x.json"), 0))
		}, "x.json", map[bool]string{true: "x.json: not a directory", false: "x.json: permission denied"}[os.Geteuid() == 0]},
	} {
		set := beside(t, tt.make, Options{})
		if got := said(set, tt.file); !strings.Contains(got, tt.want) || tt.want == "" && got != "" {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestHostilePaths(t *testing.T) {
	dir := t.TempDir()
	socket(t, filepath.Join(dir, "s.json"))
	for path, want := range map[string]string{
		filepath.Join(dir, "s.json"): "s.json: not a regular file",
		"/dev/zero":                  "zero: not a regular file",
		"/dev/null/x":                "not a directory",
		"a\x00b":                     "invalid argument",
		strings.Repeat("x", 5000):    "file name too long",
		"":                           "no such file or directory",
	} {
		if _, err := Load(context.Background(), path, Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: got error %v, want %q", path, err, want)
		}
	}
}

// meddler changes a file when it was found, or while the third file is read.
type meddler struct {
	found, read func()
	done        int
}

// Found meddles before any file is read.
func (m *meddler) Found(int, int64) {
	if m.found != nil {
		m.found()
	}
}

// Read meddles once the first two files are done.
func (m *meddler) Read(int64) {
	if m.read != nil && m.done == 2 {
		m.read()
	}
}

// Done counts files, one after the other.
func (m *meddler) Done() { m.done++ }

// TestFilesThatChange: a file that is written while it is read is left out,
// since what was read is neither the old nor the new one.
func TestFilesThatChange(t *testing.T) {
	for _, name := range []string{"x.json", "x.sqlite"} {
		text := profile(2, 5, 4)
		if name == "x.sqlite" {
			text = string(export(t))
		}
		var path string
		remove := func() { os.Remove(path) }
		grow := func() { put(t, path, text+strings.Repeat(" ", 1<<13)) }
		shrink := func() { put(t, path, text[:len(text)/3]) }
		for _, tt := range []struct {
			what string
			hook *meddler
			want string
		}{
			{"vanishes before it is read", &meddler{found: remove}, name + ": no such file or directory"},
			{"vanishes while it is read", &meddler{read: remove}, name + ": changed while it was read (wait until"},
			{"grows while it is read", &meddler{read: grow}, name + ": changed while it was read"},
			{"shrinks while it is read", &meddler{read: shrink}, name + ": "},
			{"shrinks before it is read", &meddler{found: shrink}, ""},
		} {
			set := beside(t, func(dir string) {
				path = filepath.Join(dir, name)
				put(t, path, text)
			}, Options{Jobs: 1, Progress: tt.hook})
			if got := said(set, name); got == "" || !strings.Contains(got, tt.want) {
				t.Errorf("%s %s: got %q, want %q", name, tt.what, got, tt.want)
			}
		}
	}
}

// TestJobs: ranks of different jobs in one directory are pointed out.
func TestJobs(t *testing.T) {
	eight := func(rank int) string {
		return strings.Replace(profile(rank, 5, 4), `"world_size":4`, `"world_size":8`, 1)
	}
	set := beside(t, func(dir string) {
		put(t, filepath.Join(dir, "b2.json"), eight(2))
		put(t, filepath.Join(dir, "b3.json"), strings.Replace(eight(3), `,"world_size":8`, "", 1))
	}, Options{})
	want := "the files of one run come from different jobs: a job of 4 ranks in a0.json and 1 more, a job of 8 ranks in b2.json (give each job its own directory)"
	if got := said(set, "b2.json"); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	set = beside(t, func(dir string) { put(t, filepath.Join(dir, "b0.json"), eight(0)) }, Options{})
	if got := said(set, "b0.json"); !strings.Contains(got, "rank 0 is in a0.json already and the steps overlap; left out: give each run its own directory") {
		t.Errorf("duplicate: got %q", got)
	}
}

// TestTimesApart: ranks that were recorded hours apart are pointed out, and
// captures that follow one another are not.
func TestTimesApart(t *testing.T) {
	at := func(hour, rank, first int) string {
		base := 1_700_000_000_000_000_000 + int64(hour)*3_600_000_000_000
		return strings.Replace(profile(rank, first, 4), `{"schemaVersion":1,`, fmt.Sprintf(`{"schemaVersion":1,"baseTimeNanoseconds":%d,`, base), 1)
	}
	for _, tt := range []struct {
		name  string
		files map[string]string
		want  string
	}{
		{"same time", map[string]string{"a.json": at(0, 0, 5), "b.json": at(0, 1, 5)}, ""},
		{"half a day apart", map[string]string{"a.json": at(12, 0, 5), "b.json": at(0, 1, 5), "c.json": at(0, 2, 5)}, "recorded 12 hours after b.json, of other ranks: they may be of different jobs (give each job its own directory)"},
		{"a long job", map[string]string{"a.json": at(0, 0, 5), "b.json": at(0, 1, 5), "c.json": at(12, 0, 50), "d.json": at(12, 1, 50)}, ""},
		{"time not known", map[string]string{"a.json": at(0, 0, 5), "b.json": profile(1, 5, 4)}, ""},
	} {
		set := loadTree(t, tree(t, tt.files), Options{})
		if got := said(set, "a.json"); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

// TestManyFiles: thousands of files, of which most are the same ranks or nothing. Twice as
// many take twice as much from the heap at most, but for what grows in steps.
func TestManyFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("writes thousands of files")
	}
	load := func(n int) uint64 {
		var before, after runtime.MemStats
		bounded(t, 128<<20, 4<<30, func() {
			beside(t, func(dir string) {
				manyFiles(t, dir, n)
				runtime.ReadMemStats(&before)
			}, Options{})
			runtime.ReadMemStats(&after)
		})
		return after.TotalAlloc - before.TotalAlloc
	}
	load(400) // what is made once is made here
	if one, two := load(1600), load(3200); two > 5*one/2 {
		t.Errorf("got %d MB for 1,600 files and %d for 3,200", one>>20, two>>20)
	}
	set := beside(t, func(dir string) { manyFiles(t, dir, 1600) }, Options{})
	if got := len(set.Runs[0].Ranks); got != 402 || len(set.Files) != 1602 {
		t.Errorf("got %d ranks of %d files, want 402 of 1,602", got, len(set.Files))
	}
}

// manyFiles writes n files: ranks of their own, ranks that are there already, texts and
// broken traces.
func manyFiles(t *testing.T, dir string, n int) {
	t.Helper()
	for i := range n {
		name, text := fmt.Sprintf("b%05d.json", i), "{"
		switch i % 4 {
		case 0:
			text = profile(i/4+2, 5, 2)
		case 1:
			text = profile(i%100, 5, 2)
		case 2:
			name, text = fmt.Sprintf("c%05d.txt", i), "hello"
		}
		put(t, filepath.Join(dir, name), text)
	}
}

// TestOtherThings: a directory without profiles is refused by what is in it.
func TestOtherThings(t *testing.T) {
	for _, tt := range []struct {
		files map[string]string
		want  string
	}{
		{map[string]string{"all_stats.parquet": "PAR1\x00", "rank_stats.parquet": "PAR1\x00", ".nsys-analysis": "{}"}, "nothing to measure: no profiles; all_stats.parquet: not a profile that perfdiff reads: "},
		{map[string]string{"x/kern_sum.csv": "Time (%),Total Time (ns),Instances\n"}, "no profiles; kern_sum.csv: not a profile that perfdiff reads: the output of nsys stats"},
		{map[string]string{"a.pftrace": "\x00", "b.rpd": "\x00"}, "a.pftrace: not a profile that perfdiff reads: a Perfetto trace"},
		{map[string]string{"core": "\x7fELF"}, "no profiles (expected Nsight Systems exports"},
	} {
		if _, err := Load(context.Background(), tree(t, tt.files), Options{}); !errors.Is(err, ErrNothing) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("got error %v, want %q", err, tt.want)
		}
	}
}

// TestStrictSet: with Strict the first bad file is the error, and a set of
// nothing but bad files is one with or without.
func TestStrictSet(t *testing.T) {
	dir := tree(t, map[string]string{"a.json": profile(0, 5, 4), "b.json": "\x00", "c.json": ""})
	if _, err := Load(context.Background(), dir, Options{Strict: true}); err == nil || !strings.HasPrefix(err.Error(), "b.json: ") || !strings.HasSuffix(err.Error(), "(--strict makes a file that cannot be read an error)") {
		t.Errorf("got error %v, want that of b.json", err)
	}
	if _, err := Load(context.Background(), tree(t, map[string]string{"dir/x": ""}), Options{}); !errors.Is(err, ErrNothing) {
		t.Errorf("got error %v, want %v", err, ErrNothing)
	}
}
