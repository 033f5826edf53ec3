package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"testing"
)

// TestNoContextValues: what a function needs to know is among its arguments, where the compiler
// sees it: no context carries values.
func TestNoContextValues(t *testing.T) {
	eachFile(t, func(_, file string, imports []string) {
		if !slices.Contains(imports, "context") {
			return
		}
		files := token.NewFileSet()
		parsed, err := parser.ParseFile(files, filepath.Join(root, file), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok && s.Sel.Name == "WithValue" {
				t.Errorf("%s: a context carries a value: make it an argument", files.Position(n.Pos()))
			}
			return true
		})
	})
}
