package main

import (
	"bytes"
	"context"
	"encoding/json"
	"encoding/xml"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
	"perfdiff/golden"
	"perfdiff/render"
)

// candidates are the candidates of the tests: what each changes in the story of a slow kernel, of
// which the baseline stays as it is.
var candidates = []struct{ name, change string }{
	{"slower", "{conv_dgrad: 1.3}"},
	{"same", "{conv_dgrad: 1}"},
	{"faster", "{conv_dgrad: 0.5}"},
}

// writeSeveral writes a baseline and the candidates into one directory, and returns their paths.
func writeSeveral(t *testing.T, format synth.Format) []string {
	t.Helper()
	dir := t.TempDir()
	paths := []string{filepath.Join(dir, "main")}
	for _, c := range candidates {
		of, _ := writeEdited(t, "slow-kernel", format, strings.NewReplacer("{conv_dgrad: 1.3}", c.change))
		if len(paths) == 1 {
			rename(t, filepath.Join(of, "baseline"), paths[0])
		}
		paths = append(paths, filepath.Join(dir, c.name))
		rename(t, filepath.Join(of, "candidate"), paths[len(paths)-1])
	}
	return paths
}

func rename(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}

// runSeveral runs the program and returns what it printed, and its exit status.
func runSeveral(args ...string) (stdout, stderr string, status int) {
	var out, errs bytes.Buffer
	status = run(context.Background(), args, &out, &errs)
	return out.String(), errs.String(), status
}

