//go:build unix

package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"perfdiff/analyze/synth"
)

// scripts are the shell commands of a pipeline, in order.
func scripts(t *testing.T, path string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.HasSuffix(path, "Jenkinsfile") {
		if n := bytes.Count(text, []byte("{")); n == 0 || n != bytes.Count(text, []byte("}")) || bytes.Count(text, []byte("'''"))%2 != 0 {
			t.Errorf("%s: brackets or quotes do not match", path)
		}
		var out []string
		for _, m := range regexp.MustCompile(`(?s)sh '''(.*?)'''|sh '([^'\n]+)'`).FindAllSubmatch(text, -1) {
			out = append(out, string(m[1])+string(m[2]))
		}
		return out
	}
	var doc any
	if err := yaml.UnmarshalWithOptions(text, &doc, yaml.Strict()); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return commandsIn(doc)
}

// commandsIn are what is under run and script in a document, in the order of
// the file.
func commandsIn(v any) (out []string) {
	switch v := v.(type) {
	case map[string]any:
		for _, key := range []string{"save-main", "gate", "jobs", "comment", "runs", "steps", "run", "script"} {
			switch x := v[key].(type) {
			case string:
				out = append(out, x)
			case []any:
				if key == "script" {
					for _, line := range x {
						out = append(out, line.(string))
					}
					continue
				}
				out = append(out, commandsIn(x)...)
			default:
				out = append(out, commandsIn(x)...)
			}
		}
	case []any:
		for _, x := range v {
			out = append(out, commandsIn(x)...)
		}
	}
	return out
}

// shell runs a script of bash as build servers do.
func shell(t *testing.T, script, dir string, env ...string) (status int, output string) {
	t.Helper()
	cmd := exec.Command("bash", "-e", "-o", "pipefail", "-c", script)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

// TestPipelines runs the commands of each pipeline, of main and then of a pull
// request, in a directory where profile.sh gives profiles of a story.
func TestPipelines(t *testing.T) {
	bin := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", filepath.Join(bin, "perfdiff"), ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	story := writeStory(t, "lost-overlap", synth.Nsight)
	for _, name := range []string{"github.yml", "gitlab-ci.yml", "Jenkinsfile"} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			env := []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "GITHUB_SHA=0123456789abcdef", "CI_COMMIT_SHORT_SHA=0123456", "BUILD_NUMBER=7"}
			record := func(side string) {
				writeFile(t, filepath.Join(dir, "profile.sh"), "#!/bin/sh\nrm -rf \"$1\"; cp -r '"+filepath.Join(story, side)+"' \"$1\"\n")
				if err := os.Chmod(filepath.Join(dir, "profile.sh"), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			record("baseline")
			regressed := false
			for _, script := range scripts(t, filepath.Join(root, ".github/examples", name)) {
				gate := strings.Contains(script, "perfdiff perf/main.perfdiff")
				if gate { // a pull request records runs of its own
					record("candidate")
					shell(t, "./profile.sh profiles", dir, env...)
				}
				status, out := shell(t, script, dir, env...)
				if want := map[bool]int{true: statusRegressed}[gate]; status != want {
					t.Errorf("%s: exit %d want %d: %s", script, status, want, out)
				}
				regressed = regressed || gate
			}
			if kept, _ := filepath.Glob(filepath.Join(dir, "perf/history/*.perfdiff")); len(kept) != 1 {
				t.Errorf("got %v in the history want one summary", kept)
			}
			if name != "github.yml" && !regressed {
				t.Error("no gate was found")
			}
		})
	}
}

// TestAction runs the comparison of the composite action.
func TestAction(t *testing.T) {
	all := scripts(t, filepath.Join(root, ".github/actions/perfdiff/action.yml"))
	if len(all) != 2 {
		t.Fatalf("got %d scripts want a build and a comparison", len(all))
	}
	dir, story := t.TempDir(), writeStory(t, "lost-overlap", synth.Nsight)
	here, err := filepath.Abs(filepath.Join(root, ".github/actions/perfdiff"))
	if err != nil {
		t.Fatal(err)
	}
	env := []string{"RUNNER_TEMP=" + dir, "GITHUB_ACTION_PATH=" + here, "GITHUB_OUTPUT=" + filepath.Join(dir, "output"),
		"GITHUB_STEP_SUMMARY=" + filepath.Join(dir, "summary.md"), "GITHUB_ACTIONS=true",
		"BASELINE=" + filepath.Join(story, "baseline"), "CANDIDATE=" + filepath.Join(story, "candidate"),
		"HISTORY=", "POLICY=", "FLAGS=--fail-on regressed,missing-rank --quiet", "REPORTS=" + filepath.Join(dir, "re ports")}
	if status, out := shell(t, all[0], dir, env...); status != 0 {
		t.Fatalf("build: %s", out)
	}
	status, out := shell(t, all[1], dir, env...)
	if status != statusRegressed || !strings.Contains(out, "::error title=perfdiff%3A regressed::") {
		t.Errorf("got exit %d want %d: %s", status, statusRegressed, out)
	}
	if text, _ := os.ReadFile(filepath.Join(dir, "output")); string(text) != "status=1\n" {
		t.Errorf("outputs: got %q", text)
	}
	for _, name := range []string{"report.html", "report.json", "comment.md", "junit.xml", "../summary.md"} {
		if st, err := os.Stat(filepath.Join(dir, "re ports", name)); err != nil || st.Size() == 0 {
			t.Errorf("%s was not written: %v", name, err)
		}
	}
}

// TestCommentPipeline: the text of the comment comes from perfdiff alone.
func TestCommentPipeline(t *testing.T) {
	all := scripts(t, filepath.Join(root, ".github/examples/github-comment.yml"))
	if len(all) != 1 || !strings.Contains(all[0], "perfdiff-report/comment.md") {
		t.Errorf("got %q", all)
	}
	if status, out := shell(t, "bash -n <<'EOF'\n"+all[0]+"\nEOF", t.TempDir()); status != 0 {
		t.Errorf("syntax: %s", out)
	}
}
