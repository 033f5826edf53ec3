package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// decides are the names of whole numbers that decide something, as all shares and sizes in
// floating point do: bounds of memory and of what is shown are named by the most.
var decides = regexp.MustCompile(`(?i)^(?:least|min|enough|sure|settle|good)[A-Z]|^fewPlaces$`)

// cited is how a comment says where a number comes from: what was measured or simulated, a
// publication, what it follows from, or that nobody measured it, and why it is what it is.
var cited = regexp.MustCompile(`(?i)\bsimulat|\bmeasured (?:on|by|with|in)\b|\bby definition\b|\bchosen, not measured: |\([A-Z]\w+(?: and \w+)? (?:19|20)\d\d\)`)

// TestConstants: each number that decides what is said tells where it comes from, and the
// tests, targets and files that it names exist.
func TestConstants(t *testing.T) {
	tests, targets := testsAndTargets(t)
	n := 0
	eachFile(t, func(_, file string, _ []string) {
		judges := strings.HasPrefix(file, "diff/") || strings.HasPrefix(file, "analyze/")
		if !judges || strings.HasPrefix(file, "analyze/synth") || strings.HasSuffix(file, "_test.go") {
			return
		}
		for name, comment := range decidingIn(t, file) {
			n++
			if !cited.MatchString(comment) {
				t.Errorf("%s: the comment of %s does not say where its value was measured, or that it was chosen and not measured: %q", file, name, comment)
			}
			for _, m := range named.FindAllStringSubmatch(comment, -1) {
				_, missing := os.Stat(filepath.Join(root, m[0]))
				if !tests[m[0]] && !targets[m[1]] && missing != nil {
					t.Errorf("%s: the comment of %s names %s, which is not there", file, name, m[0])
				}
			}
		}
	})
	if n < 80 {
		t.Errorf("only %d numbers that decide were found", n)
	}
}

// named are the tests, targets and files that a comment names.
var named = regexp.MustCompile(`\bTest[A-Z]\w+|\(make (\w+)|\bgolden/[\w./-]+\w`)

// decidingIn are the constants of a file that decide something, with their comments: that of
// their own and that of the group. Whole numbers of what reads files bound memory.
func decidingIn(t *testing.T, file string) map[string]string {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, file), nil, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, d := range parsed.Decls {
		group, ok := d.(*ast.GenDecl)
		if !ok || group.Tok != token.CONST {
			continue
		}
		for _, s := range group.Specs {
			spec := s.(*ast.ValueSpec)
			text := strings.Join(strings.Fields(group.Doc.Text()+" "+spec.Doc.Text()+" "+spec.Comment.Text()), " ")
			for i, name := range spec.Names {
				if i < len(spec.Values) && (isShare(spec.Values[i]) || isNumber(spec.Values[i]) && decides.MatchString(name.Name) && !strings.HasPrefix(file, "analyze/source/")) {
					out[name.Name] = text
				}
			}
		}
	}
	return out
}

// isNumber reports whether an expression is a literal number, and isShare whether it is one
// in floating point that is no round size such as 1e9.
func isNumber(e ast.Expr) bool { return literal(e) != nil }

func isShare(e ast.Expr) bool {
	l := literal(e)
	return l != nil && l.Kind == token.FLOAT && strings.Contains(l.Value, ".") || l != nil && strings.Contains(l.Value, "e-")
}

func literal(e ast.Expr) *ast.BasicLit {
	if u, ok := e.(*ast.UnaryExpr); ok {
		e = u.X
	}
	l, _ := e.(*ast.BasicLit)
	if l == nil || l.Kind != token.INT && l.Kind != token.FLOAT {
		return nil
	}
	if _, err := strconv.ParseFloat(strings.ReplaceAll(l.Value, "_", ""), 64); err != nil {
		return nil
	}
	return l
}

// testsAndTargets are the tests of the repository and the targets of its Makefile.
func testsAndTargets(t *testing.T) (tests, targets map[string]bool) {
	t.Helper()
	tests, targets = map[string]bool{}, map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	eachFile(t, func(_, file string, _ []string) {
		if text, err := os.ReadFile(filepath.Join(root, file)); err == nil && strings.HasSuffix(file, "_test.go") {
			for _, m := range declared.FindAllStringSubmatch(string(text), -1) {
				tests[m[1]] = true
			}
		}
	})
	text, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`(?m)^(\w+):`).FindAllStringSubmatch(string(text), -1) {
		targets[m[1]] = true
	}
	if len(tests) < 300 || len(targets) < 10 {
		t.Fatalf("found %d tests and the targets %v", len(tests), slices.Sorted(maps.Keys(targets)))
	}
	return tests, targets
}
