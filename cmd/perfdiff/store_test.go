package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"perfdiff/analyze"
	"perfdiff/analyze/store"
	"perfdiff/analyze/synth"
	"perfdiff/cmd/perfdiff/policyfile"
)

// project writes runs of one job, a day apart.
type project struct {
	*testing.T
	dir, store string
	day        int
	ranks      int
	story      string // more of the job
}

func newProject(t *testing.T) *project {
	t.Helper()
	dir := t.TempDir()
	return &project{T: t, dir: dir, store: filepath.Join(dir, "perf"), ranks: 2}
}

// run writes the next run, whose compute takes so many times as long.
func (p *project) run(seed int, scale float64) string {
	p.Helper()
	text := fmt.Sprintf("about: a run of main\nranks: %d\nsteps: 30\nseed: %d\njob: {run_noise: 0.01, forward: %dus, backward: %dus%s}\n",
		p.ranks, seed, int(8000*scale), int(16000*scale), p.story)
	story, err := synth.Parse("project", []byte(text))
	if err != nil {
		p.Fatal(err)
	}
	at := p.TempDir()
	if _, err := story.Write(context.Background(), at, synth.Nsight); err != nil {
		p.Fatal(err)
	}
	p.day++
	dated := withSQL(p.T, filepath.Join(at, "candidate"), fmt.Sprintf("update TARGET_INFO_SESSION_START_TIME set utcEpochNs = utcEpochNs + %d", p.day*86_400_000_000_000))
	dir := filepath.Join(p.dir, fmt.Sprintf("run-%03d", p.day))
	if err := os.Rename(dated, dir); err != nil {
		p.Fatal(err)
	}
	return dir
}

// gate runs perfdiff gate on the store.
func (p *project) gate(cand string, args ...string) (status int, stdout, stderr string) {
	p.Helper()
	var out, errs bytes.Buffer
	status = run(context.Background(), append([]string{"gate", "--store", p.store, cand}, args...), &out, &errs)
	return status, strings.Join(strings.Fields(out.String()), " "), errs.String()
}

// push gates a run of main and keeps it.
func (p *project) push(seed int, scale float64, args ...string) (status int, stdout string) {
	p.Helper()
	before := len(p.names())
	commit := fmt.Sprintf("%07x%033d", 0xa000000+p.day, 0)
	status, stdout, stderr := p.gate(p.run(seed, scale), append(args, "--save", "--first", "pass", "--commit", commit)...)
	if after := len(p.names()); after != before+1 {
		p.Fatalf("day %d: got %d runs in the store after %d: %s", p.day, after, before, stderr)
	}
	return status, stdout
}

// names are the files of the store, without the index.
func (p *project) names() []string {
	p.Helper()
	entries, err := os.ReadDir(p.store)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		p.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		if e.Name() != "index.json" {
			out = append(out, e.Name())
		}
	}
	return out
}

// TestCreep: eight merges of 1.8 % each, of which none is found by itself, fail main once as what they come to.
func TestCreep(t *testing.T) {
	for name, before := range map[string]int{"a store of twelve runs": 12, "a young store": 5} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newProject(t)
			for i := range before {
				if status, out := p.push(100+i, 1); status != statusOK {
					t.Fatalf("unchanged run %d: exit %d: %s", i, status, out)
				}
			}
			scale, failed := 1.0, 0
			for i := range 8 {
				scale *= 1.018
				status, out := p.push(700+i, scale)
				if status == statusRegressed {
					failed++
					if !strings.Contains(out, "Main is slower: step time +") || !strings.Contains(out, " commit") && !strings.Contains(out, "gradually") {
						t.Errorf("main fails: %s", out)
					}
				}
			}
			if failed == 0 || failed > 2 {
				t.Errorf("main failed %d times", failed)
			}
		})
	}
}

