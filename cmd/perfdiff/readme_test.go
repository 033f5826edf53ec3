package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
)

// TestGoldenReadme holds the generated parts of the README to what they
// describe, and those of the topics of perfdiff help: the summary to the demo's output.
func TestGoldenReadme(t *testing.T) {
	summary, err := os.ReadFile(filepath.Join(goldenDir, demoStory, "summary.txt"))
	if err != nil {
		t.Fatal(err)
	}
	quoted := func(text string) string {
		text = strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n    ")
		return "\n    " + strings.ReplaceAll(text, "    \n", "\n") + "\n\n"
	}
	answer, _, _ := strings.Cut(string(summary), "exit status")
	all, _ := mustRun(t, statusOK, append(sides(writeStory(t, demoStory, synth.Nsight)), "--table")...)
	holdDoc(t, "README.md", [][2]string{{"summary", quoted(answer)}, {"topics", "\n" + topicTable() + "\n"}})
	holdDoc(t, topicFile("example"), [][2]string{{"summary", quoted(all)}})
	holdDoc(t, topicFile("verdict"), [][2]string{{"real", realRuns()}, {"rates", "\n" + ratesTable() + "\n"}})
}

// topicFile is where the text of a topic of perfdiff help stands, below the root.
func topicFile(name string) string { return filepath.Join("cmd", "perfdiff", "topics", name+".md") }

// topicTable is the list of topics as Markdown.
func topicTable() string {
	var b strings.Builder
	b.WriteString("| `perfdiff help` | |\n|---|---|\n")
	for _, topic := range topics {
		text := "`" + topic.name + "`"
		if topic.name != metricsTopic {
			text = "[" + text + "](" + filepath.ToSlash(topicFile(topic.name)) + ")"
		}
		fmt.Fprintf(&b, "| %s | %s |\n", text, topic.about)
	}
	return b.String()
}

// documents are the README and the texts of all topics.
func documents(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	all := string(text)
	for _, topic := range topics {
		all += "\n" + topicText(topic.name)
	}
	return all
}

// holdDoc holds the generated parts of a document to what they are made of, by name.
func holdDoc(t *testing.T, name string, parts [][2]string) {
	t.Helper()
	path := filepath.Join(root, name)
	old, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	fresh := string(old)
	for _, p := range parts {
		fresh = replacePart(t, fresh, p[0], p[1])
	}
	switch {
	case os.Getenv("PERFDIFF_GOLDEN") == "update":
		if err := os.WriteFile(path, []byte(fresh), 0o644); err != nil {
			t.Fatal(err)
		}
	case string(old) != fresh:
		t.Errorf("%s: a generated part is out of date: run make golden", name)
	}
}

// realRuns is what make real found when it was last run, in its own words; "" before it
// ever was.
func realRuns() string {
	table, err := os.ReadFile(filepath.Join(goldenDir, "real.txt"))
	if err != nil {
		return ""
	}
	sentence, rest, _ := strings.Cut(string(table), "\n\n")
	text := "\n" + sentence + " (`make real`, `golden/real.txt`).\n\n"
	if groups, _, _ := strings.Cut(rest, "\n\n"); strings.HasPrefix(groups, "runs per side") {
		text += "    " + strings.ReplaceAll(groups, "\n", "\n    ") + "\n\n"
	}
	return text
}

// ratesTable is what make rates last measured of the default gate, where runs differ by 1 %
// in all, as Markdown.
func ratesTable() string {
	var b strings.Builder
	b.WriteString("| runs | fails unchanged | finds +3 % | +5 % | +10 % |\n|---|---|---|---|---|\n")
	for _, row := range [][2]string{
		{"one per side", "1v1 history 0"}, {"one per side, ten past runs", "1v1 history 10"}, {"one against ten", "10v1 history 0"},
		{"three per side", "3v3 history 0"}, {"five per side", "5v5 history 0"},
	} {
		if v := simulatedGate("runs 1% " + row[1]); v != nil {
			fmt.Fprintf(&b, "| %s | %s %% | %s %% | %s %% | %s %% |\n", row[0], v[0], v[2], v[3], v[4])
		}
	}
	return strings.ReplaceAll(b.String(), " %", "\u00a0%")
}

// simulatedGate is how often the default gate fails in a cell of golden/rates.txt, in per
// cent: without a change, and with +2, +3, +5 and +10 %; nil where it has no such cell.
func simulatedGate(cell string) []string {
	text, err := os.ReadFile(filepath.Join(goldenDir, "rates.txt"))
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, cell+" "); ok {
			values := slices.DeleteFunc(strings.Fields(rest), func(f string) bool { return strings.HasPrefix(f, "(") })
			if len(values) >= 5 {
				return values[:5]
			}
		}
	}
	return nil
}

// replacePart puts text between "<!-- name -->" and the next "<!-- end -->".
func replacePart(t *testing.T, doc, name, text string) string {
	t.Helper()
	before, rest, ok := strings.Cut(doc, "<!-- "+name+" -->\n")
	_, after, ok2 := strings.Cut(rest, "<!-- end -->")
	if !ok || !ok2 {
		t.Fatalf("there is no part %q", name)
	}
	return before + "<!-- " + name + " -->\n" + text + "<!-- end -->" + after
}
