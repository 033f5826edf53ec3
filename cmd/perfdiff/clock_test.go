package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// stopwatches are the tests that measure time, which none holds against anything: on a
// machine that does other things as well everything takes longer. Benchmarks may.
var stopwatches = map[string]string{
	"analyze/store/process_test.go: TestKilled":     "kills a process at fifty places of a round, of which it must know how long one takes; nothing fails by it",
	"cmd/perfdiff/bench_test.go: cost":              "of benchmarks",
	"cmd/perfdiff/bench_test.go: atOnce":            "of benchmarks",
	"cmd/perfdiff/mutants_ask_test.go: passes":      "how long an edit that may loop is waited for, by how long the tests take without it",
	"cmd/perfdiff/signals_test.go: signalAnyMoment": "when to send signals, all over a run",
}

// TestNoStopwatch: no test asks how long something took. What would be slow is counted:
// calls, bytes, elements, how much more twice as much takes. What waits, waits for a
// condition, with a limit that only ends what hangs.
func TestNoStopwatch(t *testing.T) {
	used := map[string]bool{}
	eachFile(t, func(_, file string, _ []string) {
		if !strings.HasSuffix(file, "_test.go") || strings.HasSuffix(file, "/clock_test.go") {
			return
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, file), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range parsed.Decls {
			name := nameOf(decl)
			if found := measuring(decl); found != "" && !strings.HasPrefix(name, "Benchmark") {
				used[file+": "+name] = true
				if _, ok := stopwatches[file+": "+name]; !ok {
					t.Errorf("%s: %s asks for %s: a test must not depend on how fast the machine is", file, name, found)
				}
			}
		}
	})
	for name := range stopwatches {
		if !used[name] {
			t.Errorf("%s measures no time and stands in the list", name)
		}
	}
}

func nameOf(decl ast.Decl) string {
	if f, ok := decl.(*ast.FuncDecl); ok {
		return f.Name.Name
	}
	return ""
}

// measuring is what of a declaration measures time: a difference of clocks, or a script
// that asks the browser for one.
func measuring(decl ast.Decl) (found string) {
	ast.Inspect(decl, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.SelectorExpr:
			if of, ok := x.X.(*ast.Ident); ok && of.Name == "time" && slices.Contains([]string{"Since", "Until"}, x.Sel.Name) {
				found = "time." + x.Sel.Name
			}
		case *ast.CallExpr: // time.Now().Sub, now.Sub(then)
			if s, ok := x.Fun.(*ast.SelectorExpr); ok && len(x.Args) == 1 && isClock(s.X, x.Args[0]) && slices.Contains([]string{"Sub", "Before", "After"}, s.Sel.Name) {
				found = s.Sel.Name + " of the time"
			}
		case *ast.BasicLit:
			if text, err := strconv.Unquote(x.Value); x.Kind == token.STRING && err == nil {
				for _, clock := range []string{"performance.now", "Date.now"} {
					if strings.Contains(text, clock) {
						found = clock
					}
				}
			}
		}
		return true
	})
	return found
}

// isClock reports whether any of some expressions is time.Now().
func isClock(of ...ast.Expr) bool {
	return slices.ContainsFunc(of, func(x ast.Expr) bool {
		call, ok := x.(*ast.CallExpr)
		if !ok {
			return false
		}
		s, ok := call.Fun.(*ast.SelectorExpr)
		if !ok {
			return false
		}
		pkg, ok := s.X.(*ast.Ident)
		return ok && pkg.Name == "time" && s.Sel.Name == "Now"
	})
}

// TestStopwatchesAreFound: what the search must find, and what it must let pass.
func TestStopwatchesAreFound(t *testing.T) {
	for body, want := range map[string]string{
		"if time.Since(began) > limit { t.Error() }":           "time.Since",
		"took := time.Since(began); _ = took":                  "time.Since",
		"if time.Now().Sub(began) > limit { t.Error() }":       "Sub of the time",
		"if limit.Before(time.Now()) { t.Error() }":            "Before of the time",
		"evaluate(`performance.now()`)":                        "performance.now",
		"ctx, cancel := context.WithTimeout(ctx, time.Minute)": "",
		"now = func() time.Time { return time.Now() }":         "",
		"select { case <-time.After(time.Minute): }":           "",
		"if strings.Contains(text, `time.Since`) { return }":   "",
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "", "package x\nfunc f() { "+body+" }", 0)
		if err != nil {
			t.Fatal(err)
		}
		if got := measuring(file.Decls[0]); got != want {
			t.Errorf("%s: got %q, want %q", body, got, want)
		}
	}
}
