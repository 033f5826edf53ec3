package notices

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// platforms are those that programs are built for: each links a little else.
var platforms = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

// licence matches the names of files that state rights.
var licence = regexp.MustCompile(`(?i)^(licen[cs]es?|copying|copyright|notice|unlicense|patents|authors|contributors)([-._].*)?$`)

// part is a module, or another work, with the files that state its rights.
type part struct {
	name  string
	files map[string]string // by path within it
}

// TestGoldenNotices: the text holds every part that is linked or carried, with every file of it that
// states rights. PERFDIFF_GOLDEN=update writes it anew.
func TestGoldenNotices(t *testing.T) {
	want := textOf(linkedParts(t))
	if os.Getenv("PERFDIFF_GOLDEN") == "update" {
		var z bytes.Buffer
		w, _ := gzip.NewWriterLevel(&z, gzip.BestCompression)
		if _, err := w.Write([]byte(want)); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("notices.txt.gz", z.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := Text()
	if err != nil {
		t.Fatal(err)
	}
	if got == want {
		return
	}
	parts := func(text string) []string { return regexp.MustCompile(`(?m)^== .*`).FindAllString(text, -1) }
	t.Errorf("the notices are of other parts than those that are linked: make golden writes them\ngot  %q\nwant %q", parts(got), parts(want))
}

// TestEachPartHasALicence: a part without a statement of its rights must not be carried.
func TestEachPartHasALicence(t *testing.T) {
	all := linkedParts(t)
	if len(all) < 14 {
		t.Errorf("got %d parts, want all modules, Go and the charts", len(all))
	}
	for _, p := range all {
		if len(p.files) == 0 {
			t.Errorf("%s: no file states its rights", p.name)
		}
	}
}

// linkedParts are all parts, in order of their names.
func linkedParts(t *testing.T) []part {
	t.Helper()
	modules := map[string]string{}  // directory by name
	packages := map[string]string{} // name of the module by directory of a package
	for _, platform := range platforms {
		goos, arch, _ := strings.Cut(platform, "/")
		cmd := exec.Command("go", "list", "-deps", "-f", `{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}|{{.Dir}}|{{$.Dir}}{{end}}{{end}}`, "perfdiff/cmd/perfdiff")
		cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+arch, "CGO_ENABLED=0")
		out, err := cmd.Output()
		if err != nil {
			t.Fatalf("%s: %v", platform, err)
		}
		for line := range strings.Lines(string(out)) {
			if f := strings.Split(strings.TrimSpace(line), "|"); len(f) == 3 {
				modules[f[0]], packages[f[2]] = f[1], f[0]
			}
		}
	}
	all := []part{
		{"Go, its runtime and standard library", rights(t, runtimeRoot(t), runtimeRoot(t))},
		{"Apache ECharts with zrender and tslib", map[string]string{"echarts.licence": mustRead(t, "../../../render/html/echarts.licence")}},
	}
	for _, name := range slices.Sorted(maps.Keys(modules)) {
		p := part{name, rights(t, modules[name], modules[name])}
		for dir, module := range packages {
			if module == name { // code of others within it has a licence of its own
				maps.Copy(p.files, rights(t, dir, modules[name]))
			}
		}
		all = append(all, p)
	}
	slices.SortFunc(all, func(a, b part) int {
		return cmp.Or(cmp.Compare(strings.ToLower(a.name), strings.ToLower(b.name)), cmp.Compare(a.name, b.name))
	})
	return all
}

// runtimeRoot is where Go is installed.
func runtimeRoot(t *testing.T) string {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// rights are the files of a directory that state rights, by path from the root of the part.
func rights(t *testing.T, dir, root string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, e := range entries {
		if e.Type()&fs.ModeType != 0 || !licence.MatchString(e.Name()) || strings.HasSuffix(e.Name(), ".go") {
			continue
		}
		path := filepath.Join(dir, e.Name())
		name, err := filepath.Rel(root, path)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.ToSlash(name)] = mustRead(t, path)
	}
	return out
}

func mustRead(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(strings.ReplaceAll(string(b), "\r\n", "\n")) + "\n"
}

// textOf writes the parts. A text that an earlier part has is not repeated.
func textOf(all []part) string {
	var out strings.Builder
	out.WriteString("perfdiff is linked with, or carries, the works below. Each is its authors', under the terms that follow its name.\n")
	seen := map[string]string{}
	for _, p := range all {
		fmt.Fprintf(&out, "\n== %s\n", p.name)
		for _, file := range slices.Sorted(maps.Keys(p.files)) {
			text := p.files[file]
			if where := seen[text]; where != "" {
				fmt.Fprintf(&out, "\n-- %s: as of %s above\n", file, where)
				continue
			}
			seen[text] = p.name
			fmt.Fprintf(&out, "\n-- %s\n\n%s", file, text)
		}
	}
	return out.String()
}