// TestStoreOutputs: every output says what the candidate was held to, and which commits.
func TestStoreOutputs(t *testing.T) {
	p := newProject(t)
	for i := range 7 {
		p.push(100+i, 1)
	}
	out := filepath.Join(p.dir, "r")
	status, text, stderr := p.gate(p.run(200, 1.2), "--table", "-o", out+".html", "-o", out+".json", "-o", out+".xml", "-o", out+".md", "--csv", out,
		"--label", "change 7", "--commit", "0123456789abcdef", "--link", "https://example.org/7?a=1&b=2")
	if status != statusRegressed || stderr != "" || !strings.Contains(text, "perf: 7 runs, ranks 0-1 of 2 from") || !strings.Contains(text, "commits a000000") ||
		!strings.Contains(text, "commit 012345678 (change 7)") || !strings.Contains(text, "main step time 29.") && !strings.Contains(text, "main step time 28.") || !strings.Contains(text, "(7 runs, 1 host); runs differ by ") {
		t.Errorf("exit %d: %s %s", status, text, stderr)
	}
	for ext, want := range map[string][]string{
		".md":       {"[commit 012345678 (change 7)](<https://example.org/7?a=1&b=2>)", "(7 runs, 1 host); runs differ by ", " (a00000100)`"},
		".html":     {`<a href="https://example.org/7?a=1&amp;b=2" rel="noreferrer">commit 012345678 (change 7)</a>`, "<title>SLOWER: perf / change 7", " (a00000100)", "(7 runs, 1 host); runs differ by "},
		".xml":      {"(7 runs, 1 host); runs differ by "},
		".json":     {`"link": "https://example.org/7?a=1\u0026b=2"`, `"alpha": 0.0`, `"level": {`, `"commits": [`},
		"/runs.csv": {",a00000100", ",0123456789abcdef,"},
	} {
		text, err := os.ReadFile(out + ext)
		for _, w := range want {
			if err != nil || !strings.Contains(string(text), w) {
				t.Errorf("%s lacks %q (%v)", ext, w, err)
			}
		}
	}
	status, text, _ = p.gate(p.run(201, 1), "--label", "secret", "--anonymize", "--commit", "0123456789abcdef")
	if status != statusOK || strings.Contains(text, "secret") || strings.Contains(text, "a0000") || strings.Contains(text, "perf:") || strings.Contains(text, "2023") {
		t.Errorf("anonymous: exit %d: %s", status, text)
	}
}

