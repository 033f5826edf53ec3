//go:build unix

package main

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"perfdiff/cmd/perfdiff/policyfile"
)

// workflow is as much of a workflow, or of an action, as the tests run.
type workflow struct {
	Inputs map[string]struct{ Default string }
	Jobs   map[string]struct{ Steps []workStep }
	Runs   struct{ Steps []workStep }
}

type workStep struct {
	ID   string
	If   string
	Uses string
	Run  string
	Env  map[string]string
	With map[string]string
}

func readWorkflow(t *testing.T, path string) workflow {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatal(err)
	}
	var doc workflow
	if err := yaml.Unmarshal(text, &doc); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return doc
}

// gitHub runs the steps of workflows in the workplace.
type gitHub struct {
	*workplace
	values map[string]string // of expressions
}

func newGitHub(w *workplace) server { return &gitHub{w, nil} }

func (g *gitHub) push() (int, string)    { return g.event("push") }
func (g *gitHub) request() (int, string) { return g.event("pull_request") }

func (g *gitHub) store() string { return filepath.Join(g.dir, "perf") }

func (g *gitHub) event(name string) (int, string) {
	g.Helper()
	number := map[bool]string{true: "12"}[name == "pull_request"]
	g.values = map[string]string{policyRef: "main", baseRef: "main", "github.event.repository.default_branch": "main", "steps.room.outputs.older": "", "github.event_name": name, "github.run_id": "77", "github.run_attempt": "1", commitOf: g.commit(),
		"github.event.pull_request.number": number, onMain: fmt.Sprint(name == "push")}
	g.env = append(g.env, "GITHUB_ACTIONS=true", "GITHUB_OUTPUT="+filepath.Join(g.dir, "output"), "GITHUB_PATH="+filepath.Join(g.dir, "path"), "GITHUB_STEP_SUMMARY="+filepath.Join(g.dir, "summary.md"),
		"GITHUB_SERVER_URL=https://github.com", "GITHUB_REPOSITORY=o/r", "GITHUB_RUN_ID=77")
	status, out := g.steps(readWorkflow(g.T, ".github/examples/github.yml").Jobs["gate"].Steps)
	if name == "pull_request" {
		for _, file := range []string{"comment.md", "pull-request.txt"} {
			if text, err := os.ReadFile(filepath.Join(g.artifacts, "perfdiff-report", file)); err != nil || len(text) == 0 {
				g.Errorf("%s was not handed over: %v", file, err)
			}
		}
		summary, _ := os.ReadFile(filepath.Join(g.dir, "summary.md"))
		out += string(summary) // what people read
	}
	return status, out
}

// steps runs steps one after the other; after one that fails only those that
// always run.
func (g *gitHub) steps(steps []workStep) (status int, output string) {
	g.Helper()
	for _, s := range steps {
		if status != 0 && !strings.HasPrefix(s.If, "always()") || !g.holds(s.If) {
			continue
		}
		out, got := "", 0
		if s.Run != "" {
			var env []string
			for k, v := range s.Env {
				env = append(env, k+"="+g.filled(v))
			}
			got, out = g.shell(g.filled(s.Run), bash, env...)
			g.outputs(s.ID)
		} else {
			got, out = g.use(s)
		}
		if status == 0 {
			status = got
		}
		output += out
	}
	return status, output
}

// outputs takes what a step has set.
func (g *gitHub) outputs(id string) {
	g.Helper()
	path := filepath.Join(g.dir, "output")
	text, err := os.ReadFile(path)
	if err != nil {
		return // it set nothing
	}
	for line := range strings.Lines(string(text)) {
		if name, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok {
			g.values["steps."+id+".outputs."+name] = value
		}
	}
	if err := os.Remove(path); err != nil {
		g.Fatal(err)
	}
}

// onMain and commitOf are whether a run is one of main, and which commit it is of, as
// expressions.
const (
	onMain   = `contains(fromJSON('["push","workflow_dispatch","schedule"]'), github.event_name) && github.ref == format('refs/heads/{0}', github.event.repository.default_branch)`
	commitOf = "github.event.pull_request.head.sha || github.sha"
)

// policyRef is the branch whose policy counts, as an expression.
const policyRef = "inputs.policy-ref || github.base_ref || github.event.merge_group.base_ref || github.event.repository.default_branch"

// baseRef is the branch that is merged into, or that a run is of, as an expression.
const baseRef = "github.base_ref || github.event.merge_group.base_ref || github.ref_name"

