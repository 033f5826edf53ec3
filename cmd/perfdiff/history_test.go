package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
	"perfdiff/testdata"
)

// pastRuns writes runs of one job, each saved: eight of the baseline and four
// in which the backward pass is slower. It returns their directory, and that of
// the profiles.
func pastRuns(t *testing.T) (dir, profiles string) {
	t.Helper()
	text, err := testdata.Story("several-runs")
	if err != nil {
		t.Fatal(err)
	}
	story, err := synth.Parse("past", []byte(strings.Replace(string(text), "runs: 3", "runs: 12", 1)))
	if err != nil {
		t.Fatal(err)
	}
	dir, profiles = t.TempDir(), t.TempDir()
	if _, err := story.Write(context.Background(), profiles, synth.Nsight); err != nil {
		t.Fatal(err)
	}
	for i := range 12 {
		side := "baseline"
		if i >= 8 {
			side = "candidate"
		}
		mustRun(t, statusOK, "summarize", filepath.Join(profiles, side, fmt.Sprint("run", i+1)), "-q", "-o", filepath.Join(dir, fmt.Sprintf("main-%02d.perfdiff", i)))
	}
	return dir, profiles
}

// asked is what a report says was typed, which differs where inputs are named another way.
var asked = regexp.MustCompile(`(?m)^\s*"command": .*$`)

func TestHistory(t *testing.T) {
	dir, profiles := pastRuns(t)
	base, cand := filepath.Join(profiles, "baseline/run9"), filepath.Join(profiles, "candidate/run5")
	mustRun(t, statusOK, base, cand) // one run per side, noise assumed: 4 % are not shown
	out, _ := mustRun(t, statusRegressed, base, cand, "--history", dir)
	if !strings.Contains(out, "past runs") || !strings.HasPrefix(out, "SLOWER") {
		t.Errorf("with history: got %s", out)
	}
	// The order of the history, a run in it twice, the compared run itself and
	// other jobs in it change nothing.
	files, _ := filepath.Glob(filepath.Join(dir, "*"))
	var reversed []string
	for _, f := range files {
		reversed = append([]string{"--history", f}, reversed...)
	}
	json := []string{base, cand, "-q", "-o", "-", "--format", "json"}
	one, _ := mustRun(t, statusRegressed, append(json, "--history", dir)...)
	two, _ := mustRun(t, statusRegressed, append(json, reversed...)...)
	if asked.ReplaceAllString(one, "") != asked.ReplaceAllString(two, "") {
		t.Error("the order of the history changes the report")
	}
	other := filepath.Join(t.TempDir(), "other.perfdiff")
	mustRun(t, statusOK, "summarize", filepath.Join(writeStory(t, "aa", synth.Nsight), "baseline"), "-q", "-o", other)
	own := filepath.Join(t.TempDir(), "own.perfdiff")
	mustRun(t, statusOK, "summarize", base, "-q", "-o", own)
	out, _ = mustRun(t, statusRegressed, append(json, "--history", dir, "--history", other, "--history", own, "--history", files[3])...)
	for _, want := range []string{"its number of ranks is 4, here it is 2", "it is the baseline itself", "it is the same run as main-"} {
		if !strings.Contains(out, want) {
			t.Errorf("the report does not say %q", want)
		}
	}
	if _, stderr := mustRun(t, statusOK, base, cand, "-q", "--history", files[0], "--history", files[1]); !strings.Contains(stderr, "2 past runs are like the baseline; noise is learned from 5 on") {
		t.Errorf("two past runs: got %s", stderr)
	}
	four := []string{base, cand, "--table"}
	for _, f := range files[:4] {
		four = append(four, "--history", f)
	}
	out, _ = mustRun(t, statusRegressed, four...)
	if text := strings.Join(strings.Fields(out), " "); !strings.Contains(text, "Of 4 past runs given, 4 say what runs differ by. The newest of its level stand beside the baseline: main-00, main-01, main-02, main-03.") || strings.Contains(text, "left out: ") {
		t.Errorf("four past runs and the baseline: got %s", out)
	}
	for path, want := range map[string]string{"nowhere": "history: nowhere: no such file", profiles: "no saved summaries (make one of each run"} {
		if _, stderr := mustRun(t, statusError, base, cand, "--history", path); !strings.Contains(stderr, want) {
			t.Errorf("--history %s: got %s want %q", path, stderr, want)
		}
	}
}

