package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
	"perfdiff/render"
)

// outputsOf runs a comparison and returns its outputs by extension, and the write-up as ".wu".
func outputsOf(t *testing.T, args ...string) map[string]string {
	t.Helper()
	dir := t.TempDir()
	all := append([]string{"-q", "--write-up", dir}, args...)
	for _, ext := range render.Extensions() {
		all = append(all, "-o", filepath.Join(dir, "report"+ext))
	}
	mustRun(t, statusOK, all...)
	out := map[string]string{".wu": fileText(t, filepath.Join(dir, "write-up.md")), ".figure": fileText(t, filepath.Join(dir, "steps.svg"))}
	for _, ext := range render.Extensions() {
		out[ext] = fileText(t, filepath.Join(dir, "report"+ext))
	}
	return out
}

func fileText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestNames: a title and names of the sides stand on every output for people, by flag and by
// policy, and a report says what was asked without a path in it.
func TestNames(t *testing.T) {
	sets := sides(writeStory(t, "o-direct", synth.Nsight))
	rules := filepath.Join(t.TempDir(), "rules.yaml")
	writeFile(t, rules, "title: Direct reads\nnames: [buffered, O_DIRECT]\n")
	byFlag := outputsOf(t, append(sets, "--title", "Direct reads", "--names", "buffered, O_DIRECT")...)
	byPolicy := outputsOf(t, append(sets, "--policy", rules)...)
	for ext, want := range map[string][]string{
		".txt":    {"Direct reads\nFASTER", "buffered  O_DIRECT  change", "baseline   buffered: ", "candidate  O_DIRECT: "},
		".md":     {"## Direct reads\n", `| metric | buffered | O\_DIRECT | change |`},
		".wu":     {"# Direct reads\n\n**Steps take ", "| Part of the step | buffered, ms | O\\_DIRECT, ms |"},
		".figure": {">buffered</text>", ">O_DIRECT</text>"},
		".svg":    {"Direct reads</text>", ">buffered\u2002164", ">O_DIRECT\u200278.8"},
		".html":   {"<title>FASTER: Direct reads", "<b class=\"given\">Direct reads</b>", "Baseline:</span> <b>buffered</b>", ">O_DIRECT</th>"},
		".json":   {`"title": "Direct reads"`, `"baseline": "buffered"`},
	} {
		for _, text := range want {
			for by, of := range map[string]map[string]string{"flags": byFlag, "a policy": byPolicy} {
				if !strings.Contains(of[ext], text) {
					t.Errorf("%s by %s lacks %q", ext, by, text)
				}
			}
		}
	}
	var doc Document
	if err := json.Unmarshal([]byte(byPolicy[".json"]), &doc); err != nil {
		t.Fatal(err)
	}
	if got, want := doc.About.Command, "perfdiff baseline candidate --policy rules.yaml"; got != want {
		t.Errorf("command: got %q, want %q", got, want)
	}
	for ext, text := range byPolicy {
		if strings.Contains(text, filepath.Dir(rules)) || strings.Contains(text, filepath.Dir(sets[0])) {
			t.Errorf("%s holds a path", ext)
		}
	}
	if policyLine := doc.Policy.Line; policyLine != "" {
		t.Errorf("names are said to decide: %q", policyLine)
	}
}

// TestNamesUnaskedFor: without them nothing is called otherwise, and neither outputs nor how the
// files are read change what a report says was asked.
func TestNamesUnaskedFor(t *testing.T) {
	sets := sides(writeStory(t, "aa", synth.Nsight))
	dir := t.TempDir()
	one, two := filepath.Join(dir, "one.html"), filepath.Join(dir, "two.html")
	run := func(args ...string) { t.Helper(); mustRun(t, statusOK, append(args, sets...)...) }
	run("-q", "-o", one, "--warn-only")
	run("-q", "-o", two, "--warn-only", "--jobs", "1", "--no-cache", "--write-up", filepath.Join(dir, "w"))
	if fileText(t, one) != fileText(t, two) {
		t.Error("the page depends on what changes nothing in it")
	}
	if text := fileText(t, one); !strings.Contains(text, "<code>perfdiff baseline candidate --warn-only</code>") {
		t.Error("the page does not say what was asked")
	}
}

// TestNamesRefused: names that would mislead or break a line are refused before any file is read.
func TestNamesRefused(t *testing.T) {
	for _, tt := range []struct{ flag, value, want string }{
		{"--names", "one", "expected a name for the baseline"},
		{"--names", "a,b,c", "got 3 for 2 run sets"},
		{"--names", "a,", "name 2: is empty"},
		{"--names", " ", "is empty"},
		{"--names", "same,Same", "give names that differ"},
		{"--names", "candidate,other", "no side can be named like the other"},
		{"--names", "a," + strings.Repeat("x", 41), "more than 40 characters"},
		{"--names", "a,b\u202ec", "cannot be printed"},
		{"--title", "two\nlines", "cannot be printed"},
		{"--title", strings.Repeat("x", 101), "more than 100 characters"},
		{"--title", "", "is empty"},
	} {
		_, err := parse([]string{"a", "b", tt.flag, tt.value})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s %q: got %v, want %q", tt.flag, tt.value, err, tt.want)
		}
	}
}

