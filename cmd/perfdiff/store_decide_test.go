package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"perfdiff/analyze"
	"perfdiff/analyze/store"
	"perfdiff/cmd/perfdiff/policyfile"
)

// loggedRun writes the log of a run, which differs from others of its step time by a few per mille.
func loggedRun(t *testing.T, number int, step float64) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "run")
	var b strings.Builder
	for i := range 20 {
		ms := step * (1 + float64(number*5%7-3)/300 + float64(number)/1e5 + float64(i*3%5-2)/1000)
		fmt.Fprintf(&b, " iteration %d/ 20 | elapsed time per iteration (ms): %.4f | lm loss: 1.0\n", i+1, ms)
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "train.log"), []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// loggedStore makes a store of so many runs of main a day apart, those from the 21st on 6 % slower.
func loggedStore(t *testing.T, runs int) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "perf")
	for i := range runs {
		set, err := analyze.Load(context.Background(), loggedRun(t, i, 100+float64(i/20*6)), newCommand().Load)
		if err != nil {
			t.Fatal(err)
		}
		setOrigin(set, analyze.Origin{Commit: mainCommit(i)})
		if _, err := store.Save(dir, set, store.Saving{Now: time.Date(2026, 3, 1+i, 0, 0, 0, 0, time.UTC)}); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func mainCommit(run int) string { return fmt.Sprintf("%07x", 0xabc0000+run) }

// atDay sets the clock of the commands.
func atDay(t *testing.T, day time.Time) {
	t.Helper()
	policyfile.Now = func() time.Time { return day }
	t.Cleanup(func() { policyfile.Now = time.Now })
}

// TestDecisions: a decision says what follows from it, one from which nothing follows is refused, and one that misses
// what it needs is a wrong command line.
func TestDecisions(t *testing.T) {
	atDay(t, time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC))
	dir := loggedStore(t, 26)
	for _, tt := range []struct {
		args string
		want int
		said string
	}{
		{"--accept abc0014", 2, "--accept needs --reason TEXT and --by NAME"},
		{"--accept abc0014 --reason x --by ana --save", 2, "--accept: nothing is gated: leave --save out"},
		{"--accept abc0014 --reason x --by ana candidate", 2, "--accept takes no CANDIDATE"},
		{"--accept abc0014 --exclude abc0014 --reason x --by ana", 2, "--accept --exclude: give one of them"},
		{"--exclude abc0014 --up-to 7% --reason x --by ana", 2, "--exclude is about all metrics"},
		{"--accept abc0014 --until soon --reason x --by ana", 2, "--until soon: must be a day, as in 2027-01-31"},
		{"--accept abc0014 --until 2026-03-01 --reason x --by ana", 2, "until: is before the event itself"},
		{"--accept 12 --reason x --by ana", 2, `commit "12": is no commit`},
		{"--reason x", 2, "--reason is about a decision"},
		{"", 2, "expected one CANDIDATE, got 0 arguments"},
		{"--accept abc0003 --reason x --by ana", 2, "no change of step time of the store came with this commit; open: abc0014 (step time +5.9 % between abc0013 and abc0014 (1 commit)"},
		{"--accept abc0014 --up-to 5% --reason x --by ana", 2, "or it is larger than --up-to 5%; open: abc0014"},
		{"--exclude abcffff --reason x --by ana", 2, "no run in the store is of this commit"},
		{"--note abc0003 --reason x --by ana", 0, "noted: 1 run of abc0003 (event-"},
		{"--accept abcffff --reason x --by ana --force", 0, "accepted: nothing in the store yet."},
		{"--accept abc0014 --up-to 7% --reason tokenizer --by ana --until 2026-04-20", 0,
			"accepted: step time +5.9 % between abc0013 and abc0014 (1 commit). It counts on main at once, "},
		{"--accept abc0014 --reason x --by ana", 2, "came with this commit; none is open"},
	} {
		stdout, stderr := mustRun(t, tt.want, append([]string{"gate", "--store", dir}, strings.Fields(tt.args)...)...)
		if text := plainSpaces(stdout + stderr); !strings.Contains(text, tt.said) || strings.Count(stdout, "\n") != map[int]int{0: 1}[tt.want] {
			t.Errorf("%s: got %s", tt.args, text)
		}
	}
}

