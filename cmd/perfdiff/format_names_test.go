package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/source"
)

// writeFormats are the folders that may name formats: one reads them, one writes them, and one
// makes run sets for tests.
var writeFormats = []string{"analyze/source", "analyze/synth", "diff/difftest"}

// TestFormatNames: no file of the program knows a format by its name, which is for people. What is
// asked of a format is a field of source.Format, or of what its reader made.
func TestFormatNames(t *testing.T) {
	names := []string{"nsys report"} // which is none of those that are told by their content
	for _, f := range source.Formats() {
		names = append(names, f.Name)
	}
	if source.Named(names[0]).Name == "" {
		t.Fatalf("%s is no format any more", names[0])
	}
	eachFile(t, func(dir, file string, _ []string) {
		if strings.HasSuffix(file, "_test.go") || anyPrefix(dir, writeFormats) {
			return
		}
		path := filepath.Join(root, file)
		for _, text := range literals(t, path) {
			if slices.Contains(names, text) {
				t.Errorf("%s writes %q: ask a field of source.Named", file, text)
			}
		}
		for _, at := range formatsCompared(t, path, nil) {
			t.Errorf("%s compares the name of a format: ask a field of source.Named", at)
		}
	})
	for text, want := range map[string]int{
		`f.Format == kind`: 1, `"nsys" != f.Format`: 1, `strings.HasPrefix(f.Format, "nsys")`: 1, `map[string]bool{}[f.Format]`: 1,
		`f.Format == run.FormatIgnored`: 0, `f.Format != ""`: 0, `a.Format == b.Format`: 0, `source.Named(f.Format).StepTimes`: 0, `t.Format("2006")`: 0,
	} {
		if got := formatsCompared(t, "a.go", "package a\nvar x = "+text); len(got) != want {
			t.Errorf("%s: found %v, want %d", text, got, want)
		}
	}
}

// formatsCompared are the places of a file at which the field Format of something is compared with
// a text: by ==, by a switch, by a function of strings or by a map. That nothing is known of a file,
// or that it is no profile, may be asked.
func formatsCompared(t *testing.T, path string, text any) (found []string) {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	isFormat := func(x ast.Expr) bool { s, ok := x.(*ast.SelectorExpr); return ok && s.Sel.Name == "Format" }
	allowed := func(x ast.Expr) bool {
		switch x := x.(type) {
		case *ast.SelectorExpr:
			return x.Sel.Name == "FormatIgnored" || x.Sel.Name == "Format"
		case *ast.BasicLit:
			return x.Value == `""`
		}
		return false
	}
	ast.Inspect(file, func(n ast.Node) bool {
		known := false
		switch n := n.(type) {
		case *ast.BinaryExpr:
			known = (n.Op == token.EQL || n.Op == token.NEQ) &&
				(isFormat(n.X) && !allowed(n.Y) || isFormat(n.Y) && !allowed(n.X))
		case *ast.SwitchStmt:
			known = n.Tag != nil && isFormat(n.Tag)
		case *ast.IndexExpr:
			known = isFormat(n.Index)
		case *ast.CallExpr:
			known = isOfStrings(n.Fun) && slices.ContainsFunc(n.Args, isFormat)
		}
		if known {
			found = append(found, files.Position(n.Pos()).String())
		}
		return true
	})
	return found
}

// isOfStrings reports whether a function is of the package strings.
func isOfStrings(x ast.Expr) bool {
	of, ok := x.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	pkg, ok := of.X.(*ast.Ident)
	return ok && pkg.Name == "strings"
}
