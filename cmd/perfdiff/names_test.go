package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// literals are the strings of a Go file, tags of fields apart.
func literals(t *testing.T, path string) (out []string) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			n.Tag = nil
		case *ast.BasicLit:
			if text, err := strconv.Unquote(n.Value); err == nil && n.Kind == token.STRING {
				out = append(out, text)
			}
		}
		return true
	})
	return out
}

// TestMetricNames: the name of a metric is written once, in analyze/run/names.go, so that
// one that no metric has does not build. Names of one word are words of other things too.
func TestMetricNames(t *testing.T) {
	names := map[string]bool{}
	for _, name := range literals(t, filepath.Join(root, "analyze/run/names.go")) {
		if names[name] {
			t.Errorf("names.go has %s twice", name)
		}
		names[name] = true
	}
	if len(names) < 50 {
		t.Fatalf("names.go: %d names", len(names))
	}
	eachFile(t, func(_, file string, _ []string) {
		if strings.HasSuffix(file, "_test.go") || file == "analyze/run/names.go" {
			return
		}
		for _, text := range literals(t, filepath.Join(root, file)) {
			if names[text] && strings.Contains(text, "_") {
				t.Errorf("%s writes %q: use the constant of analyze/run/names.go", file, text)
			}
		}
	})
}
