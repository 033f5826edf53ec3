package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/metric"
	measured "perfdiff/analyze/run"
)

// TestGoldenReadme holds the generated parts of the README to what they
// describe: the metric table to the list, the summary to the demo's output.
func TestGoldenReadme(t *testing.T) {
	path := filepath.Join(root, "README.md")
	old, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	summary, err := os.ReadFile(filepath.Join(goldenDir, demoStory, "summary.txt"))
	if err != nil {
		t.Fatal(err)
	}
	text, _, _ := strings.Cut(string(summary), "exit status")
	text = strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n    ")
	text = strings.ReplaceAll(text, "    \n", "\n")
	fresh := replacePart(t, string(old), "summary", "\n    "+text+"\n\n")
	fresh = replacePart(t, fresh, "metrics", "\n"+metricTable()+"\n")
	fresh = replacePart(t, fresh, "real", realRuns())
	if os.Getenv("PERFDIFF_GOLDEN") == "update" {
		if err := os.WriteFile(path, []byte(fresh), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(old, []byte(fresh)) {
		t.Error("README.md: a generated part is out of date: run make golden")
	}
}

// realRuns is what make real found when it was last run, in its own words; "" before it
// ever was.
func realRuns() string {
	table, err := os.ReadFile(filepath.Join(goldenDir, "real.txt"))
	if err != nil {
		return ""
	}
	sentence, _, _ := strings.Cut(string(table), "\n\n")
	return "\n" + sentence + " (`make real`, `golden/real.txt`).\n\n"
}

// replacePart puts text between "<!-- name -->" and the next "<!-- end -->".
func replacePart(t *testing.T, doc, name, text string) string {
	t.Helper()
	before, rest, ok := strings.Cut(doc, "<!-- "+name+" -->\n")
	_, after, ok2 := strings.Cut(rest, "<!-- end -->")
	if !ok || !ok2 {
		t.Fatalf("README.md has no part %q", name)
	}
	return before + "<!-- " + name + " -->\n" + text + "<!-- end -->" + after
}

// metricTable is the table of all metrics as Markdown.
func metricTable() string {
	var b strings.Builder
	b.WriteString("| metric | unit | better | what it is | what it needs |\n|---|---|---|---|---|\n")
	for _, m := range metric.All() {
		name := "`" + m.Name + "`"
		if m.Part != "" {
			name += " by " + m.Part
		}
		better := map[measured.Better]string{measured.Lower: "lower", measured.Higher: "higher", measured.Neither: "not judged"}[m.Better]
		fmt.Fprintf(&b, "| %s | %s | %s | %s | %s |\n", name, m.Unit, better, m.Doc, m.Needs)
	}
	return b.String()
}