// TestActionKeys: each branch that is merged into has its own runs in the cache.
func TestActionKeys(t *testing.T) {
	step := stepCalled(t, readWorkflow(t, ".github/actions/perfdiff/action.yml").Runs.Steps, "room")
	for base, want := range map[string]string{
		"main": "key=perfdiff-x:main:\nolder=perfdiff-x-\n", "refs/heads/main": "key=perfdiff-x:main:\n", "main-2": "key=perfdiff-x:main-2:\n",
	} {
		w := newWorkplace(t, t.TempDir(), t.TempDir())
		w.fresh("")
		output := filepath.Join(t.TempDir(), "output")
		status, out := w.shell(step.Run, bash, "GITHUB_OUTPUT="+output, "NAME=x", "BASE="+base, "DEFAULT=main", "STORE=perf", "CACHE=true", "REPORTS=r")
		if text, _ := os.ReadFile(output); status != 0 || string(text) != want {
			t.Errorf("%s: exit %d, %s: got %q want %q", base, status, out, text, want)
		}
	}
}

// use stands in for actions.
func (g *gitHub) use(s workStep) (status int, output string) {
	g.Helper()
	name, _, _ := strings.Cut(s.Uses, "@")
	switch name {
	case "actions/checkout", "actions/setup-go":
	case "actions/cache/restore":
		key := g.filled(s.With["key"])
		if restored, _, _ := strings.Cut(g.filled(s.With["restore-keys"]), "\n"); restored == "" || !strings.HasPrefix(key, restored) {
			g.Errorf("%s is saved and %s restored", key, restored)
		}
		g.copy(g.cache, filepath.Join(g.dir, g.filled(s.With["path"])))
	case "actions/cache/save":
		g.copy(filepath.Join(g.dir, g.filled(s.With["path"])), g.cache)
	case "actions/upload-artifact":
		path := g.filled(s.With["path"])
		if !filepath.IsAbs(path) {
			path = filepath.Join(g.dir, path)
		}
		g.copy(path, filepath.Join(g.artifacts, g.filled(s.With["name"])))
	case "your-org/perfdiff/.github/actions/perfdiff":
		return g.action(s.With)
	default:
		g.Fatalf("the test does not know %s", s.Uses)
	}
	return 0, ""
}

// action runs the composite action with inputs; the program is built already.
func (g *gitHub) action(with map[string]string) (int, string) {
	g.Helper()
	doc := readWorkflow(g.T, ".github/actions/perfdiff/action.yml")
	for key := range with {
		if _, ok := doc.Inputs[key]; !ok {
			g.Errorf("the action has no input %q", key)
		}
	}
	for key, in := range doc.Inputs {
		value, given := with[key]
		if !given {
			value = in.Default
		}
		g.values["inputs."+key] = value
	}
	steps := doc.Runs.Steps
	for i := range steps {
		if strings.HasPrefix(steps[i].Run, "go build") {
			steps[i].Run = `mkdir -p "$RUNNER_TEMP/perfdiff-bin" && ln -sf "$(command -v perfdiff)" "$RUNNER_TEMP/perfdiff-bin/perfdiff"`
		}
	}
	here, err := filepath.Abs(filepath.Join(root, ".github/actions/perfdiff"))
	if err != nil {
		g.Fatal(err)
	}
	g.env = append(g.env, "RUNNER_TEMP="+filepath.Dir(g.cache), "GITHUB_ACTION_PATH="+here)
	return g.steps(steps)
}

var expression = regexp.MustCompile(`\$\{\{ *(.*?) *\}\}`)

// filled is text with the values of its expressions.
func (g *gitHub) filled(text string) string {
	return expression.ReplaceAllStringFunc(text, func(s string) string {
		name := expression.FindStringSubmatch(s)[1]
		v, ok := g.values[name]
		if !ok {
			g.Fatalf("the test does not know %s", s)
		}
		return v
	})
}

var condition = regexp.MustCompile(`^([a-z_.]+) ([!=]=) '([^']*)'$`)

// holds evaluates the condition of a step.
func (g *gitHub) holds(text string) bool {
	g.Helper()
	for part := range strings.SplitSeq(text, " && ") {
		if part == "" || part == "always()" {
			continue
		}
		m := condition.FindStringSubmatch(part)
		if m == nil {
			g.Fatalf("the test does not know the condition %q", text)
		}
		if (g.values[m[1]] == m[3]) != (m[2] == "==") {
			return false
		}
	}
	return true
}