// TestStoreEscalates: with --escalate one run does not fail.
func TestStoreEscalates(t *testing.T) {
	p := newProject(t)
	for i := range 6 {
		p.push(100+i, 1)
	}
	slow := p.run(200, 1.2)
	status, out, _ := p.gate(slow, "--escalate")
	if status != statusMoreRuns || !strings.Contains(out, "only they decide") {
		t.Errorf("one run: exit %d: %s", status, out)
	}
	three := filepath.Join(p.dir, "three")
	for i, dir := range []string{slow, p.run(201, 1.2), p.run(202, 1.2)} {
		if err := os.CopyFS(filepath.Join(three, fmt.Sprint("run", i+1)), os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
	}
	if status, out, _ := p.gate(three, "--escalate", "--save"); status != statusRegressed || len(p.names()) != 7 {
		t.Errorf("three runs: exit %d: %s", status, out)
	}
	if status, out, stderr := p.gate(three, "--save"); status != statusRegressed || len(p.names()) != 7 || !strings.Contains(stderr, "the run is there already, as") {
		t.Errorf("three runs again: exit %d: %s %s", status, out, stderr)
	}
}

// TestStoreFlags: what is wrong with a command line is said before anything is read.
func TestStoreFlags(t *testing.T) {
	p := newProject(t)
	p.push(100, 1)
	cand := p.run(200, 1)
	for line, want := range map[string]string{
		"--anchor 5": "--anchor is gone: main is held to what it was 100 and 400 runs ago", "--keep -1": "--keep -1: must be a time in days, as in 120d", "--keep 100": "must be a time", "--keep 12d": "is too short", "--first maybe": "--first maybe: must be pass or fail", "--history x": "unknown flag: --history",
		"--store=": `--store "": is empty`, "--commit main": "is no commit", "-o nowhere/x.md": "nowhere/x.md: cannot be written",
	} {
		if status, _, stderr := p.gate(cand, strings.Fields(line)...); status != statusError || !strings.Contains(stderr, want) {
			t.Errorf("%s: exit %d: %s want %q", line, status, stderr, want)
		}
	}
}

// TestStoreKeeps: runs that are older than all that stay leave the store but for one a day; what others put there and
// what somebody decided about stay.
func TestStoreKeeps(t *testing.T) {
	defer func() { policyfile.Now = time.Now }()
	p := newProject(t)
	writeFile(t, filepath.Join(p.store, "README"), "runs of main")
	mustRun(t, statusOK, "summarize", p.run(90, 1), "-q", "-o", filepath.Join(p.store, "by-hand.perfdiff"))
	first := time.Date(2026, 1, 5, 8, 0, 0, 0, time.UTC)
	push := func(i, day int, args ...string) {
		policyfile.Now = func() time.Time { return first.AddDate(0, 0, day).Add(time.Duration(i) * time.Minute) }
		if _, _, stderr := p.gate(p.run(100+i, 1), append(args, "--keep", "30d", "--save", "--first", "pass")...); !strings.Contains(stderr, fmt.Sprintf("saved %06d-2026", i+2)) {
			t.Fatalf("run %d: got %s", i, stderr)
		}
	}
	push(0, 0)
	push(1, 0, "--label", "v1")
	push(2, 0, "--commit", "a000002")
	push(3, 0)
	if _, err := store.AddEvent(p.store, store.Event{Kind: store.Note, Commit: "a000002", Reason: "a new driver", By: "ana"}, policyfile.Now()); err != nil {
		t.Fatal(err)
	}
	before := p.names()
	const later = 6 // more than half of all runs: they tell what time it is
	for i := range later {
		push(5+i, 40+i) // the event has number 6
	}
	after := p.names()
	gone := slices.DeleteFunc(slices.Clone(before), func(name string) bool { return slices.Contains(after, name) })
	if len(after) != len(before)+later-2 || len(gone) != 2 || !strings.HasPrefix(gone[0], "000003-") || !strings.HasPrefix(gone[1], "000005-") {
		t.Errorf("before %v, after %v", before, after)
	}
}

// TestStoreWriters: runs that are saved at once are all there, whole, and once.
func TestStoreWriters(t *testing.T) {
	p := newProject(t)
	var dirs []string
	for i := range 4 {
		dirs = append(dirs, p.run(100+i, 1))
	}
	var all sync.WaitGroup
	for range 3 {
		for _, dir := range dirs {
			all.Add(1)
			go func() {
				defer all.Done()
				var out, errs bytes.Buffer
				if status := run(context.Background(), []string{"gate", "--store", p.store, dir, "--save", "--first", "pass", "-q"}, &out, &errs); status != statusOK &&
					!(status == statusNotJudged && strings.Contains(errs.String(), "holds the candidate alone")) { // of two that write one run the later may find it
					t.Errorf("exit %d: %s", status, errs.String())
				}
			}()
		}
	}
	all.Wait()
	if names := p.names(); len(names) != 4 {
		t.Errorf("got %v", names)
	}
	mustRun(t, statusOK, "history", p.store)
}

// TestStoreUndated: runs that do not say when they began stand in the order in which they
// were saved.
func TestStoreUndated(t *testing.T) {
	p := newProject(t)
	var status, failed int
	var out, stderr string
	for i := range 12 {
		scale := map[bool]float64{true: 1, false: 1.12}[i < 6]
		run := withSQL(t, p.run(100+i, scale), "update TARGET_INFO_SESSION_START_TIME set utcEpochNs = 0")
		if status, out, stderr = p.gate(run, "--save", "--first", "pass"); !strings.Contains(stderr, fmt.Sprintf("saved %06d-", i+1)) {
			t.Fatalf("run %d: got %s", i, stderr)
		}
		if status == statusRegressed {
			failed++
		}
	}
	text, _ := mustRun(t, statusOK, "history", p.store)
	if text = strings.Join(strings.Fields(text), " "); failed != 1 || !strings.Contains(text, "+1") || !strings.Contains(text, "between 000006-") || !strings.Contains(text, " and 000007-") {
		t.Errorf("main failed %d times, the last exit %d: %s %s", failed, status, out, text)
	}
}

// TestOrigins: what is said of a run is kept in its summary; what a summary says that was
// made by somebody else is no link but to a page.
func TestOrigins(t *testing.T) {
	p := newProject(t)
	main, cand, out := filepath.Join(p.dir, "main.perfdiff"), p.run(2, 1), filepath.Join(p.dir, "r")
	mustRun(t, statusOK, "summarize", p.run(1, 1), "-q", "-o", main, "--label", "*nightly* <b>", "--commit", "0123456789abcdef", "--link", "https://example.org/1")
	text, _ := mustRun(t, statusOK, main, cand, "--table", "-o", out+".md", "-o", out+".html", "-o", out+".json")
	if !strings.Contains(strings.Join(strings.Fields(text), " "), "commit 012345678 (*nightly* <b>)") {
		t.Errorf("got %s", text)
	}
	for ext, want := range map[string]string{".md": `| from | [commit 012345678 (\*nightly\* &lt;b&gt;)](<https://example.org/1>) | – |`, ".html": "(*nightly* &lt;b&gt;)</a>", ".json": `"commit": "0123456789abcdef"`} {
		if text, err := os.ReadFile(out + ext); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%s lacks %q (%v)", ext, want, err)
		}
	}
	set, err := analyze.Load(context.Background(), main, analyze.Options{})
	if err != nil {
		t.Fatal(err)
	}
	set.Runs[0].Origin = analyze.Origin{Label: "a\n::error::b", Commit: "x", Link: "javascript:alert(1)"}
	data, err := analyze.Summary(set)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, main, string(data))
	text, _ = mustRun(t, statusOK, main, cand, "-o", out+".html", "-o", out+".md")
	page, err := os.ReadFile(out + ".html")
	comment, err2 := os.ReadFile(out + ".md")
	if all := text + string(page) + string(comment); err != nil || err2 != nil || strings.Contains(all, "::error") || strings.Contains(all, "alert(1)") {
		t.Errorf("a foreign summary is believed (%v, %v)", err, err2)
	}
	for flag, want := range map[string]string{"--label=": `--label "": is empty`, "--commit=main": `--commit "main": is no commit`, "--link=ftp://x.org/": "no address of a page", "--link=https://u:p@x.org/": "a user or a password"} {
		if _, stderr := mustRun(t, statusError, "summarize", cand, "-o", out+".perfdiff", flag); !strings.Contains(stderr, want) {
			t.Errorf("%s: got %s want %q", flag, stderr, want)
		}
	}
}
