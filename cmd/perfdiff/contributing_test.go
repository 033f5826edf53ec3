package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// TestGoldenContributing holds the drawing of imports in CONTRIBUTING.md to the table that
// TestImports holds the code to.
func TestGoldenContributing(t *testing.T) {
	holdDoc(t, filepath.Join(".github", "CONTRIBUTING.md"), [][2]string{{"imports", "\n" + drawing() + "\n"}})
}

// drawing is the import table, a line each, every package below all that it imports.
func drawing() string {
	var b strings.Builder
	done := map[string]bool{}
	left := slices.Sorted(maps.Keys(allowed))
	for len(left) > 0 {
		left = slices.DeleteFunc(left, func(dir string) bool {
			var ours, theirs []string
			for _, path := range allowed[dir] {
				if _, here := allowed[path]; !here {
					theirs = append(theirs, path)
				} else if ours = append(ours, path); !done[path] {
					return false
				}
			}
			done[dir] = true
			imports := strings.Join(append(ours, theirs...), ", ")
			b.WriteString(strings.TrimRight(fmt.Sprintf("    %-26s %s", dir, imports), " ") + "\n")
			return true
		})
	}
	return b.String()
}

// TestCitation: the file that says how to cite perfdiff has what the Citation File Format 1.2.0 requires.
func TestCitation(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, ".github", "CITATION.cff"))
	if err != nil {
		t.Fatal(err)
	}
	var c struct {
		Version string `yaml:"cff-version"`
		Message string
		Title   string
		Type    string
		Authors []struct{ Name string }
	}
	if err := yaml.Unmarshal(text, &c); err != nil {
		t.Fatal(err)
	}
	if c.Version != "1.2.0" || c.Message == "" || c.Title == "" || c.Type != "software" || len(c.Authors) == 0 || c.Authors[0].Name == "" {
		t.Errorf("got %+v", c)
	}
}
