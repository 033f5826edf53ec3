package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const root = "../.."

// allowed is the whole import graph of perfdiff: stages import to the left,
// children never import parents, and each third-party module has one place.
// Test files may import more, but only what is under testImports.
var allowed = map[string][]string{
	"analyze/kernelname":                {},
	"analyze/trace":                     {"analyze/kernelname", "github.com/klauspost/compress/zstd"},
	"analyze/shard":                     {},
	"analyze/flop":                      {"analyze/trace"},
	"analyze/interval":                  {},
	"analyze/run":                       {"analyze/trace", "analyze/order", "analyze/source/remedy"},
	"analyze/saved":                     {"analyze/trace", "analyze/run", "github.com/klauspost/compress/zstd", "analyze/saved/old"},
	"analyze/part":                      {"analyze/metric", "analyze/picture", "analyze/run", "analyze/saved", "analyze/shard", "analyze/trace"},
	"analyze/idle":                      {"analyze/kernelname", "analyze/trace", "analyze/run", "analyze/interval"},
	"analyze/picture":                   {"analyze/kernelname", "analyze/trace", "analyze/run", "analyze/interval", "analyze/order"},
	"analyze/source/nsys/table/btree":   {},
	"analyze/source/nsys/table/parquet": {"github.com/klauspost/compress/s2", "github.com/klauspost/compress/zstd"},
	"analyze/source/nsys/table":         {"analyze/trace", "analyze/source/nsys/table/btree", "analyze/source/nsys/table/parquet", "analyze/engine"},
	"analyze/source/build":              {"analyze/kernelname", "analyze/trace"},
	"analyze/source/nsys":               {"analyze/kernelname", "analyze/trace", "analyze/source/build", "analyze/source/nsys/table"},
	"analyze/source/kineto":             {"analyze/flop", "analyze/group", "analyze/kernelname", "analyze/source/build", "analyze/trace"},
	"analyze/source/report":             {"analyze/trace"},
	"analyze/source/ncu":                {"analyze/kernelname", "analyze/source/report", "analyze/trace"},
	"analyze/source/rocpd":              {"analyze/kernelname", "analyze/source/build", "analyze/trace", "analyze/source/nsys/table"},
	"analyze/source/bandwidth":          {"analyze/kernelname", "analyze/trace"},
	"analyze/source/wire":               {},
	"analyze/source/xla":                {"analyze/kernelname", "analyze/source/build", "analyze/source/wire", "analyze/trace"},
	"analyze/source/steplog":            {"analyze/trace", "analyze/order", "analyze/source/wire"},
	"analyze/source/result":             {"analyze/run", "analyze/trace"},
	"analyze/source":                    {"analyze/trace", "analyze/source/nsys", "analyze/source/kineto", "analyze/source/report", "analyze/source/bandwidth", "analyze/source/rocpd", "analyze/source/steplog", "analyze/source/xla", "analyze/source/result"},
	"analyze/step":                      {"analyze/kernelname", "analyze/trace", "analyze/run", "analyze/order", "analyze/source/remedy"},
	"analyze/collective":                {"analyze/order", "analyze/run"},
	"analyze/group":                     {},
	"analyze/pipeline":                  {},
	"analyze/critical":                  {"analyze/trace", "analyze/interval"},
	"analyze/metric":                    {"analyze/flop", "analyze/kernelname", "analyze/trace", "analyze/run", "analyze/interval", "analyze/collective", "analyze/critical", "analyze/group", "analyze/pipeline", "analyze/idle", "analyze/picture", "analyze/order", "analyze/source/remedy"},
	"analyze/synth/kinetotest":          {},                                                         // for tests alone
	"analyze/synth/ncutest":             {},                                                         // for tests alone
	"analyze/synth/nsystest":            {"modernc.org/sqlite", "github.com/parquet-go/parquet-go"}, // for tests alone
	"analyze/synth/parquetdir":          {"modernc.org/sqlite", "github.com/parquet-go/parquet-go"}, // for tests alone
	"analyze/engine":                    {"modernc.org/sqlite"},
	"analyze/synth":                     {"analyze/engine", "github.com/goccy/go-yaml"},
	"analyze":                           {"analyze/kernelname", "analyze/part", "analyze/shard", "analyze/trace", "analyze/run", "analyze/saved", "analyze/store", "analyze/picture", "analyze/source", "analyze/source/report", "analyze/source/result", "analyze/step", "analyze/metric", "analyze/order", "analyze/source/remedy", "analyze/source/nsys/table"},
	"diff/stat":                         {"gonum.org/v1/gonum/mathext", "gonum.org/v1/gonum/stat", "analyze/order"},
	"diff/series":                       {"diff/stat"},
	"diff/policy":                       {"analyze/trace", "analyze/run", "analyze/metric"},
	"diff/sides":                        {"analyze/trace", "analyze/run", "diff/stat", "analyze/order"},
	"diff/verdict":                      {"analyze/kernelname", "analyze/trace", "analyze/run", "diff/policy", "diff/sides", "diff/stat", "analyze/order"},
	"diff/history":                      {"analyze/run", "analyze/trace", "diff/policy", "diff/series", "diff/sides", "diff/stat", "diff/verdict"},
	"diff/compute":                      {"analyze/kernelname", "analyze/source/ncu", "diff/policy", "diff/stat", "diff/verdict"},
	"diff/cause":                        {"analyze/group", "analyze/kernelname", "analyze/trace", "analyze/run", "analyze/metric", "diff/policy", "diff/sides", "diff/stat", "diff/verdict", "analyze/order"},
	"diff":                              {"diff/history", "diff/series", "analyze/trace", "analyze/run", "diff/cause", "diff/policy", "diff/sides", "diff/stat", "diff/verdict", "analyze/order"},
	"diff/difftest":                     {"diff/history", "analyze/metric", "analyze/run", "analyze/trace", "diff", "diff/cause", "diff/policy", "diff/sides", "diff/verdict", "render/number", "render/words"}, // for tests alone
	"render/number":                     {},
	"render/words":                      {"diff/history", "analyze/run", "analyze/source/ncu", "analyze/trace", "diff", "diff/cause", "diff/compute", "diff/policy", "diff/sides", "diff/verdict", "render/number", "analyze/source/remedy"},
	"render/plot":                       {"render/number"},
	"render/table":                      {"modernc.org/sqlite"},
	"render/picture":                    {"render/plot", "diff/history", "analyze/run", "diff", "diff/cause", "diff/verdict", "render/number", "render/words", "analyze/order"},
	"render/html":                       {"render/plot", "diff/history", "analyze/kernelname", "analyze/run", "analyze/source/ncu", "diff", "diff/cause", "diff/compute", "diff/policy", "diff/sides", "diff/verdict", "render/number", "render/picture", "render/words", "github.com/go-echarts/go-echarts/v2", "github.com/klauspost/compress/gzip", "analyze/source/remedy", "analyze/trace"},
	"render":                            {"render/plot", "diff/history", "analyze/run", "analyze/shard", "analyze/source/ncu", "analyze/trace", "diff", "diff/cause", "diff/compute", "diff/policy", "diff/sides", "diff/verdict", "render/number", "render/html", "render/picture", "render/table", "render/words", "github.com/mattn/go-runewidth", "analyze/source/remedy"},
	"testdata":                          {},
	"golden":                            {"github.com/santhosh-tekuri/jsonschema/v6"}, // for tests alone
	"cmd/perfdiff/policyfile":           {"analyze", "analyze/run", "diff/policy", "github.com/goccy/go-yaml"},
	"cmd/dist":                          {},
	"cmd/perfdiff/notices":              {},
	"cmd/perfdiff/manual":               {},
	"cmd/perfdiff/recipe":               {},
	"cmd/perfdiff":                      {"diff/history", "analyze", "analyze/run", "analyze/shard", "analyze/store", "analyze/source/ncu", "analyze/synth", "cmd/perfdiff/manual", "cmd/perfdiff/notices", "cmd/perfdiff/policyfile", "cmd/perfdiff/recipe", "diff", "diff/compute", "diff/policy", "diff/verdict", "render", "render/table", "render/words", "testdata", "github.com/spf13/pflag", "github.com/vbauerster/mpb/v8", "golang.org/x/term"},
	"analyze/order":                     {},
	"analyze/store":                     {"analyze/order", "analyze/run", "analyze/saved", "analyze/trace"},
	"analyze/source/remedy":             {"analyze/trace"},
	"analyze/saved/old":                 {"analyze/run"},
}

