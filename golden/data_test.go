package golden

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// project is a copy of the project's outline in which the tests of this file stand, with
// the profiles of here beside it, of which data.txt knows a/one.gz and a/two.gz.
func project(t *testing.T, here ...string) {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{"perfdiff/go.mod": "", "perfdiff/golden/data.txt": "a/one.gz\n  1\na/two.gz\n  2\n", "perfdiff/x/y/z": ""}
	for _, name := range here {
		files["shared/data/"+name] = ""
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(filepath.Join(dir, "perfdiff/x/y"))
}

// TestRealAbsent: a missing profile leaves a test out, CI or not, and fails only where
// the project's own variable says so.
func TestRealAbsent(t *testing.T) {
	for _, tt := range []struct {
		here                  []string
		ci, data              string
		one, missing, pattern string // ok, failed or skipped
	}{
		{nil, "", "", "skipped", "skipped", "skipped"},
		{nil, "true", "", "skipped", "skipped", "skipped"},
		{nil, "true", "optional", "skipped", "skipped", "skipped"},
		{nil, "", "required", "failed", "failed", "failed"},
		{[]string{"a/one.gz", "a/new.gz"}, "true", "", "ok", "skipped", "ok"},
		{[]string{"a/one.gz"}, "", "required", "ok", "failed", "failed"},
		{[]string{"a/one.gz", "a/two.gz", "a/new.gz"}, "", "required", "ok", "ok", "ok"},
	} {
		project(t, tt.here...)
		t.Setenv("CI", tt.ci)
		t.Setenv("PERFDIFF_DATA", tt.data)
		of := func(f func(testing.TB)) string {
			r := &recorder{TB: t}
			f(r)
			switch {
			case r.failed:
				return "failed"
			case r.skipped:
				return "skipped"
			}
			return "ok"
		}
		one := of(func(t testing.TB) { Real(t, "a/one.gz") })
		missing := of(func(t testing.TB) { Real(t, "a/two.gz") })
		pattern := of(func(t testing.TB) { RealFiles(t, "a/*.gz") })
		if one != tt.one || missing != tt.missing || pattern != tt.pattern {
			t.Errorf("%v with CI=%q, PERFDIFF_DATA=%q: got %s, %s, %s, want %s, %s, %s",
				tt.here, tt.ci, tt.data, one, missing, pattern, tt.one, tt.missing, tt.pattern)
		}
	}
}

// TestRealUnknown: a profile that nobody knows is in no list and in no folder.
func TestRealUnknown(t *testing.T) {
	project(t, "a/one.gz", "a/two.gz", "a/new.gz", "b/new.gz")
	names := func(paths []string) string {
		for i, p := range paths {
			paths[i] = filepath.Base(p)
		}
		return strings.Join(paths, " ")
	}
	if got := names(RealFiles(t, "*/*.gz")); got != "one.gz two.gz" {
		t.Errorf("got %s", got)
	}
	found, err := filepath.Glob(filepath.Join(Real(t, "a"), "*"))
	if got := names(found); err != nil || got != "one.gz two.gz" {
		t.Errorf("got %s, %v", got, err)
	}
}

// TestSources: each profile that is known has a source, and no source is of nothing.
func TestSources(t *testing.T) {
	text, err := os.ReadFile("sources.txt")
	if err != nil {
		t.Fatal(err)
	}
	var sources []string
	for line := range bytes.Lines(text) {
		fields := strings.Split(strings.TrimSpace(string(line)), "\t")
		if strings.HasPrefix(fields[0], "#") {
			continue
		}
		if len(fields) != 3 || slices.Contains(fields, "") {
			t.Errorf("%q: got %d fields, want path, repository and licence", line, len(fields))
		}
		sources = append(sources, fields[0])
	}
	of := func(name, source string) bool { return name == source || strings.HasPrefix(name, source+"/") }
	known := Known(t)
	for _, name := range known {
		if !slices.ContainsFunc(sources, func(s string) bool { return of(name, s) }) {
			t.Errorf("%s: no line of sources.txt says where it comes from", name)
		}
	}
	for _, s := range sources {
		if !slices.ContainsFunc(known, func(name string) bool { return of(name, s) }) {
			t.Errorf("%s: data.txt knows no such profile", s)
		}
	}
}