// TestNamesHostile: whatever a name holds, it is text.
func TestNamesHostile(t *testing.T) {
	sets := sides(writeStory(t, "aa", synth.Nsight))
	of := outputsOf(t, append(sets, "--names", "<script>alert(1)</script>,$better|`x`", "--title", "</title><img src=x>")...)
	if strings.Contains(of[".html"], "<script>alert") || strings.Contains(of[".html"], "<img src=x") {
		t.Error("a name is markup on the page")
	}
	if strings.Contains(of[".md"], "<script>") || !strings.Contains(of[".md"], "<span>$</span>better\\|") {
		t.Error("a name is markup in Markdown")
	}
	if strings.Contains(of[".svg"]+of[".figure"], "<script>") || strings.Contains(of[".svg"], "<img") {
		t.Error("a name is markup in a figure")
	}
}

// TestNamesAnonymous: with numbers for names, no part of a path is in what was asked.
func TestNamesAnonymous(t *testing.T) {
	set := sides(writeStory(t, "aa", synth.Nsight))
	dir := filepath.Join(t.TempDir(), "secret-place")
	writeFile(t, filepath.Join(dir, "rules.yaml"), "threshold: 4%\n")
	text := outputsOf(t, append(set, "--anonymize", "--policy", filepath.Join(dir, "rules.yaml"), "--rank-name", `report\.(?P<rank>\d+)`)...)[".json"]
	var doc Document
	if err := json.Unmarshal([]byte(text), &doc); err != nil {
		t.Fatal(err)
	}
	if got, want := doc.About.Command, "perfdiff baseline candidate --policy POLICY --rank-name RANK-NAME"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestSuspectsOfStories: how input is read is told near the findings where it differs, with no
// claim that it is the cause, and not where it does not.
func TestSuspectsOfStories(t *testing.T) {
	for story, want := range map[string]int{"o-direct": 2, "aa": 0, "slow-kernel": 0} {
		of := outputsOf(t, append(sides(writeStory(t, story, synth.Nsight)), "--warn-only")...)
		var doc Document
		if err := json.Unmarshal([]byte(of[".json"]), &doc); err != nil {
			t.Fatal(err)
		}
		if len(doc.Suspects) != want {
			t.Errorf("%s: got %+v, want %d", story, doc.Suspects, want)
		}
		for _, s := range doc.Suspects {
			if !strings.Contains(of[".html"], s.Text) || !strings.Contains(of[".html"], "that it is the cause is not shown") {
				t.Errorf("%s: the page lacks %q", story, s.Text)
			}
		}
		for _, ext := range []string{".txt", ".md", ".wu"} {
			if strings.Contains(of[ext], "What else changed between the sides") != (want > 0) {
				t.Errorf("%s%s: heading where there is nothing, or none where there is", story, ext)
			}
		}
	}
}

// TestNamesOfSeveral: with several candidates each has a name, and the baseline has one; another
// number of names is refused.
func TestNamesOfSeveral(t *testing.T) {
	paths := writeSeveral(t, synth.Nsight)
	page := filepath.Join(t.TempDir(), "all.html")
	stdout, stderr, _ := runSeveral(append(paths, "--names", "main,with a,without,with c", "--title", "Three ways", "-o", page)...)
	for _, want := range []string{"Three ways", "with a", "without", "with c"} {
		if !strings.Contains(stdout, want) {
			t.Errorf("the summary lacks %q:\n%s%s", want, stdout, stderr)
		}
	}
	if text := fileText(t, page); !strings.Contains(text, "Three ways") || !strings.Contains(text, "with c") {
		t.Error("the page of all lacks title or names")
	}
	if text := fileText(t, strings.TrimSuffix(page, ".html")+"-2.html"); !strings.Contains(text, "Candidate:</span> <b>without</b>") || strings.Contains(text, ">with a<") {
		t.Error("the page of the second candidate is not called by its name")
	}
	if _, stderr, status := runSeveral(append(paths, "--names", "a,b")...); status != statusError || !strings.Contains(stderr, "got 2 for 4 run sets") {
		t.Errorf("two names for four run sets: got %d, %s", status, stderr)
	}
}

// parse reads the command line of a comparison and checks all of it before any file is read.
func parse(args []string) (*command, error) {
	c, err := readLine("", args)
	if err == nil {
		err = c.checkLine("")
	}
	if err != nil {
		return nil, err
	}
	return c, c.takeComparison()
}