// TestGoldenSeveral: several candidates are compared with one baseline, in every format, and the worst
// of them is the exit status.
func TestGoldenSeveral(t *testing.T) {
	paths := writeSeveral(t, synth.Nsight)
	out := filepath.Join(t.TempDir(), "report")
	args := slices.Clone(paths)
	for _, ext := range render.Extensions() {
		if ext != ".svg" { // the picture of one candidate
			args = append(args, "-o", out+ext)
		}
	}
	stdout, stderr, status := runSeveral(args...)
	if status != statusRegressed || stderr != "" {
		t.Errorf("got status %d and %q, want %d: the worst of the candidates", status, stderr, statusRegressed)
	}
	texts := map[string]string{}
	for _, name := range []string{".html", ".json", ".md", ".txt", ".xml", "-1.html", "-2.html", "-3.html"} {
		text, err := os.ReadFile(out + name)
		if err != nil {
			t.Fatal(err)
		}
		texts[name] = strings.ReplaceAll(string(text), version(), "perfdiff (devel)")
	}
	golden.Compare(t, goldenDir, severalDir+"/summary.txt", []byte(stdout))
	golden.Compare(t, goldenDir, severalDir+"/report.md", []byte(texts[".md"]))
	golden.Compare(t, goldenDir, severalDir+"/report.html", cutScripts([]byte(texts[".html"])))
	if before, _, _ := strings.Cut(texts[".txt"], "Gate failed"); !strings.HasPrefix(stdout, before) {
		t.Errorf("the text form is not what the terminal shows: got\n%s\nwant\n%s", texts[".txt"], stdout)
	}
	inOrder(t, "terminal", stdout, "1  faster", "2  same", "3  slower")
	inOrder(t, "Markdown", texts[".md"], "1. faster", "2. same", "3. slower")
	inOrder(t, "page", texts[".html"], `id="candidate-1"`, `href="report-3.html"`, `id="candidate-2"`, `href="report-2.html"`, `id="candidate-3"`, `href="report-1.html"`)
	for i, c := range candidates {
		if page := texts["-"+string(rune('1'+i))+".html"]; !strings.Contains(page, "/ "+c.name+" ") {
			t.Errorf("page %d is not that of %s: %.300s", i+1, c.name, page[strings.Index(page, "<title>"):])
		}
	}
	var suites struct {
		Failures int `xml:"failures,attr"`
		Suites   []struct {
			Name     string `xml:"name,attr"`
			Failures int    `xml:"failures,attr"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal([]byte(texts[".xml"]), &suites); err != nil || len(suites.Suites) != 3 || suites.Suites[2].Failures == 0 || suites.Failures != suites.Suites[2].Failures {
		t.Errorf("JUnit: got %+v, %v, want a suite for each candidate and failures of the slower one alone", suites, err)
	}
}

// severalDir is where golden holds the report on several candidates, which are no story.
const severalDir = "several-candidates"

func inOrder(t *testing.T, what, text string, parts ...string) {
	t.Helper()
	at := 0
	for _, part := range parts {
		i := strings.Index(text[at:], part)
		if i < 0 {
			t.Fatalf("%s: no %q behind the one before it: %.3000s", what, part, text)
		}
		at += i
	}
}

// TestSeveralHoldTogether: the verdict of a candidate among others has the error rate of all, and
// its numbers are those of the pair.
func TestSeveralHoldTogether(t *testing.T) {
	paths := writeSeveral(t, synth.Nsight)
	several := severalDocument(t, paths...)
	if got, want := several.Result, "failed"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for _, c := range several.Candidates {
		alone, _ := mustRunJSON(t, paths[0], paths[c.Given])
		if len(c.Report.Metrics) != len(alone.Metrics) {
			t.Fatalf("%s: got %d metrics, want %d as alone", c.Label, len(c.Report.Metrics), len(alone.Metrics))
		}
		for i := range alone.Metrics {
			got, want := &c.Report.Metrics[i], &alone.Metrics[i]
			if !sameNumber(got.Median.Baseline, want.Median.Baseline) || !sameNumber(got.Median.Candidate, want.Median.Candidate) || !sameNumber(got.Change.Estimate, want.Change.Estimate) {
				t.Errorf("%s: %s: got %+v %+v, want %+v %+v as alone", c.Label, got.Metric, got.Median, got.Change, want.Median, want.Change)
			}
			if slices.Contains(c.Report.Policy.Gating, got.Metric) && (got.Change.Low > want.Change.Low || got.Change.High < want.Change.High) {
				t.Errorf("%s: %s: the interval is narrower than alone: got %+v, want %+v at least", c.Label, got.Metric, got.Change, want.Change)
			}
		}
		step, stepAlone := c.Report.Metrics[0].Change, alone.Metrics[0].Change
		if c.Label == "same" && !(step.Low < stepAlone.Low && step.High > stepAlone.High) {
			t.Errorf("the interval of what is not certain is not wider than alone: got %+v and %+v", step, stepAlone)
		}
	}
}

func sameNumber(a, b Number) bool { return a == b || a != a && b != b }

// severalDocument is the JSON form of a report on several candidates.
func severalDocument(t *testing.T, args ...string) *SeveralDocument {
	t.Helper()
	stdout, stderr, _ := runSeveral(append(slices.Clone(args), "-o", "-", "--format", "json")...)
	var doc SeveralDocument
	if err := json.Unmarshal([]byte(stdout), &doc); err != nil {
		t.Fatalf("%v: %s %.2000s", err, stderr, stdout)
	}
	return &doc
}

// mustRunJSON is the JSON form of a comparison.
func mustRunJSON(t *testing.T, args ...string) (*Document, int) {
	t.Helper()
	stdout, stderr, status := runSeveral(append(slices.Clone(args), "-o", "-", "--format", "json")...)
	var doc Document
	if err := json.Unmarshal([]byte(stdout), &doc); err != nil {
		t.Fatalf("%v: %s %.2000s", err, stderr, stdout)
	}
	return &doc, status
}

// TestSeveralOrder: the order in which candidates are given decides which number each has, and
// nothing else.
func TestSeveralOrder(t *testing.T) {
	paths := writeSeveral(t, synth.Nsight)
	candidates := func(args ...string) (all []map[string]any) {
		stdout, stderr, _ := runSeveral(append(args, "-o", "-", "--format", "json")...)
		var doc struct{ Candidates []map[string]any }
		if err := json.Unmarshal([]byte(stdout), &doc); err != nil || len(doc.Candidates) != 3 {
			t.Fatalf("%v: %s %.2000s", err, stderr, stdout)
		}
		for _, c := range doc.Candidates {
			delete(c, "given")
			delete(c["report"].(map[string]any), "about") // the command names them in the order in which they were given
		}
		return doc.Candidates
	}
	first, second := candidates(paths[0], paths[1], paths[2], paths[3]), candidates(paths[0], paths[3], paths[1], paths[2])
	for i := range first {
		if a, b := first[i], second[i]; !reflect.DeepEqual(a, b) {
			t.Errorf("candidate %d: got %s and %s, whose reports should be the same", i+1, a["label"], b["label"])
		}
	}
}

// TestSeveralAlike: candidates whose directories have one name are called by what differs in their
// paths.
func TestSeveralAlike(t *testing.T) {
	paths := writeSeveral(t, synth.Nsight)
	dir := t.TempDir()
	var alike []string
	for i, name := range []string{"main", "fused", "slow"} {
		to := filepath.Join(dir, name, "run")
		if err := os.CopyFS(to, os.DirFS(paths[[]int{0, 2, 1}[i]])); err != nil {
			t.Fatal(err)
		}
		alike = append(alike, to)
	}
	stdout, stderr, _ := runSeveral(alike...)
	for _, want := range []string{"main (baseline)", "fused ", "slow "} {
		if !strings.Contains(stdout, want) {
			t.Errorf("no %q in %q, %q", want, stdout, stderr)
		}
	}
	if strings.Contains(stdout+stderr, filepath.Base(dir)) {
		t.Error("more of the paths is said than they differ in")
	}
}

// TestSeveralIsRefused: what cannot stand on one page is refused, and the message says what to do.
func TestSeveralIsRefused(t *testing.T) {
	paths := writeSeveral(t, synth.Nsight)
	main, slower, same := paths[0], paths[1], paths[2]
	other, _ := writeEdited(t, "slow-kernel", synth.Kineto, strings.NewReplacer())
	copied := filepath.Join(t.TempDir(), "copied")
	if err := os.CopyFS(copied, os.DirFS(slower)); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "report.html")
	for name, c := range map[string]struct {
		args []string
		want string
	}{
		"one twice":           {[]string{main, slower, slower}, "slower: is given twice"},
		"baseline twice":      {[]string{main, slower, main}, "main: is given twice"},
		"copies":              {[]string{main, slower, copied}, "copied: holds the same recording as slower"},
		"formats":             {[]string{main, slower, filepath.Join(other, "candidate")}, "candidate: was recorded by PyTorch's profiler, and slower by Nsight Systems"},
		"nested":              {[]string{main, slower, filepath.Dir(slower)}, "of its files are also in the baseline"},
		"too many":            {slices.Repeat([]string{main}, maxCandidates+2), "at most 16 candidates"},
		"files of two":        {filesOf(t, main, slower), "files of two directories were given: a run set is a directory"},
		"logs":                {[]string{main, slower, same, "--candidate-logs", "x"}, "--candidate-logs: is for one candidate"},
		"picture":             {[]string{main, slower, same, "-o", filepath.Join(t.TempDir(), "x.svg")}, "is the picture of one candidate, and there are 2"},
		"write-up":            {[]string{main, slower, same, "--write-up", t.TempDir()}, "is about one candidate, and there are 2"},
		"names":               {[]string{main, slower, same, "--names", "a,b"}, "got 2 for 3 run sets"},
		"one name twice":      {[]string{main, slower, same, "--names", "a,b,B"}, "two sides would be called"},
		"page of a candidate": {[]string{main, slower, same, "-o", out, "-o", pageOfCandidate(out, 1)}, "report-2.html: is where the page of candidate 2 is written"},
	} {
		stdout, stderr, status := runSeveral(c.args...)
		if status != statusError || stdout != "" || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: got status %d, %q and %q, want %d and %q", name, status, stderr, stdout, statusError, c.want)
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a page was written all the same")
	}
}

// TestSeveralOneIsNotJudged: a candidate that cannot be judged takes nothing from the others, and
// the result is not passed.
func TestSeveralOneIsNotJudged(t *testing.T) {
	paths := writeSeveral(t, synth.Nsight)
	dir := writeStory(t, "no-steps", synth.Nsight)
	odd := filepath.Join(filepath.Dir(paths[0]), "odd")
	rename(t, filepath.Join(dir, "candidate"), odd)
	doc := severalDocument(t, paths[0], paths[3], odd, paths[2])
	if got, want := doc.Result, "not judged"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if !strings.HasPrefix(doc.Headline, "Of three candidates faster is fastest: steps take ") || !strings.Contains(doc.Headline, "; odd could not be judged: no steps were found in the candidate") || doc.Tag != "1 OF 3 FASTER" {
		t.Errorf("got %s: %s", doc.Tag, doc.Headline)
	}
	if c := doc.Candidates[2]; c.Label != "odd" || c.Report.Verdict.Judged || c.Change == c.Change {
		t.Errorf("the last is %s, judged %v, change %v, want the one that cannot be judged", c.Label, c.Report.Verdict.Judged, c.Change)
	}
	if c := doc.Candidates[0]; c.Label != "faster" || c.Report.Verdict.Verdict != "improved" {
		t.Errorf("the first is %s, %s, want faster, improved", c.Label, c.Report.Verdict.Verdict)
	}
	two := severalDocument(t, paths[0], paths[3], paths[2])
	if got, want := doc.Candidates[0].Report.Metrics[0].Change, two.Candidates[0].Report.Metrics[0].Change; got.Low != want.Low || got.High != want.High {
		t.Errorf("the interval of the others: got %+v, want %+v as without it", got, want)
	}
	if _, _, status := runSeveral(paths[0], paths[3], odd, "-q"); status != statusNotJudged {
		t.Errorf("got status %d, want %d", status, statusNotJudged)
	}
}

// TestSeveralNames: names that the user gives stand wherever a candidate is named, also where
// directories are called alike.
func TestSeveralNames(t *testing.T) {
	paths := writeSeveral(t, synth.Nsight)
	alike := filepath.Join(t.TempDir(), "slower")
	rename(t, paths[3], alike)
	out := filepath.Join(t.TempDir(), "report")
	stdout, stderr, status := runSeveral(paths[0], paths[1], alike, "--names", "buffered,O_DIRECT,io_uring", "--title", "Ways to read", "-o", out+".html", "-o", out+".md")
	if status != statusRegressed {
		t.Fatalf("got status %d: %s", status, stderr)
	}
	inOrder(t, "terminal", stdout, "Ways to read", "buffered (baseline)", "1  io_uring", "2  O_DIRECT")
	for _, name := range []string{".html", ".md"} {
		text, err := os.ReadFile(out + name)
		if err != nil {
			t.Fatal(err)
		}
		inOrder(t, name, strings.ReplaceAll(string(text), "\\_", "_"), "Ways to read", "buffered", "io_uring", "O_DIRECT")
	}
	if text, err := os.ReadFile(out + "-2.html"); err != nil || !strings.Contains(string(text), "<title>FASTER: Ways to read") {
		t.Errorf("the page of a candidate has other names (%v)", err)
	}
}

// TestSeveralInBuild: annotations, the job summary and standard error name the candidates, and
// --anonymize gives them numbers everywhere.
func TestSeveralInBuild(t *testing.T) {
	paths := writeSeveral(t, synth.Nsight)
	summary := filepath.Join(t.TempDir(), "summary.md")
	t.Setenv("GITHUB_ACTIONS", "true")
	t.Setenv("GITHUB_STEP_SUMMARY", summary)
	stdout, stderr, status := runSeveral(append(paths, "-q")...)
	if status != statusRegressed {
		t.Fatalf("got status %d: %s", status, stderr)
	}
	inOrder(t, "annotations", stdout, "::notice title=perfdiff%3A faster%3A improved::", "::notice title=perfdiff%3A same%3A passed::", "::error title=perfdiff%3A slower%3A regressed::")
	inOrder(t, "standard error", stderr, "perfdiff: failed: slower: Steps take 2.6")
	text, err := os.ReadFile(summary)
	if err != nil {
		t.Fatal(err)
	}
	inOrder(t, "job summary", string(text), "1 OF 3 FASTER", "Gate failed", "faster", "slower")
	stdout, stderr, _ = runSeveral(append(paths, "--anonymize")...)
	inOrder(t, "anonymous", stdout, "candidate-3", "candidate-2", "candidate-1")
	for _, c := range candidates {
		if strings.Contains(stdout+stderr, "  "+c.name+"  ") {
			t.Errorf("%s is named though names were to stay unknown: %s%s", c.name, stdout, stderr)
		}
	}
}

// filesOf returns the files of directories, as a shell writes dir/*.
func filesOf(t *testing.T, dirs ...string) (all []string) {
	for _, dir := range dirs {
		files, err := filepath.Glob(filepath.Join(dir, "*"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: got %d files, %v", dir, len(files), err)
		}
		all = append(all, files...)
	}
	return all
}