// TestAction runs the composite action as it is, built by itself.
func TestAction(t *testing.T) {
	runs := mainRuns(t)
	w := newWorkplace(t, t.TempDir(), runs)
	here, err := filepath.Abs(filepath.Join(root, ".github/actions/perfdiff"))
	if err != nil {
		t.Fatal(err)
	}
	steps := readWorkflow(t, ".github/actions/perfdiff/action.yml").Runs.Steps
	text, err := os.ReadFile(filepath.Join(here, "action.yml"))
	for _, path := range []string{"github.action_path", "runner.temp", "github.workspace", "go-version-file:"} { // the host's, which a container does not have
		if err != nil || strings.Contains(string(text), path) {
			t.Errorf("the action uses %s (%v)", path, err)
		}
	}
	temp := t.TempDir()
	w.env = append(w.env, "GITHUB_ACTION_PATH="+here, "GITHUB_ACTIONS=true", "RUNNER_TEMP="+temp, "GITHUB_PATH="+filepath.Join(temp, "path"), "GITHUB_OUTPUT="+filepath.Join(temp, "output"),
		"GITHUB_SERVER_URL=https://github.com", "GITHUB_REPOSITORY=o/r", "GITHUB_RUN_ID=77", "COMMIT="+w.commit())
	for id, want := range map[string]string{"go": "version=1.", "build": "", "path": "binary=" + filepath.Join(temp, "perfdiff-bin/perfdiff")} {
		if status, out := w.shell(stepCalled(t, steps, id).Run, bash); status != 0 {
			t.Fatalf("%s: %s", id, out)
		}
		if text, _ := os.ReadFile(filepath.Join(temp, "output")); want != "" && !strings.Contains(string(text), want) {
			t.Errorf("%s: got outputs %s want %s", id, text, want)
		}
	}
	if text, _ := os.ReadFile(filepath.Join(temp, "path")); string(text) != filepath.Join(temp, "perfdiff-bin")+"\n" {
		t.Errorf("PATH: got %s", text)
	}
	store, none := filepath.Join(temp, "store"), filepath.Join(temp, "none")
	for _, run := range []string{"run1", "run2", "run3", "run4", "run5", "run6"} {
		mustRun(t, statusOK, "gate", "--store", store, filepath.Join(runs, "baseline", run), "-q", "--save", "--first", "pass")
	}
	policy := filepath.Join(t.TempDir(), "empty.yaml")
	writeFile(t, policy, "")
	gateStep := stepCalled(t, steps, "gate")
	for i, tt := range []struct {
		name, candidate, store, flags, first, main string
		want                                       int
		say                                        string
	}{
		{"slower", "candidate/run1", store, "--fail-on regressed,warning --quiet", "", "false", statusRegressed, "::error title=perfdiff%3A regressed::"},
		{"unchanged", "baseline/run7", store, "", "", "false", statusOK, "::"}, {"only warns", "candidate/run1", store, "--warn-only", "", "false", statusOK, "::warning title=perfdiff%3A regressed"},
		{"no runs yet", "baseline/run7", none, "", "", "false", statusNotJudged, "::error title=perfdiff%3A not judged::no run is in the store none yet"},
		{"no runs yet, and that passes", "baseline/run7", none, "", "pass", "false", statusOK, "::warning title=perfdiff%3A first run::"},
		{"the first of main", "baseline/run7", none, "", "", "true", statusOK, "store: saved 0000"}, {"no candidate", "nowhere", store, "", "", "false", statusError, "nowhere: no such file"},
	} {
		out := filepath.Join(t.TempDir(), "re ports")
		status, text := w.shell(gateStep.Run, bash, "GITHUB_OUTPUT="+out+".txt", "GITHUB_STEP_SUMMARY="+out+".md", "REPORTS="+out, "POLICY="+policy, "STORE="+tt.store, "RECORD=", "SAVE=", "NUMBER=7",
			"CANDIDATE="+filepath.Join(runs, tt.candidate), "FLAGS="+tt.flags, "FIRST="+tt.first, "MAIN="+tt.main, fmt.Sprintf("COMMIT=%040x", i+1), // of its own: runs of one commit count together
			"PERFDIFF="+filepath.Join(temp, "perfdiff-bin/perfdiff"))
		if status != tt.want || !strings.Contains(text, tt.say) {
			t.Errorf("%s: exit %d want %d and %q: %s", tt.name, status, tt.want, tt.say, text)
		}
		if text, _ := os.ReadFile(out + ".txt"); !strings.HasSuffix(string(text), fmt.Sprintf("status=%d\n", tt.want)) || strings.Contains(string(text), "saved=true") != (tt.main == "true") {
			t.Errorf("%s: outputs: got %q", tt.name, text)
		}
		want := []string{"report.html", "report.json", "comment.md", "junit.xml", "pull-request.txt", "../re ports.md"}
		if tt.store == none {
			want = []string{"comment.md", "../re ports.md"}
		} else if tt.want == statusError {
			want = nil
		}
		for _, name := range want {
			if st, err := os.Stat(filepath.Join(out, name)); err != nil || st.Size() == 0 {
				t.Errorf("%s: %s was not written: %v", tt.name, name, err)
			}
		}
	}
}

