package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// mostMethods is how many methods a type may have: more of them are a package with one namespace.
const mostMethods = 40

// withMoreMethods are the types that still have more, each with how many. It only shrinks.
var withMoreMethods = map[string]int{
	"render/html.sheet":     267,
	"cmd/perfdiff.command":  53,
	"render.text":           43,
	"analyze/synth.profile": 41,
}

// TestMethods holds that no type of the program has more than mostMethods methods of its own, those apart
// that have them still.
func TestMethods(t *testing.T) {
	methods := countMethods(t)
	for name, n := range methods {
		if most := max(mostMethods, withMoreMethods[name]); n > most {
			t.Errorf("%s has %d methods, at most %d are allowed: make functions of them that take what they need", name, n, most)
		}
	}
	for name := range withMoreMethods {
		if methods[name] <= mostMethods {
			t.Errorf("%s has %d methods: take it out of withMoreMethods", name, methods[name])
		}
	}
}

// countMethods counts the methods of each type of the program, by folder and name.
func countMethods(t *testing.T) map[string]int {
	out := map[string]int{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		folder, err := filepath.Rel(root, filepath.Dir(path))
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil {
				out[filepath.ToSlash(folder)+"."+receiverName(f.Recv.List[0].Type)]++
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// receiverName is the name of a receiver's type without its pointer and its parameters.
func receiverName(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.StarExpr:
		return receiverName(x.X)
	case *ast.IndexExpr:
		return receiverName(x.X)
	case *ast.IndexListExpr:
		return receiverName(x.X)
	case *ast.Ident:
		return x.Name
	}
	return ""
}
