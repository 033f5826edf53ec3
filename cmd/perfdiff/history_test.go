package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
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

func TestHistory(t *testing.T) {
	dir, profiles := pastRuns(t)
	base, cand := filepath.Join(profiles, "baseline/run9"), filepath.Join(profiles, "candidate/run5")
	mustRun(t, statusOK, base, cand) // one run a side, noise assumed: 4 % are not shown
	out, _ := mustRun(t, statusRegressed, base, cand, "--history", dir)
	if !strings.Contains(out, "past runs") || !strings.Contains(out, "REGRESSED") {
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
	if one != two {
		t.Error("the order of the history changes the report")
	}
	other := filepath.Join(t.TempDir(), "other.perfdiff")
	mustRun(t, statusOK, "summarize", filepath.Join(writeStory(t, "aa", synth.Nsight), "baseline"), "-q", "-o", other)
	own := filepath.Join(t.TempDir(), "own.perfdiff")
	mustRun(t, statusOK, "summarize", base, "-q", "-o", own)
	out, _ = mustRun(t, statusRegressed, append(json, "--history", dir, "--history", other, "--history", own, "--history", files[3])...)
	for _, want := range []string{"its number of ranks is 4, here it is 2", "it is one of the runs that are compared, or is there twice"} {
		if !strings.Contains(out, want) {
			t.Errorf("the report does not say %q", want)
		}
	}
	if _, stderr := mustRun(t, statusOK, base, cand, "-q", "--history", files[0], "--history", files[1]); !strings.Contains(stderr, "2 past runs are like the baseline; noise is learned from 5 on") {
		t.Errorf("two past runs: got %s", stderr)
	}
	for path, want := range map[string]string{"nowhere": "history: nowhere: no such file", profiles: "no saved summaries (make one of each run"} {
		if _, stderr := mustRun(t, statusError, base, cand, "--history", path); !strings.Contains(stderr, want) {
			t.Errorf("--history %s: got %s want %q", path, stderr, want)
		}
	}
}

func TestNoise(t *testing.T) {
	dir, profiles := pastRuns(t)
	out, _ := mustRun(t, statusOK, "noise", dir)
	for _, want := range []string{"12 runs of one job", "changed by +4.1", "from main-08 on", "1v1 shows", "one level"} {
		if !strings.Contains(out, want) {
			t.Errorf("noise: got %s want %q", out, want)
		}
	}
	if same, _ := mustRun(t, statusOK, "noise", filepath.Join(profiles, "baseline")); !strings.Contains(same, "12 runs of one job") || strings.Contains(same, "changed") {
		t.Errorf("noise of profiles: got %s", same)
	}
	if few, _ := mustRun(t, statusOK, "noise", filepath.Join(profiles, "baseline/run1"), filepath.Join(profiles, "baseline/run2")); !strings.Contains(few, "noise is learned from 5 on") {
		t.Errorf("noise of two runs: got %s", few)
	}
	if _, stderr := mustRun(t, statusError, "noise"); !strings.Contains(stderr, "expected RUNSETS") {
		t.Errorf("noise of nothing: got %s", stderr)
	}
}

func TestTrend(t *testing.T) {
	dir, _ := pastRuns(t)
	out, _ := mustRun(t, statusOK, "trend", dir)
	if !strings.Contains(out, "level changed by +4.2") || !strings.Contains(out, "1 change of level") || strings.Count(out, "main-") != 12 {
		t.Errorf("trend: got %s", out)
	}
	page := filepath.Join(t.TempDir(), "trend.html")
	mustRun(t, statusOK, "trend", dir, "--metric", "compute_time", "-o", page)
	text, err := os.ReadFile(page)
	if err != nil || strings.Count(string(text), "<circle") != 12 || !strings.Contains(string(text), "from main-08 on") || strings.Contains(string(text), "<script") {
		t.Errorf("the page lacks runs or the change, or has a script (%v)", err)
	}
	if out, _ := mustRun(t, statusOK, "trend", dir, "--metric", "overlap"); !strings.Contains(out, "One level") {
		t.Errorf("overlap: got %s", out)
	}
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"trend"}, "expected DIR"}, {[]string{"trend", dir, "--metric", "x"}, "--metric x: no such metric; there are step_time"},
		{[]string{"trend", dir, "-o", "x.json"}, "written as .html or .txt"}, {[]string{"trend", t.TempDir()}, "no saved summaries"},
	} {
		if _, stderr := mustRun(t, statusError, tt.args...); !strings.Contains(stderr, tt.want) {
			t.Errorf("%v: got %s want %q", tt.args, stderr, tt.want)
		}
	}
}

// TestTrendOfZeros has a metric that is 0 in every run, and a file that is just
// being written into the history.
func TestTrendOfZeros(t *testing.T) {
	dir, from := t.TempDir(), writeStory(t, "lost-overlap", synth.Nsight)
	for i := range 6 {
		mustRun(t, statusOK, "summarize", filepath.Join(from, "candidate"), "-q", "-o", filepath.Join(dir, fmt.Sprint(i, ".perfdiff")))
	}
	if err := os.WriteFile(filepath.Join(dir, ".perfdiff-123"), []byte("perfdiff summary 2"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, metric := range []string{"overlap", "bus_bandwidth"} {
		mustRun(t, statusOK, "trend", dir, "--metric", metric)
	}
}

// TestPolicyOfSummaries: the policy says what a step is also where a run set is
// saved, else two summaries of one job would hold different things.
func TestPolicyOfSummaries(t *testing.T) {
	dir, profiles := t.TempDir(), writeStory(t, "aa", synth.Nsight)
	file := filepath.Join(dir, "perfdiff.yaml")
	if err := os.WriteFile(file, []byte("ranks: \"0-1\"\nsteps: {kernel: dgrad}\nwaivers: [{metric: step_time, reason: x, owner: y, expires: 2020-01-01}]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, _ := mustRun(t, statusOK, "summarize", filepath.Join(profiles, "baseline"), "--policy", file, "-o", filepath.Join(dir, "b.perfdiff"))
	if !strings.Contains(out, "1 run of 2 ranks") {
		t.Errorf("got %q", out)
	}
	text, _ := mustRun(t, statusOK, filepath.Join(dir, "b.perfdiff"), filepath.Join(dir, "b.perfdiff"), "-o", "-", "--format", "json", "--exit-zero")
	if !strings.Contains(text, "dgrad") {
		t.Error("steps were not found by the kernel of the policy")
	}
}
