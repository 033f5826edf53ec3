//go:build unix

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
	"perfdiff/cmd/perfdiff/policyfile"
	"perfdiff/testdata"
)

// workplace is where the commands of a pipeline run: a directory, programs that
// stand in for those of a build server, and what it keeps between jobs.
type workplace struct {
	*testing.T
	dir, bin, cache, artifacts string
	runs                       string            // of a story, as profile.sh gives them
	origin                     string            // the repository, whose main has mainPolicy
	tree                       map[string]string // what a checkout holds, by path
	builds                     int
	env                        []string
}

func newWorkplace(t *testing.T, bin, runs string) *workplace {
	t.Helper()
	w := &workplace{T: t, dir: filepath.Join(t.TempDir(), "checkout"), bin: t.TempDir(), cache: filepath.Join(t.TempDir(), "cache"), artifacts: filepath.Join(t.TempDir(), "artifacts"), runs: runs}
	w.env = []string{"PATH=" + w.bin + ":" + bin + ":" + os.Getenv("PATH"), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null"}
	w.origin = filepath.Join(t.TempDir(), "origin")
	w.repository(w.origin, map[string]string{policyfile.Name: mainPolicy, "ci/perf.yaml": "threshold: 4%\n"})
	w.git(w.origin, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "-m", "main")
	w.fresh("")
	return w
}

// mainPolicy is what the policy file of main says; theirPolicies are what pull requests bring.
const mainPolicy = "threshold: 3%\n"

var theirPolicies = []string{
	"gating: [imbalance]\nwithout_step_time: true\n", "waivers: [{metric: step_time, up_to: 7%, reason: x, owner: me, expires: 2999-12-31}]\nfail_on: [missing-rank]\n", "no policy at all",
}

// repository makes a directory with files that git tracks.
func (w *workplace) repository(dir string, files map[string]string) {
	w.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		w.Skip("git is not installed")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		w.Fatal(err)
	}
	w.git(dir, "init", "--quiet", "--initial-branch=main")
	for path, text := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, path)), 0o755); err != nil {
			w.Fatal(err)
		}
		writeFile(w.T, filepath.Join(dir, path), text)
		w.git(dir, "add", "--force", path)
	}
}

func (w *workplace) git(dir string, args ...string) {
	w.Helper()
	cmd := exec.Command("git", append([]string{"-C", dir}, args...)...)
	cmd.Env = append(os.Environ(), w.env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		w.Fatalf("git %v: %v: %s", args, err, out)
	}
}

// fresh empties the directory but for the profiles of an earlier build, checks the tree out,
// and has profile.sh give a run.
func (w *workplace) fresh(run string) {
	w.Helper()
	if err := errors.Join(os.RemoveAll(w.dir), os.MkdirAll(w.dir, 0o755)); err != nil {
		w.Fatal(err)
	}
	w.builds++
	w.env = append(w.env, "CI_COMMIT_SHA="+w.commit(), "GIT_COMMIT="+w.commit(), "CI_PIPELINE_URL=https://gitlab/builds/7", "BUILD_URL=https://jenkins/builds/7")
	w.repository(w.dir, w.tree)
	w.git(w.dir, "remote", "add", "origin", w.origin)
	w.copy(filepath.Join(w.runs, "baseline/run8"), filepath.Join(w.dir, "profiles/earlier"))
	side, first, _ := strings.Cut(run, "/run") // the next ones come after it
	w.program(filepath.Join(w.dir, "profile.sh"), "mkdir -p \"$1\"\ncp -r '"+filepath.Join(w.runs, side)+"/run'$(("+first+" + ${1##*run} - 1))/. \"$1\"")
}

// commit is that of the build.
func (w *workplace) commit() string { return fmt.Sprintf("%040d", w.builds) }

// loseStore loses what is kept between jobs, as caches are evicted.
func (w *workplace) loseStore() {
	w.Helper()
	if err := errors.Join(os.RemoveAll(w.cache), os.RemoveAll(w.artifacts)); err != nil {
		w.Fatal(err)
	}
}

// program writes a shell script that can be run.
func (w *workplace) program(path, script string) {
	w.Helper()
	if err := os.WriteFile(path, []byte("#!/bin/sh\nset -e\n"+script+"\n"), 0o755); err != nil {
		w.Fatal(err)
	}
}

// copy copies a directory into another one, if it is there.
func (w *workplace) copy(from, to string) {
	w.Helper()
	if _, err := os.Stat(from); err != nil {
		return
	}
	if err := errors.Join(os.RemoveAll(to), os.MkdirAll(filepath.Dir(to), 0o755), os.CopyFS(to, os.DirFS(from))); err != nil {
		w.Fatal(err)
	}
}

