package diff_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// mostSentences is how many texts of three and more words may stand in this package, which
// computes: sentences are made in render/words. It may fall, and never rise. Errors do not
// count: they are the answer itself where something is wrong with a policy.
const mostSentences = 19

// TestFewSentences counts them.
func TestFewSentences(t *testing.T) {
	files, err := filepath.Glob("*.go")
	for _, room := range []string{"policy", "sides", "verdict", "cause"} {
		more, _ := filepath.Glob(room + "/*.go")
		files = append(files, more...)
	}
	if err != nil || len(files) < 50 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	all, of := 0, map[string]int{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch x := n.(type) {
			case *ast.CallExpr:
				if f, ok := x.Fun.(*ast.SelectorExpr); ok && (f.Sel.Name == "Errorf" || f.Sel.Name == "New") {
					return false
				}
			case *ast.BasicLit:
				if text, err := strconv.Unquote(x.Value); err == nil && x.Kind == token.STRING && len(strings.Fields(text)) >= 3 {
					all, of[name] = all+1, of[name]+1
				}
			}
			return true
		})
	}
	if all > mostSentences {
		t.Errorf("%d texts of three and more words, where %d may be: make sentences in render/words; by file %v", all, mostSentences, of)
	}
	if all < mostSentences-20 {
		t.Errorf("%d texts of three and more words are left: let mostSentences fall to that", all)
	}
}