// TestBesideBaseline: the newest past runs of the baseline's level count as its runs, every
// output names them, and those of another level and of the candidate do not.
func TestBesideBaseline(t *testing.T) {
	dir, profiles := pastRuns(t)
	base, cand, out := filepath.Join(dir, "main-07.perfdiff"), filepath.Join(profiles, "candidate/run5"), filepath.Join(t.TempDir(), "r")
	text, _ := mustRun(t, statusRegressed, base, cand, "--table", "--history", dir, "-o", out+".html", "-o", out+".md", "-o", out+".json")
	const beside = "The newest of its level stand beside the baseline: main-00, main-01, main-02, main-03, main-04, main-05, main-06."
	if plain := strings.Join(strings.Fields(text), " "); !strings.Contains(plain, beside) || !strings.Contains(plain, "8 and 1 run of 2 ranks") {
		t.Errorf("got %s", text)
	}
	for _, ext := range []string{".html", ".md", ".json"} {
		text, err := os.ReadFile(out + ext)
		if want := map[bool]string{true: `"level": true`, false: beside}[ext == ".json"]; err != nil || !strings.Contains(string(opened(t, text)), want) {
			t.Errorf("%s does not say which runs stand beside the baseline (%v)", ext, err)
		}
	}
	// What is compared is none of the past runs, whatever the file is called.
	own := filepath.Join(t.TempDir(), "main-99.perfdiff")
	mustRun(t, statusOK, "summarize", cand, "-q", "-o", own)
	text, stderr := mustRun(t, statusRegressed, base, cand, "--table", "--history", dir, "--history", own)
	if plain := strings.Join(strings.Fields(text+stderr), " "); !strings.Contains(plain, beside) || !strings.Contains(plain, "1 past run left out: main-99: it is the candidate itself") {
		t.Errorf("the candidate in the history: got %s", plain)
	}
	// The slower runs are a level of their own: against that nothing is slower.
	slow := filepath.Join(dir, "main-11.perfdiff")
	text, _ = mustRun(t, statusOK, slow, cand, "--table", "--history", dir)
	if plain := strings.Join(strings.Fields(text), " "); !strings.Contains(plain, "stand beside the baseline: main-08, main-09, main-10.") && !strings.Contains(plain, "None stands beside the baseline: the step time of the baseline differs") {
		t.Errorf("on the other level: got %s", text)
	}
}

// TestHistoryOfSummaries: what main shows over time, as text, page and tables.
func TestHistoryOfSummaries(t *testing.T) {
	dir, _ := pastRuns(t)
	page, table := filepath.Join(t.TempDir(), "history.html"), filepath.Join(t.TempDir(), "runs.csv")
	out, _ := mustRun(t, statusOK, "history", dir, "-o", page, "--csv", table)
	if text := strings.Join(strings.Fields(out), " "); !strings.HasPrefix(text, "HISTORY Main is 4.") || !strings.Contains(text, "The newest level has 4 runs") || !strings.Contains(text, "between main-07 and main-08") {
		t.Errorf("got %s", out)
	}
	for path, want := range map[string]string{page: "main-08", table: "main-08"} {
		if text, err := os.ReadFile(path); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s lacks %q (%v)", filepath.Base(path), want, err)
		}
	}
	if _, stderr := mustRun(t, statusRegressed, "history", dir, "--fail-on", "level"); !strings.Contains(stderr, "regressed: step time +4.") {
		t.Errorf("--fail-on level: got %s", stderr)
	}
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"history"}, "expected"}, {[]string{"history", dir, "--metric", "x"}, "--metric x: no such metric; there are step_time"},
		{[]string{"history", dir, "-o", "x.json"}, "x.json: a history is written as .html or .txt"}, {[]string{"history", t.TempDir()}, "no saved summaries"},
		{[]string{"history", dir, "--fail-on", "rain"}, "a history fails on level"},
		{[]string{"noise", dir}, "perfdiff noise is gone"}, {[]string{"trend", dir}, "perfdiff trend is gone"},
	} {
		if _, stderr := mustRun(t, statusError, tt.args...); !strings.Contains(stderr, tt.want) {
			t.Errorf("%v: got %s want %q", tt.args, stderr, tt.want)
		}
	}
}