// testImports may be imported by any test.
var testImports = []string{"perfdiff/", "github.com/goccy/go-yaml", "modernc.org/sqlite", "github.com/chromedp/", "github.com/parquet-go/parquet-go", "github.com/klauspost/compress/zstd", "github.com/santhosh-tekuri/jsonschema/v6"}

func TestImports(t *testing.T) {
	seen := map[string]bool{}
	eachFile(t, func(dir, file string, imports []string) {
		seen[dir] = true
		want, known := allowed[dir]
		if !known {
			t.Errorf("%s: package %s is not in the table: a package needs a second vocabulary, not a second file", file, dir)
			return
		}
		for _, path := range imports {
			switch {
			case !strings.Contains(path, "."), path == "C": // the standard library, and perfdiff below
				if rest, ours := strings.CutPrefix(path, "perfdiff/"); ours && !slices.Contains(want, rest) && !strings.HasSuffix(file, "_test.go") {
					t.Errorf("%s: %s must not import %s", file, dir, rest)
				}
			case strings.HasSuffix(file, "_test.go"):
				if !slices.ContainsFunc(testImports, func(p string) bool { return strings.HasPrefix(path, p) }) && !anyPrefix(path, want) {
					t.Errorf("%s: tests must not import %s", file, path)
				}
			case !anyPrefix(path, want):
				t.Errorf("%s: %s must not import %s", file, dir, path)
			}
		}
	})
	for dir := range allowed {
		if !seen[dir] {
			t.Errorf("package %s is in the table and not in the tree", dir)
		}
	}
}

