package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"perfdiff/diff/difftest"
	"perfdiff/diff/history"
	"perfdiff/render"
)

// TestHistoryCommand: a store is shown as text, page, site and files for programs; another metric is shown first where one
// is asked for; a change for the worse fails where that is asked for.
func TestHistoryCommand(t *testing.T) {
	_, profiles := pastRuns(t)
	dir := t.TempDir()
	for i := range 20 {
		run := fmt.Sprint("baseline/run", i+1)
		if i >= 12 {
			run = fmt.Sprint("candidate/run", i-11)
		}
		mustRun(t, statusOK, "summarize", filepath.Join(profiles, run), "-q", "-o", filepath.Join(dir, fmt.Sprintf("main-%02d.perfdiff", i)), "--commit", fmt.Sprintf("c0ffee%02d", i), "--link", "https://ci.example/1")
	}
	out, _ := mustRun(t, statusOK, "history", dir)
	for _, want := range []string{"HISTORY  Main is 4.", " to 30.", "The newest level has 8", "between c0ffee1"} {
		if !strings.Contains(out, want) {
			t.Errorf("got %s want %q", out, want)
		}
	}
	to := t.TempDir()
	in := func(name string) string { return filepath.Join(to, name) }
	out, _ = mustRun(t, statusOK, "history", dir, "--metric", "compute_time", "-o", in("h.html"), "-o", in("h.txt"), "-o", in("site")+"/", "--json", in("h.json"), "--csv", in("h.csv"),
		"--sqlite", in("h.sqlite"), "--openmetrics", in("h.prom"))
	if !strings.HasPrefix(out, "HISTORY  Compute time of main is ") {
		t.Errorf("got %s", out)
	}
	for _, name := range []string{"h.html", "h.txt", "site/index.html", "site/job.html", "h.json", "h.csv", "h.sqlite", "h.prom"} {
		if st, err := os.Stat(in(name)); err != nil || st.Size() == 0 {
			t.Errorf("%s was not written (%v)", name, err)
		}
	}
	if out, _ := mustRun(t, statusOK, "history", dir, "--json", "-"); !json.Valid([]byte(out)) {
		t.Errorf("got %.300s", out)
	}
	if _, stderr := mustRun(t, statusRegressed, "history", dir, "--fail-on", "level"); !strings.Contains(stderr, "regressed: step time +4.") {
		t.Errorf("got %s", stderr)
	}
	for _, tt := range []struct {
		args []string
		want string
	}{
		{nil, "expected DIR"}, {[]string{dir, "--metric", "x"}, "--metric x: no such metric; there are step_time"}, {[]string{dir, "-o", "x.json"}, "written as .html or .txt, or into a directory"},
		{[]string{t.TempDir()}, "no saved summaries"}, {[]string{"nowhere"}, "nowhere: no such file"}, {[]string{dir, "--json", "-", "--csv", "-"}, "standard output takes one"},
		{[]string{dir, "--sqlite", "-"}, "a database is no text"}, {[]string{dir, "--fail-on", "creep"}, "fails on level"}, {[]string{dir, "-o", "-"}, "the text is printed anyway"},
	} {
		if _, stderr := mustRun(t, statusError, append([]string{"history"}, tt.args...)...); !strings.Contains(stderr, tt.want) {
			t.Errorf("%v: got %s want %q", tt.args, stderr, tt.want)
		}
	}
	for _, gone := range []string{"trend", "noise"} {
		if _, stderr := mustRun(t, statusError, gone, dir); !strings.Contains(stderr, "perfdiff history DIR") {
			t.Errorf("%s: got %s", gone, stderr)
		}
	}
}

// TestHistoryJobs: a directory of stores is a table of their jobs; without names they have numbers.
func TestHistoryJobs(t *testing.T) {
	dir, profiles := pastRuns(t)
	root := t.TempDir()
	other := filepath.Join(root, "secret-other")
	if err := os.Mkdir(other, 0o755); err != nil {
		t.Fatal(err)
	}
	mustRun(t, statusOK, "summarize", filepath.Join(profiles, "baseline/run1"), "-q", "-o", filepath.Join(other, "a.perfdiff"))
	if err := os.CopyFS(filepath.Join(root, "secret-job"), os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	site := filepath.Join(t.TempDir(), "site")
	out, _ := mustRun(t, statusOK, "history", root, "-o", site+"/")
	if !strings.Contains(out, "secret-job ") || !strings.Contains(out, "secret-other ") || !strings.Contains(out, "/JOB") {
		t.Errorf("got %s", out)
	}
	for _, name := range []string{"index", "secret-job", "secret-other"} {
		if _, err := os.Stat(filepath.Join(site, name+".html")); err != nil {
			t.Error(err)
		}
	}
	outputs := map[string]string{}
	for _, flag := range []string{"--json", "--csv", "--openmetrics"} {
		outputs[flag], _ = mustRun(t, statusOK, "history", root, "--anonymize", flag, "-")
	}
	outputs["text"], _ = mustRun(t, statusOK, "history", root, "--anonymize")
	leaks(t, outputs, "secret", "main-0", "node0")
}

// TestOtherServices runs the queries of the topic on continuous integration, which make what github-action-benchmark and
// Bencher read: the newest value of each metric.
func TestOtherServices(t *testing.T) {
	text, err := os.ReadFile("topics/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	queries := regexp.MustCompile(`(?m)^    jq '([^']*)' main\.json > `).FindAllStringSubmatch(string(text), -1)
	if len(queries) != 2 {
		t.Fatalf("got %d queries", len(queries))
	}
	jq, err := exec.LookPath("jq")
	if err != nil {
		t.Skip("jq is not installed: the queries of topics/ci.md were not run")
	}
	moved := difftest.MovedJob()
	ask := func(query string, jobs ...history.Job) string {
		var in, out bytes.Buffer
		if err := (&render.Jobs{All: jobs}).JSON(&in); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(jq, query)
		cmd.Stdin, cmd.Stdout, cmd.Stderr = &in, &out, os.Stderr
		if err := cmd.Run(); err != nil {
			t.Fatalf("%s: %v", query, err)
		}
		return out.String()
	}
	var points []struct {
		Name, Unit, Extra string
		Value             *float64
	}
	if err := json.Unmarshal([]byte(ask(queries[0][1], difftest.FlatJob(), moved)), &points); err != nil || len(points) != 3 {
		t.Fatalf("github-action-benchmark: got %+v, %v", points, err)
	}
	if p := points[1]; p.Name != "resnet-a100 step_time" || p.Unit != "s" || *p.Value != moved.Metrics[0].Values[59] || p.Extra != moved.Runs[59].From.Commit {
		t.Errorf("got %+v", p)
	}
	var bench map[string]map[string]struct{ Value float64 }
	if err := json.Unmarshal([]byte(ask(queries[1][1], difftest.FlatJob(), moved)), &bench); err != nil || len(bench) != 2 || bench["resnet-a100"]["io_read_throughput"].Value != moved.Metrics[2].Values[59] {
		t.Errorf("Bencher: got %+v, %v", bench, err)
	}
	moved.Runs[59].Why.Kind = "apart_from_all" // what does not count is nobody's newest value
	moved.Name = ""
	for i, want := range []string{"[]", "{}"} {
		if got := strings.TrimSpace(ask(queries[i][1], moved)); got != want {
			t.Errorf("of a run that does not count: got %s, want %s", got, want)
		}
	}
}
