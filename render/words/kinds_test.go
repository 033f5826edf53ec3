package words

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"perfdiff/diff/policy"
)

// constants are those of a type in diff, by name.
func constants(t *testing.T, file, of string) (names []string) {
	t.Helper()
	parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join("..", "..", "diff", file), nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		if x, ok := n.(*ast.ValueSpec); ok {
			if id, ok := x.Type.(*ast.Ident); ok && id.Name == of {
				names = append(names, x.Names[0].Name)
			}
		}
		return true
	})
	if len(names) < 2 {
		t.Fatalf("%s: %d constants of %s", file, len(names), of)
	}
	return names
}

// TestAllIsSaid: each kind of finding has a sentence, and each kind of clause, evidence and
// advice has words.
func TestAllIsSaid(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, name := range files {
		if body, err := os.ReadFile(name); err == nil && !strings.HasSuffix(name, "_test.go") {
			text += string(body)
		}
	}
	kinds := append(policy.FailKinds(), string(policy.KindComputeUnchanged)) // which alone fails no build
	for _, k := range kinds {
		if sentences[policy.Kind(k)] == nil {
			t.Errorf("no sentence says what a finding of the kind %s is about", k)
		}
	}
	if got, want := len(kinds), len(constants(t, "policy/kind.go", "Kind")); got != want {
		t.Errorf("%d kinds are listed, and there are %d", got, want)
	}
	silent := []string{
		"AdviceNone",       // nothing is advised
		"EvidenceRecorded", // the sentence holds it
	}
	for _, x := range []struct{ file, of string }{{"cause/clause.go", "ClauseKind"}, {"cause/advice.go", "AdviceKind"}, {"cause/advice.go", "EvidenceKind"},
		{"cause/bound.go", "Scenario"}, {"cause/finding_load.go", "SilenceKind"},
		{"verdict/need.go", "NeedKind"}, {"sides/doubt.go", "DoubtKind"}, {"sides/size.go", "SizesKind"}, {"sides/unit.go", "UnitKind"}} {
		room := filepath.Dir(x.file) + "."
		for _, name := range constants(t, x.file, x.of) {
			if said := strings.Contains(text, room+name+":") || strings.Contains(text, room+name+",") || strings.Contains(text, "== "+room+name+" {"); said == slices.Contains(silent, name) {
				t.Errorf("%s: has words %v, want %v", name, said, !said)
			}
		}
	}
	for of, file := range map[string]string{"LeftOutKind": "left_out.go", "Setup": "left_out.go", "Place": "left_out.go",
		"Movement": "apart.go", "Single": "apart.go", "Unjudged": "why.go"} {
		for _, name := range constants(t, "verdict/"+file, of) {
			if !strings.Contains(text, "verdict."+name+":") && !strings.Contains(text, "verdict."+name+",") {
				t.Errorf("%s: no words", name)
			}
		}
	}
	for _, name := range constants(t, "policy/departure.go", "DepartureKind") {
		if !strings.Contains(text, "policy."+name+":") && !strings.Contains(text, "policy."+name+",") {
			t.Errorf("%s: no words say how such a policy departs from the default", name)
		}
	}
	for _, name := range constants(t, "policy/difference.go", "Effect") {
		if !strings.Contains(text, "policy."+name+":") && name != "OtherSizes" { // which the difference says
			t.Errorf("%s: no words say what such a difference does", name)
		}
	}
}

// TestReplaysAreSaid: each reason, factor and difference of replayed kernels has words.
func TestReplaysAreSaid(t *testing.T) {
	body, err := os.ReadFile("replay.go")
	if err != nil {
		t.Fatal(err)
	}
	silent := []string{"Decided", "WithinNoise", "Void"} // the verdict, the interval and the headline say it
	for _, of := range []string{"VoidKind", "Reason", "CauseKind"} {
		for _, name := range constants(t, "compute/compute.go", of) {
			if !slices.Contains(silent, name) && !strings.Contains(string(body), "compute."+name+":") && !strings.Contains(string(body), "compute."+name+",") {
				t.Errorf("no words say %s", name)
			}
		}
	}
	for _, name := range []string{"OtherClockSetting", "OtherCacheSetting", "OtherReplay", "OtherVersion", "OtherMetrics", "SeveralDevices"} {
		if !strings.Contains(string(body), "compute."+name+":") {
			t.Errorf("no words say what %s does", name)
		}
	}
}
