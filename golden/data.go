package golden

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// dataDir is the folder of real profiles that are not part of the project, seen from its root.
const dataDir = "../shared/data"

// casesDir is the folder of small inputs that went wrong once, likewise.
const casesDir = "../shared/cases"

// Known returns the real profiles whose values data.txt holds, as sorted paths below the folder of real profiles.
// There may be others: nothing is expected of them.
func Known(t testing.TB) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root(t), "golden/data.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var known []string
	for _, s := range Sections(text) {
		known = append(known, s.Path)
	}
	return known
}

// Section is what data.txt says about one real profile: the lines below its path, with it.
type Section struct {
	Path, Text string
}

// Sections cuts a text like data.txt, in which each line without indent begins a section.
func Sections(text []byte) (out []Section) {
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, " ") {
			out = append(out, Section{Path: strings.TrimSpace(line)})
		}
		if len(out) > 0 {
			out[len(out)-1].Text += line
		}
	}
	return out
}

// Real returns the path of a real profile, or of a folder of them ("" for all), by its path below the folder of real
// profiles. If it does not exist the test is skipped with a message; with PERFDIFF_DATA=required it fails.
func Real(t testing.TB, name string) string {
	t.Helper()
	full := filepath.Join(root(t), dataDir, filepath.FromSlash(name))
	info, err := os.Stat(full)
	if err != nil {
		missing(t, path.Join(dataDir, name))
	}
	if name != "" && err == nil && info.IsDir() {
		return onlyKnown(t, name, full)
	}
	return full
}

// Case returns the path of a case, the smallest form of an input that went wrong, or of the folder of them ("" for all),
// by its path below the folder of cases. If it does not exist it does what Real does.
func Case(t testing.TB, name string) string {
	t.Helper()
	full := filepath.Join(root(t), casesDir, filepath.FromSlash(name))
	if _, err := os.Stat(full); err != nil {
		missing(t, path.Join(casesDir, name))
	}
	return full
}

// onlyKnown returns a folder of real profiles without those that nobody expects in it.
func onlyKnown(t testing.TB, name, full string) string {
	t.Helper()
	entries, err := os.ReadDir(full)
	if err != nil {
		t.Fatal(err)
	}
	known := Known(t)
	here := slices.DeleteFunc(entries, func(e os.DirEntry) bool { return !slices.Contains(known, path.Join(name, e.Name())) })
	if len(here) == len(entries) {
		return full
	}
	dir := filepath.Join(t.TempDir(), filepath.Base(full))
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, e := range here {
		if err := os.Symlink(filepath.Join(full, e.Name()), filepath.Join(dir, e.Name())); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// RealFiles returns the paths of the known profiles that match a pattern of path.Match.
// Those that are not there are left out, as Real does.
func RealFiles(t testing.TB, pattern string) (files []string) {
	t.Helper()
	for _, name := range Known(t) {
		ok, err := path.Match(pattern, name)
		if err != nil {
			t.Fatal(err)
		}
		full := filepath.Join(root(t), dataDir, filepath.FromSlash(name))
		if _, err := os.Stat(full); ok && err == nil {
			files = append(files, full)
		} else if ok && required() {
			missing(t, path.Join(dataDir, name))
		}
	}
	if len(files) == 0 {
		missing(t, path.Join(dataDir, pattern))
	}
	return files
}

// required reports whether a test must not be left out for lack of real profiles. CI by
// itself does not say so: a copy of the project elsewhere has none, and nothing is wrong.
func required() bool { return os.Getenv("PERFDIFF_DATA") == "required" }

func missing(t testing.TB, name string) {
	t.Helper()
	const text = "%s: no real profile here, below the project: make data says where they come from"
	if required() {
		t.Fatalf(text+" (PERFDIFF_DATA=required)", name)
	}
	t.Skipf(text, name)
}

// root returns the project's root, above the folder that a test runs in.
func root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for at := dir; ; at = filepath.Dir(at) {
		entries, err := os.ReadDir(at)
		if err != nil || at == filepath.Dir(at) {
			t.Fatalf("no go.mod above %s: %v", dir, err)
		}
		if slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == "go.mod" }) {
			return at
		}
	}
}