// TestDecisionsCount: main is green with a change that was accepted, a pull request heeds it from main's next run on, and
// when it has expired the change is open again.
func TestDecisionsCount(t *testing.T) {
	day := time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC)
	atDay(t, day)
	dir := loggedStore(t, 26)
	cand := loggedRun(t, 3, 106)
	gate := func(want int, args ...string) string {
		t.Helper()
		out, stderr := mustRun(t, want, append([]string{"gate", "--store", dir, "--table"}, args...)...)
		return plainSpaces(strings.Join(strings.Fields(out+stderr), " "))
	}
	const open = "open step time +"
	if out := gate(statusOK, cand, "--commit", "fffffff"); !strings.Contains(out, open) {
		t.Errorf("before: got %s", out)
	}
	gate(statusOK, "--accept", mainCommit(20), "--reason", "tokenizer", "--by", "ana", "--until", "2026-04-30")
	if out := gate(statusOK, cand, "--commit", "fffffff"); !strings.Contains(out, open) ||
		!strings.Contains(out, "the decision of ana (accept abc0014) does not count: main has saved no run since") {
		t.Errorf("before main's next run: got %s", out)
	}
	gate(statusOK, loggedRun(t, 5, 106.1), "--save", "--commit", mainCommit(26))
	if out := gate(statusOK, cand, "--commit", "fffffff"); strings.Contains(out, open) || strings.Contains(out, "decision") {
		t.Errorf("after it: got %s", out)
	}
	atDay(t, time.Date(2026, 4, 20, 0, 0, 0, 0, time.UTC))
	if out := gate(statusOK, cand, "--commit", "fffffff"); !strings.Contains(out, "(accept abc0014) ends after 2026-04-30") {
		t.Errorf("soon: got %s", out)
	}
	atDay(t, time.Date(2026, 5, 1, 0, 0, 0, 0, time.UTC))
	if out := gate(statusOK, cand, "--commit", "fffffff"); !strings.Contains(out, open) || !strings.Contains(out, "(accept abc0014) expired on 2026-04-30") {
		t.Errorf("later: got %s", out)
	}
}

// TestMainIsTold: main fails once for a change, and passes where it was accepted.
func TestMainIsTold(t *testing.T) {
	atDay(t, time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC))
	statuses := func(accept bool) (out []int) {
		dir := loggedStore(t, 20)
		if accept {
			mustRun(t, statusOK, "gate", "--store", dir, "--accept", mainCommit(20), "--reason", "x", "--by", "ana", "--force")
		}
		for i := range 6 {
			status, _ := gateStatus(dir, loggedRun(t, 20+i, 106), "--save", "--commit", mainCommit(20+i))
			out = append(out, status)
		}
		return out
	}
	failed := func(all []int) (n int) {
		for _, s := range all {
			if s == statusRegressed {
				n++
			}
		}
		return n
	}
	dir := loggedStore(t, 20)
	for i := range 3 {
		_, said := gateStatus(dir, loggedRun(t, 20+i, 110), "--save", "--commit", mainCommit(20+i))
		told := strings.Contains(oneLine(plainSpaces(said)), "perfdiff gate --store perf --accept ")
		if i == 2 && !told {
			t.Errorf("the command to accept must name the store: got %s", said)
		}
	}
	if got := statuses(false); failed(got) != 1 {
		t.Errorf("main fails once: got %v", got)
	}
	if got := statuses(true); failed(got) != 0 {
		t.Errorf("accepted: got %v", got)
	}
}

func gateStatus(dir string, args ...string) (int, string) {
	var out, errs strings.Builder
	status := run(context.Background(), append([]string{"gate", "--store", dir}, args...), &out, &errs)
	return status, out.String() + errs.String()
}