// TestHistoryDirectory: what is wrong with one file of a history does not lose
// the others, and a history that has just begun is none that is broken.
func TestHistoryDirectory(t *testing.T) {
	dir, profiles := pastRuns(t)
	base, cand := filepath.Join(profiles, "baseline/run9"), filepath.Join(profiles, "candidate/run5")
	damaged, newer, cut := filepath.Join(dir, "bad-1.perfdiff"), filepath.Join(dir, "bad-2.perfdiff"), filepath.Join(dir, "bad-3.perfdiff")
	writeFile(t, damaged, "perfdiff summary 3\nabc")
	writeFile(t, newer, "perfdiff summary 9\nabc")
	writeFile(t, cut, "")
	out, _ := mustRun(t, statusRegressed, base, cand, "--table", "--history", dir)
	for _, want := range []string{"bad-1.perfdiff: the summary is damaged: its checksum is another one (copy or make it again)", `bad-2.perfdiff: a summary of version "9"`, "bad-3.perfdiff: it does not begin like a summary", "Of 15 past runs given, 12 say"} {
		if !strings.Contains(strings.Join(strings.Fields(out), " "), want) {
			t.Errorf("got %s want %q", out, want)
		}
	}
	if out, _ := mustRun(t, statusOK, "history", dir); !strings.Contains(out, "the summary is damaged") || !strings.Contains(out, "Runs of this job differ by") {
		t.Errorf("perfdiff history: got %s", out)
	}
	only, empty := t.TempDir(), t.TempDir()
	writeFile(t, filepath.Join(only, "x.perfdiff"), "perfdiff summary 3\nabc")
	writeFile(t, filepath.Join(empty, ".gitkeep"), "")
	for path, want := range map[string]string{damaged: "history: bad-1.perfdiff: the summary is damaged", only: "no summary could be read: x.perfdiff: the summary is damaged"} {
		if _, stderr := mustRun(t, statusError, base, cand, "--history", path); !strings.Contains(stderr, want) {
			t.Errorf("--history %s: got %s want %q", path, stderr, want)
		}
	}
	if _, stderr := mustRun(t, statusOK, base, cand, "-q", "--history", empty); !strings.Contains(stderr, "warning: no past runs yet in") {
		t.Errorf("an empty history: got %s", stderr)
	}
	mustRun(t, statusRegressed, base, cand, "-q", "--history", empty, "--fail-on", "warning")
	if _, stderr := mustRun(t, statusOK, base, cand, "-q", "--history", empty, "--history", dir, "--warn-only"); strings.Contains(stderr, "no past runs yet") {
		t.Errorf("an empty history and another: got %s", stderr)
	}
	if _, stderr := mustRun(t, statusOK, "check", filepath.Join(profiles, "baseline/run1"), "-q", "--history", empty); !strings.Contains(stderr, "no past runs yet") {
		t.Errorf("check with an empty history: got %s", stderr)
	}
}

// TestBaselineInHistory is how pipelines go: what main saved is the baseline and
// among the past runs. Nobody is warned of that, and every output names it.
func TestBaselineInHistory(t *testing.T) {
	dir, profiles := pastRuns(t)
	base, cand, out := filepath.Join(dir, "main-00.perfdiff"), filepath.Join(profiles, "baseline/run9"), filepath.Join(t.TempDir(), "r")
	text, stderr := mustRun(t, statusOK, base, cand, "--table", "--history", dir, "--fail-on", "regressed,warning", "-o", out+".html", "-o", out+".md", "-o", out+".json")
	if stderr != "" || !strings.Contains(strings.Join(strings.Fields(text), " "), "Left out: main-00 (it is the baseline itself)") {
		t.Errorf("got %s %s", text, stderr)
	}
	for _, ext := range []string{".html", ".md", ".json"} {
		if text, err := os.ReadFile(out + ext); err != nil || !strings.Contains(string(text), "it is the baseline itself") || !strings.Contains(string(text), "main-00") {
			t.Errorf("%s does not name the run that was left out (%v)", ext, err)
		}
	}
	// Two names of one run: neither which of them is given first nor what the other
	// files are called changes a byte.
	dup := filepath.Join(t.TempDir(), "dup-a.perfdiff")
	content, err := os.ReadFile(filepath.Join(dir, "main-03.perfdiff"))
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, dup, string(content))
	json := []string{base, cand, "-q", "-o", "-", "--format", "json", "--history"}
	one, _ := mustRun(t, statusOK, append(json, dir, "--history", dup)...)
	two, _ := mustRun(t, statusOK, append(json, dup, "--history", dir)...)
	if asked.ReplaceAllString(one, "") != asked.ReplaceAllString(two, "") {
		t.Error("the order of two histories changes the report")
	}
}

// TestPolicyOfSummaries: the policy says what a step is also where a run set is
// saved, else two summaries of one job would hold different things.
func TestPolicyOfSummaries(t *testing.T) {
	dir, profiles := t.TempDir(), writeStory(t, "aa", synth.Nsight)
	file := filepath.Join(dir, "perfdiff.yaml")
	if err := os.WriteFile(file, []byte("ranks: \"0-1\"\nsteps: {kernel: dgrad}\nwaivers: [{metric: step_time, up_to: 7%, reason: x, owner: y, expires: 2020-01-01}]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, _ := mustRun(t, statusOK, "summarize", filepath.Join(profiles, "baseline"), "--policy", file, "-o", filepath.Join(dir, "b.perfdiff"))
	if !strings.Contains(out, "1 run of 2 ranks") {
		t.Errorf("got %q", out)
	}
	text, _ := mustRun(t, statusNotJudged, filepath.Join(dir, "b.perfdiff"), filepath.Join(dir, "b.perfdiff"), "-o", "-", "--format", "json")
	if !strings.Contains(text, "dgrad") {
		t.Error("steps were not found by the kernel of the policy")
	}
}
