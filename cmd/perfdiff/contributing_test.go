package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestGoldenContributing holds the drawing of imports in CONTRIBUTING.md to the table that
// TestImports holds the code to.
func TestGoldenContributing(t *testing.T) {
	path := filepath.Join(root, ".github", "CONTRIBUTING.md")
	old, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	fresh := replacePart(t, string(old), "imports", "\n"+drawing()+"\n")
	if os.Getenv("PERFDIFF_GOLDEN") == "update" {
		if err := os.WriteFile(path, []byte(fresh), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(old, []byte(fresh)) {
		t.Error("CONTRIBUTING.md: the drawing of imports is out of date: run make golden")
	}
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