// TestActionBinary: a binary is taken as it is said to be, or not at all.
func TestActionBinary(t *testing.T) {
	step := stepCalled(t, readWorkflow(t, ".github/actions/perfdiff/action.yml").Runs.Steps, "take")
	w := newWorkplace(t, t.TempDir(), t.TempDir())
	w.program(filepath.Join(w.bin, "curl"), `for last; do :; done
case "$*" in *"--output "*"/perfdiff-bin/perfdiff https://example.org/perfdiff") cp "$0" "$RUNNER_TEMP/perfdiff-bin/perfdiff" ;; *) exit 22 ;; esac`)
	local := filepath.Join(w.bin, "curl")
	content, err := os.ReadFile(local)
	if err != nil {
		t.Fatal(err)
	}
	sum := fmt.Sprintf("%x", sha256.Sum256(content))
	for _, tt := range []struct {
		binary, sum string
		want        int
		say         string
	}{
		{local, "", 0, ""}, {local, sum, 0, ""}, {"https://example.org/perfdiff", sum, 0, ""}, {"https://example.org/perfdiff", "", statusError, "needs its sha256"},
		{local, strings.Repeat("0", 64), statusError, "another checksum"}, {"https://example.org/other", sum, 22, ""}, {"/nowhere", "", 1, "nowhere"},
	} {
		temp := t.TempDir()
		status, out := w.shell(step.Run, bash, "RUNNER_TEMP="+temp, "BINARY="+tt.binary, "SHA256="+tt.sum)
		if status != tt.want || !strings.Contains(out, tt.say) {
			t.Errorf("%s: exit %d want %d: %s", tt.binary, status, tt.want, out)
		}
		if st, err := os.Stat(filepath.Join(temp, "perfdiff-bin/perfdiff")); tt.want == 0 && (err != nil || st.Mode()&0o111 == 0) {
			t.Errorf("%s: %v", tt.binary, err)
		}
	}
}

// stepCalled is the step of an id.
func stepCalled(t *testing.T, steps []workStep, id string) workStep {
	t.Helper()
	for _, s := range steps {
		if s.ID == id {
			return s
		}
	}
	t.Fatalf("no step %q", id)
	return workStep{}
}

// TestActionPolicy: the policy is what stands on the branch that is merged into, whatever the
// checkout holds and from wherever the action runs.
func TestActionPolicy(t *testing.T) {
	step := stepCalled(t, readWorkflow(t, ".github/actions/perfdiff/action.yml").Runs.Steps, "policy")
	if step.Env["REF"] != "${{ "+policyRef+" }}" {
		t.Errorf("REF: got %s", step.Env["REF"])
	}
	for _, tt := range []struct {
		name, policy, ref string
		status            int
		want              string // of the file, or said
	}{
		{"main's", "", "main", 0, mainPolicy}, {"as merge queues call it", "", "refs/heads/main", 0, mainPolicy}, {"another path", "ci/perf.yaml", "main", 0, "threshold: 4%\n"},
		{"none there", "", "bare", 0, ""}, {"named and not there", "ci/perf.yaml", "bare", statusError, "bare has no ci/perf.yaml"}, {"outside", "../../x.yaml", "main", statusError, "main has no ../../x.yaml"},
		{"no such branch", "", "nothing", statusError, "the policy of nothing cannot be fetched"}, {"the default branch", "", "", 0, ""},
	} {
		w := newWorkplace(t, t.TempDir(), t.TempDir())
		w.git(w.origin, "checkout", "--quiet", "--orphan", "bare")
		w.git(w.origin, "rm", "-r", "--quiet", "--force", ".")
		w.git(w.origin, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--allow-empty", "-m", "bare")
		w.tree = map[string]string{policyfile.Name: theirPolicies[0], "ci/perf.yaml": theirPolicies[0]}
		w.fresh("")
		output, config := filepath.Join(t.TempDir(), "output"), filepath.Join(t.TempDir(), "config")
		writeFile(t, config, "[safe]\n\tdirectory = "+filepath.Join(w.origin, ".git")+"\n") // the server is no matter here
		status, out := w.shell(step.Run, bash, "RUNNER_TEMP="+t.TempDir(), "GITHUB_OUTPUT="+output, "POLICY="+tt.policy, "REF="+tt.ref,
			"GIT_TEST_ASSUME_DIFFERENT_OWNER=1", "GIT_CONFIG_GLOBAL="+config) // as in a container, whose root does not own the checkout
		if tt.status != 0 {
			if _, err := os.Stat(output); status != tt.status || !strings.Contains(out, tt.want) || err == nil {
				t.Errorf("%s: exit %d: %s, output %v", tt.name, status, out, err)
			}
			continue
		}
		set, err := os.ReadFile(output)
		path := strings.TrimSpace(strings.TrimPrefix(string(set), "file="))
		text, err2 := os.ReadFile(path)
		if status != 0 || err != nil || err2 != nil || string(text) != tt.want || !filepath.IsAbs(path) {
			t.Errorf("%s: exit %d: %s; %s: %q (%v, %v) want %q", tt.name, status, out, path, text, err, err2, tt.want)
		}
	}
}