// shell runs a script as build servers do: those of GitHub and GitLab with
// bash, Jenkins with sh.
func (w *workplace) shell(script string, with []string, env ...string) (status int, output string) {
	w.Helper()
	cmd := exec.Command(with[0], append(with[1:], "-c", script)...)
	cmd.Dir, cmd.Env = w.dir, append(append(os.Environ(), w.env...), env...)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		w.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

var bash = []string{"bash", "-e", "-o", "pipefail"}

// server is a kind of build server: it runs the pipeline of a push to main, and
// that of a pull request.
type server interface {
	push() (status int, output string)
	request() (status int, output string)
	store() string // where its last job had the runs of main
}

// TestPipelines runs the commands of each pipeline as they are used: a pull
// request before anything was pushed, six pushes, then a pull request that
// changes nothing, one that is slower, which three runs decide, and one after the runs of
// main were lost.
func TestPipelines(t *testing.T) {
	bin := buildPerfdiff(t)
	runs := mainRuns(t)
	for name, of := range map[string]func(*workplace) server{"github": newGitHub, "gitlab": newGitLab, "gitlab fork": newGitLabFork, "jenkins": newJenkins} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorkplace(t, bin, runs)
			s := of(w)
			request := func(run string, want int, say ...string) {
				t.Helper()
				w.fresh(run)
				status, out := s.request()
				for _, text := range say {
					if status != want || !strings.Contains(strings.Join(strings.Fields(out), " "), text) {
						t.Errorf("request of %s: exit %d want %d and %q: %s", run, status, want, text, out)
					}
				}
			}
			empty, hint := statusNotJudged, "hint: keep a run of main first, on main"
			if name == "github" { // whose example is not red before main has a run
				empty, hint = statusOK, "FIRST RUN"
			}
			request("baseline/run1", empty, "No run is in the store", hint)
			w.tree = map[string]string{policyfile.Name: mainPolicy}
			for i, run := range []string{"run1", "run2", "run3", "run4", "run5", "run6"} {
				w.fresh("baseline/" + run)
				status, out := s.push()
				if status != statusOK || !strings.Contains(out, "store: saved 0000") {
					t.Fatalf("push: exit %d: %s", status, out)
				}
				if kept, _ := filepath.Glob(filepath.Join(s.store(), "*.perfdiff")); len(kept) != i+1 {
					t.Errorf("after %d pushes: got %v in the store", i+1, kept)
				}
			}
			request("baseline/run7", statusOK, "UNCHANGED", "6 and 1 run of 4 ranks", "as 6 past runs do")
			for _, theirs := range theirPolicies {
				w.tree = map[string]string{policyfile.Name: theirs}
				request("candidate/run1", statusRegressed, "it looks slower: two more runs are recorded", "SLOWER", "policy: perfdiff.yaml and flags (step_time tolerance 3 %, asks for more runs)", "3 runs")
			}
			w.loseStore()
			request("baseline/run7", empty, "No run is in the store")
		})
	}
}

// mainRuns are eight runs of a job on either side of a change.
func mainRuns(t *testing.T) string {
	t.Helper()
	text, err := testdata.Story("lost-overlap")
	if err != nil {
		t.Fatal(err)
	}
	story, err := synth.Parse("pipelines", []byte(strings.Replace(string(text), "ranks:", "runs: 8\nranks:", 1)))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if _, err := story.Write(t.Context(), dir, synth.Nsight); err != nil {
		t.Fatal(err)
	}
	return dir
}

func buildPerfdiff(t *testing.T) string {
	t.Helper()
	bin := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", filepath.Join(bin, "perfdiff"), ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return bin
}

// TestReadmeGate runs the lines of the topic ci that gate a change, with a program
// that ends as perfdiff does: only what was judged and did not regress passes.
func TestReadmeGate(t *testing.T) {
	script := regexp.MustCompile(`(?m)^    status=0\n(?:    .*\n)+`).FindString(topicText("ci"))
	if !strings.Contains(script, "perfdiff baseline/ candidate/") {
		t.Fatalf("the topic ci has no lines that gate a change: got %q", script)
	}
	w := newWorkplace(t, t.TempDir(), t.TempDir())
	w.program(filepath.Join(w.bin, "perfdiff"), `exit "$STATUS"`)
	for status, say := range map[int]string{statusOK: "", statusRegressed: "", statusError: "", statusNotJudged: "nothing could be judged", statusMoreRuns: "three runs per side"} {
		got, out := w.shell(script, bash, "STATUS="+string(rune('0'+status)))
		if got != status || !strings.Contains(out, say) || say == "" && out != "" {
			t.Errorf("perfdiff ends with %d: the gate with %d: %s", status, got, out)
		}
	}
}
