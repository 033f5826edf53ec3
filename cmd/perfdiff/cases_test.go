package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"perfdiff/golden"
)

// caseFlags is a row of the table of cases: folders, and the flags that they need.
var caseFlags = regexp.MustCompile(`(?m)^\| ([^|]+) \| (--[^|]+) \|`)

// TestCases: what people had in their hands, in its smallest form, is refused or gives a report that keeps
// the laws. The cases lie beside the project, which never needs them.
func TestCases(t *testing.T) {
	dir := golden.Case(t, "")
	readme, err := os.ReadFile(filepath.Join(dir, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	flags := map[string][]string{}
	for _, row := range caseFlags.FindAllStringSubmatch(string(readme), -1) {
		for name := range strings.SplitSeq(row[1], ", ") {
			flags[name] = append(flags[name], row[2])
		}
	}
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() || d.Name() != "base" {
			return err
		}
		name, _ := filepath.Rel(dir, filepath.Dir(path))
		t.Run(filepath.ToSlash(name), func(t *testing.T) {
			for _, more := range append([]string{""}, flags[filepath.ToSlash(name)]...) {
				var stdout, stderr bytes.Buffer
				out := filepath.Join(t.TempDir(), "report")
				args := append([]string{path, filepath.Join(filepath.Dir(path), "cand"), "-q", "-o", "-", "--format", "json", "-o", out + ".html", "-o", out + ".md"}, strings.Fields(more)...)
				if status := run(t.Context(), args, &stdout, &stderr); status != statusError {
					laws(t, stdout.Bytes(), status)
					page, _ := os.ReadFile(out + ".html")
					text, _ := os.ReadFile(out + ".md")
					rowsAddUp(t, map[string][]byte{".html": page, ".md": text}, "")
				} else if !strings.HasPrefix(stderr.String(), "perfdiff: error: ") {
					t.Errorf("refused without a reason: %s", stderr.String())
				}
			}
		})
		return filepath.SkipDir
	})
	if err != nil {
		t.Fatal(err)
	}
}