// unlinked are packages that the program must not hold, with why.
var unlinked = map[string]string{
	"net/http":                       "perfdiff makes no request",
	"crypto/tls":                     "perfdiff makes no request",
	"testing":                        "it is for tests",
	"github.com/chromedp/":           "it is for tests",
	"github.com/santhosh-tekuri/":    "it is for tests",
	"github.com/parquet-go/":         "it is for tests: seven modules and a quarter of the program, for one format",
	"perfdiff/analyze/synth/parquet": "it is for tests",
	"perfdiff/analyze/synth/nsys":    "it is for tests",
	"perfdiff/analyze/synth/kineto":  "it is for tests",
	"perfdiff/diff/difftest":         "it is for tests",
}

// linked are packages that the program has to be built on: they were asked for, and each does
// work in it.
var linked = []string{
	"modernc.org/sqlite", "github.com/go-echarts/go-echarts/v2", "gonum.org/v1/gonum/stat", "github.com/spf13/pflag",
}

// TestLinked looks at all that the program is made of, by whatever way it comes in.
func TestLinked(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "go", "list", "-pgo=off", "-deps", ".").Output() // with a profile packages have longer names
	if err != nil {
		t.Fatal(err)
	}
	deps := strings.Fields(string(out))
	if !slices.Contains(deps, "perfdiff/analyze/source/nsys/table/btree") {
		t.Fatalf("got %d packages, and what reads databases is not among them", len(deps))
	}
	for _, path := range linked {
		if !slices.ContainsFunc(deps, func(dep string) bool { return anyPrefix(dep, []string{path}) }) {
			t.Errorf("%s is not linked, and has to do some of the program's work", path)
		}
	}
	for path, why := range unlinked {
		for _, dep := range deps {
			if dep == path || strings.HasPrefix(dep, path) && (strings.HasSuffix(path, "/") || strings.HasPrefix(path, "perfdiff")) {
				t.Errorf("%s is linked: %s", dep, why)
			}
		}
	}
}

func anyPrefix(path string, modules []string) bool {
	return slices.ContainsFunc(modules, func(m string) bool { return path == m || strings.HasPrefix(path, m+"/") })
}

// eachFile calls f for every Go file of the repository.
func eachFile(t *testing.T, f func(dir, file string, imports []string)) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if path != root && (strings.HasPrefix(name, ".") || name == "node_modules" || name == "corpus" || name == "fuzz") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		var imports []string
		for _, spec := range parsed.Imports {
			p, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			imports = append(imports, p)
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		f(filepath.ToSlash(filepath.Dir(rel)), filepath.ToSlash(rel), imports)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestTopLevel holds the layout: nothing else stands at the top.
func TestTopLevel(t *testing.T) {
	want := []string{"cmd", "diff", "analyze", "render", "render/words", "testdata", "golden", "go.mod", "go.sum", "Makefile", "README.md"}
	entries, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	built := []string{"perfdiff", "report.html", "demo", "sample", "dist", "node_modules"} // ignored by git
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), ".") && !slices.Contains(want, e.Name()) && !slices.Contains(built, e.Name()) {
			t.Errorf("%s stands at the top level; the list is %v", e.Name(), want)
		}
	}
}
