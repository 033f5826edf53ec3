package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// copyOf copies the store to one of another name, which is the project's then.
func (p *project) copyOf(name string) *project {
	p.Helper()
	other := *p
	other.store = filepath.Join(p.dir, name)
	if err := os.CopyFS(other.store, os.DirFS(p.store)); err != nil {
		p.Fatal(err)
	}
	return &other
}

// TestStoreInputs holds the exit status and the first line of everything that a store and a
// candidate can be.
func TestStoreInputs(t *testing.T) {
	p := newProject(t)
	for i := range 6 {
		p.push(100+i, 1)
	}
	same, slow := p.run(200, 1), p.run(201, 1.2)
	wide := *p
	wide.ranks = 4
	four := wide.run(202, 1)
	bare := withSQL(t, same, withoutRanges)
	renamed := withSQL(t, same, "update NVTX_EVENTS set text = 'iteration ' || substr(text, 6) where text like 'step %'")

	damaged := p.copyOf("damaged")
	writeFile(t, filepath.Join(damaged.store, "20230101T000000Z-000000000000.perfdiff"), "perfdiff summary 3\nabc")
	writeFile(t, filepath.Join(damaged.store, ".perfdiff-1"), "being written")
	broken := p.copyOf("broken")
	for _, name := range broken.names() {
		writeFile(t, filepath.Join(broken.store, name), "perfdiff summary 3\nabc")
	}
	half, last := p.copyOf("half"), p.copyOf("last")
	for i, name := range p.names() {
		for _, of := range []*project{half, last} {
			if path := filepath.Join(of.store, name); of == half && i < 3 || of == last && i == 5 {
				if err := os.Truncate(path, 3000); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	one := p.copyOf("one")
	for _, name := range one.names()[1:] {
		if err := os.Remove(filepath.Join(one.store, name)); err != nil {
			t.Fatal(err)
		}
	}
	mixed := p.copyOf("mixed")
	mustRun(t, statusOK, "summarize", four, "-q", "-o", filepath.Join(mixed.store, "other-job.perfdiff"))
	other := *p
	other.store = filepath.Join(p.dir, "other")
	mustRun(t, statusNotJudged, "gate", "--store", other.store, four, "--save", "-q")
	within, itself := p.copyOf("within"), *p
	mustRun(t, statusOK, "summarize", same, "-q", "-o", filepath.Join(within.store, "mine.perfdiff"))
	itself.store = filepath.Join(p.dir, "itself")
	if err := os.Mkdir(itself.store, 0o755); err != nil {
		t.Fatal(err)
	}
	mustRun(t, statusOK, "summarize", same, "-q", "-o", filepath.Join(itself.store, "mine.perfdiff"))
	empty, absent, file, profiles := *p, *p, *p, *p
	empty.store, absent.store, file.store, profiles.store = filepath.Join(p.dir, "empty"), filepath.Join(p.dir, "absent"), filepath.Join(p.dir, "file"), slow
	if err := os.Mkdir(empty.store, 0o755); err != nil {
		t.Fatal(err)
	}
	writeFile(t, file.store, "x")

	for _, tt := range []struct {
		name  string
		of    *project
		cand  string
		flags string
		want  int
		first string // the first line begins so
		say   string // it, or what follows, says
	}{
		{"unchanged", p, same, "", statusOK, "PASSED No slowdown seen", "runs differ by 1.15 %, as 6 past runs do"},
		{"20 % slower", p, slow, "", statusRegressed, "SLOWER Steps take 5.", "runs differ by 1.15 %, as 6 past runs do"},
		{"an empty store", &empty, same, "", statusNotJudged, "NOT JUDGED No run is in the store empty yet: nothing was compared.", "hint: keep a run of main first"},
		{"an empty store, the first passes", &empty, slow, "--first pass", statusOK, "FIRST RUN No run is in the store empty yet: nothing was compared; merge this", ""},
		{"an empty store, only warned of", &empty, slow, "--warn-only", statusNotJudged, "NOT JUDGED No run is in the store", ""},
		{"no store", &absent, same, "", statusNotJudged, "NOT JUDGED No run is in the store absent yet", "hint: keep a run"},
		{"no store, the first passes", &absent, same, "--first pass", statusOK, "FIRST RUN No run is in the store absent yet", ""},
		{"a store of one run", one, same, "", statusOK, "PASSED No slowdown seen", "runs differ by 1.5 %, as is assumed beside one past run"},
		{"a store of one run, slower", one, slow, "", statusRegressed, "SLOWER", ""},
		{"runs of another number of ranks", &other, same, "--first pass", statusNotJudged, "NOT COMPARABLE", "store no run of it is like the candidate"},
		{"a candidate of another number of ranks", p, four, "--first pass", statusNotJudged, "NOT COMPARABLE", "its number of ranks is 2, in the candidate it is 4"},
		{"some of another job", mixed, slow, "", statusRegressed, "SLOWER", "store 6 runs; left out: other-job: its number of ranks is 4, in the candidate it is 2"},
		{"steps of another name", p, renamed, "", statusOK, "PASSED No slowdown seen", `its step marker is range "step N", in the candidate it is range "iteration N"`},
		{"no step ranges", p, bare, "", statusNotJudged, "NOT", ""},
		{"a damaged file", damaged, slow, "", statusRegressed, "SLOWER", "20230101T000000Z-000000000000.perfdiff: left out of the store: the summary is damaged"},
		{"a damaged file, warnings fail", damaged, same, "--fail-on warning", statusRegressed, "NOT SURE No slowdown seen", "Gate failed, exit 1. There is 1 warning."},
		{"damaged files only", broken, same, "--first pass", statusNotJudged, "NOT JUDGED The newest run of the store cannot be read: 000006-20", "the summary is damaged"},
		{"half of it damaged", half, same, "", statusNotJudged, "NOT JUDGED 3 of the 6 runs of the store cannot be read: 00000", "hint: perfdiff history verify names what is damaged"},
		{"the newest damaged", last, same, "--first pass", statusNotJudged, "NOT JUDGED The newest run of the store cannot be read: 000006-20", "the summary is damaged"},
		{"a damaged file, --strict", damaged, same, "--strict", statusError, "perfdiff: error: store: 20230101T000000Z-000000000000.perfdiff: the summary is damaged", ""},
		{"the candidate in the store", within, same, "", statusOK, "PASSED No slowdown seen", "the candidate is in the store already, as mine"},
		{"the candidate alone in the store", &itself, same, "", statusNotJudged, "NOT JUDGED The store itself holds the candidate alone, as mine: nothing was compared.", "hint: record the candidate anew"},
		{"the candidate alone in the store, the first passes", &itself, same, "--first pass", statusNotJudged, "NOT JUDGED The store itself holds the candidate alone, as mine: nothing was compared.", "--first pass is for a store without runs"},
		{"a run of the store", p, filepath.Join(p.store, p.names()[5]), "", statusError, "perfdiff: error: candidate: 0000", "lies in the store"},
		{"a store in the candidate", &project{T: t, store: filepath.Join(slow, "perf")}, slow, "", statusError, "perfdiff: error: store: perf: lies in the candidate's directory", ""},
		{"a file for a store", &file, same, "", statusError, "perfdiff: error: store: file: is a file", "name the directory"},
		{"a file for a store, to save in", &file, same, "--save", statusError, "perfdiff: error: store: file: no run can be saved there", "leave --save out"},
		{"below a file", &project{T: t, store: filepath.Join(file.store, "perf")}, same, "--save", statusError, "perfdiff: error: store: perf: no run can be saved there: not a directory", ""},
		{"profiles for a store", &profiles, same, "--first pass", statusError, "perfdiff: error: store: ", "and no saved summary: is it the store?"},
		{"no candidate", p, filepath.Join(p.dir, "nowhere"), "", statusError, "perfdiff: error: candidate: ", "nowhere: no such file or directory"},
	} {
		status, out, stderr := tt.of.gate(tt.cand, append(strings.Fields(tt.flags), "--table")...)
		all := strings.TrimSpace(out + " " + stderr)
		if status != tt.want || !strings.HasPrefix(all, tt.first) || !strings.Contains(strings.Join(strings.Fields(all), " "), tt.say) {
			t.Errorf("%s: exit %d want %d, %q and %q: %s", tt.name, status, tt.want, tt.first, tt.say, all)
		}
	}
}

// TestStoreFirst: of a first run people are told in every place that they read, and it is
// kept whether it passes or not.
func TestStoreFirst(t *testing.T) {
	p := newProject(t)
	summary := filepath.Join(p.dir, "summary.md")
	t.Setenv("GITHUB_STEP_SUMMARY", summary)
	t.Setenv("GITHUB_ACTIONS", "true")
	comment := filepath.Join(p.dir, "comment.md")
	status, out, stderr := p.gate(p.run(100, 1), "--save", "-o", comment)
	if status != statusNotJudged || len(p.names()) != 1 || !strings.Contains(out, "::error title=perfdiff%3A not judged::no run is in the store perf yet") || !strings.Contains(stderr, "store: saved 0000") {
		t.Errorf("exit %d: %s %s", status, out, stderr)
	}
	for _, path := range []string{summary, comment} {
		if text, err := os.ReadFile(path); err != nil || !strings.HasPrefix(string(text), "### NOT JUDGED: ") {
			t.Errorf("%s: got %s (%v)", path, text, err)
		}
	}
	if status, out, _ := p.gate(p.run(101, 1), "-q"); status != statusOK {
		t.Errorf("the second: exit %d: %s", status, out)
	}
}

// TestStoreTracked: a store that a pull request brings along is warned of, in the tree of
// the candidate and in that of the working directory; one in a checkout of its own is not.
func TestStoreTracked(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	p := newProject(t)
	for i := range 2 {
		p.push(100+i, 1)
	}
	cand := p.run(200, 1)
	tree := filepath.Join(p.dir, "tree")
	git := func(dir string, args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=a", "-c", "user.email=a@b"}, args...)...)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	inTree := p.copyOf("tree/perf")
	git(tree, "init", "--quiet")
	t.Chdir(tree)
	if _, out, _ := inTree.gate(cand); strings.Contains(out, "part of the tree") {
		t.Errorf("a store that is not tracked: got %s", out)
	}
	git(tree, "add", "perf")
	const tracked = "perf: the store is part of the tree that is checked out (3 files of it), where a pull request can edit what it is judged by"
	if _, _, stderr := inTree.gate(cand, "-q"); !strings.Contains(stderr, tracked) {
		t.Errorf("a store that is tracked: got %s", stderr)
	}
	t.Setenv("GIT_DIR", filepath.Join(p.dir, "of-a-hook"))
	if _, _, stderr := inTree.gate(cand, "-q"); !strings.Contains(stderr, tracked) {
		t.Errorf("in a hook of another repository: got %s", stderr)
	}
	if err := os.Unsetenv("GIT_DIR"); err != nil {
		t.Fatal(err)
	}
	git(tree, "commit", "--quiet", "-m", "x")
	git(tree, "worktree", "add", "--quiet", filepath.Join(p.dir, "second"))
	t.Chdir(filepath.Join(p.dir, "second"))
	further := *p
	further.store = filepath.Join(p.dir, "second", "perf")
	if _, _, stderr := further.gate(cand, "-q"); !strings.Contains(stderr, "part of the tree") {
		t.Errorf("in a further work tree: got %s", stderr)
	}
	if _, _, stderr := inTree.gate(cand, "-q"); strings.Contains(stderr, "part of the tree") {
		t.Errorf("in a checkout of its own: got %s", stderr)
	}
	t.Chdir(tree)
	t.Setenv("PATH", "")
	if _, _, stderr := inTree.gate(cand, "-q"); strings.Contains(stderr, "part of the tree") {
		t.Errorf("without git: got %s", stderr)
	}
}