// TestGatePlan: what a gate finds is said for the noise of its store, and what lets a slower step pass is listed.
func TestGatePlan(t *testing.T) {
	atDay(t, time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC))
	dir := loggedStore(t, 26)
	mustRun(t, statusOK, "gate", "--store", dir, "--accept", mainCommit(20), "--reason", "tokenizer", "--by", "ana", "--up-to", "7%")
	file := filepath.Join(t.TempDir(), "perfdiff.yaml")
	text := "metrics: {step_time: {level: warn}}\nwaivers: [{metric: drift, up_to: 7%, reason: new, owner: bo, expires: 2026-12-31}]\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out, _ := mustRun(t, statusOK, "gate", "--store", dir, "--plan", "--policy", file, "--alpha", "0.1")
	for _, want := range []string{
		"(6 runs); runs differ by 0.", "; 7 runs a week.", "\n0.015     ", "\n0.1       ", "this gate\n", "\nA step that grows by 0.3 % a week is noticed after ", "From run to run other metrics differ by: drift ",
		"\n- by less than 2 % (threshold)\n", "\n- by any size: level: warn of step_time in the policy\n", "\n- by a waiver of drift, up to 7 % until 2026-12-31 (new, bo)\n",
		"\n- on main by abc0014, which was accepted: step time, up to 7 % (tokenizer, ana)\n",
	} {
		if !strings.Contains(plainSpaces(out), want) {
			t.Errorf("lacks %q: %s", want, out)
		}
	}
	if checked, _ := mustRun(t, statusOK, "check", loggedRun(t, 3, 106), "--store", dir); !strings.Contains(checked, "this gate\n") {
		t.Errorf("check: got %s", checked)
	}
	if _, stderr := mustRun(t, statusNotJudged, "gate", "--store", filepath.Join(dir, "none"), "--plan"); !strings.Contains(stderr, "no job of the store has a level yet") {
		t.Errorf("no store: got %s", stderr)
	}
}

// TestVerify: what is damaged is named with what to do, and the index is what the gate wrote.
func TestVerify(t *testing.T) {
	atDay(t, time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC))
	dir := loggedStore(t, 26)
	gateStatus(dir, loggedRun(t, 5, 106.1), "--save", "--commit", mainCommit(26))
	out, _ := mustRun(t, statusOK, "history", "verify", dir)
	if want := "27 runs, 0 decisions; 0 files damaged; the index was right\n"; out != want {
		t.Errorf("got %s, want %s", out, want)
	}
	text, err := os.ReadFile(filepath.Join(dir, "index.json"))
	if err != nil || strings.Count(string(text), `"metric": "step_time"`) != 1 || strings.Count(string(text), `"size": 0.0`) == 0 {
		t.Errorf("the index lacks levels, or changes: %v %.300s", err, text)
	}
	files, _ := filepath.Glob(filepath.Join(dir, "000003-*"))
	if err := os.WriteFile(files[0], []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, _ = mustRun(t, statusRegressed, "history", "verify", dir)
	if !strings.Contains(out, filepath.Base(files[0])+": it does not begin like a summary") || !strings.Contains(out, "1 file damaged; the index was made again") {
		t.Errorf("damaged: got %s", out)
	}
	for args, want := range map[string]string{
		"verify":                           "expected one STORE, as in: perfdiff history verify perf/",
		"verify nowhere":                   "is no store",
		"verify perf --between a..b":       "perfdiff history verify has no --between",
		"bisect perf --add x":              "--add RUNSET and --commit SHA go together",
		"perf --commits x":                 "--commits is for perfdiff history bisect STORE",
		"bisect " + dir + " -o x":          "perfdiff history bisect has no --output",
		"bisect " + dir + " --between abc": "must be A..B",
	} {
		if _, stderr := mustRun(t, statusError, append([]string{"history"}, strings.Fields(args)...)...); !strings.Contains(stderr, want) {
			t.Errorf("history %s: got %s want %s", args, stderr, want)
		}
	}
}
