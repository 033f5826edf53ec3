//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// gitLab runs the job of gitlab-ci.yml with what it extends. A fork has a cache of its own.
type gitLab struct {
	*workplace
	fork bool
	own  gitLabJob // of gitlab-ci.yml
	base gitLabJob // of gitlab-perfdiff.yml
}

type gitLabJob struct {
	Extends string
	Rules   []struct {
		If        string
		Variables map[string]string
	}
	Cache struct {
		Key       string
		Paths     []string
		Policy    string
		When      string
		Unprotect bool
	}
	Variables    map[string]string
	BeforeScript []string `yaml:"before_script"`
	Script       []string
	Artifacts    struct {
		Paths []string
		When  string
	}
}

func newGitLab(w *workplace) server     { return readGitLab(w, false) }
func newGitLabFork(w *workplace) server { return readGitLab(w, true) }

// readJobs reads the jobs of a pipeline.
func readJobs(w *workplace, path string) map[string]gitLabJob {
	w.Helper()
	text, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		w.Fatal(err)
	}
	var doc map[string]any
	if err := yaml.UnmarshalWithOptions(text, &doc, yaml.Strict()); err != nil {
		w.Fatal(err)
	}
	delete(doc, "include")
	jobs := map[string]gitLabJob{}
	if text, err = yaml.Marshal(doc); err == nil {
		err = yaml.Unmarshal(text, &jobs)
	}
	if err != nil {
		w.Fatal(err)
	}
	return jobs
}

func readGitLab(w *workplace, fork bool) server {
	w.Helper()
	own, base := readJobs(w, ".github/examples/gitlab-ci.yml")["gate"], readJobs(w, ".github/examples/gitlab-perfdiff.yml")[".perfdiff"]
	if own.Extends != ".perfdiff" || len(base.Script) == 0 {
		w.Fatalf("got %+v and %+v", own, base)
	}
	// The artifacts of main's job, as the server gives them: HTTP status and archive.
	w.program(filepath.Join(w.bin, "curl"), `for last; do :; done
if [ -n "$BROKEN" ]; then printf 502; exit 0; fi
case $last in
  https://gitlab/api/projects/1/jobs/artifacts/main/download\?job=gate) ;;
  *) echo "asked for $last" >&2; printf 400; exit 0 ;;
esac
if [ -d '`+w.artifacts+`' ]; then tar cf perf.zip -C '`+w.artifacts+`' .; printf 200; else printf 404; fi`)
	w.program(filepath.Join(w.bin, "unzip"), `[ "$3" = perf.zip ] && [ "$4" = 'perf/*' ] && tar xf perf.zip`)
	w.env = append(w.env, "CI_API_V4_URL=https://gitlab/api", "CI_DEFAULT_BRANCH=main", "PERF_TOKEN=", "CI_JOB_NAME=gate")
	return &gitLab{w, fork, own, base}
}

func (g *gitLab) store() string { return filepath.Join(g.dir, "perf/store") }

func (g *gitLab) push() (int, string) {
	status, out := g.job("$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH", "CI_PROJECT_ID=1")
	g.copy(filepath.Join(g.dir, "perf"), filepath.Join(g.artifacts, "perf"))
	return status, out
}

func (g *gitLab) request() (int, string) {
	project := map[bool]string{true: "CI_PROJECT_ID=2", false: "CI_PROJECT_ID=1"}[g.fork]
	return g.job(`$CI_PIPELINE_SOURCE == "merge_request_event"`, project, "CI_MERGE_REQUEST_PROJECT_ID=1", "CI_MERGE_REQUEST_SOURCE_BRANCH_SHA="+g.commit())
}

// job runs the job where a rule holds.
func (g *gitLab) job(rule string, env ...string) (int, string) {
	g.Helper()
	at := slices.IndexFunc(g.base.Rules, func(r struct {
		If        string
		Variables map[string]string
	}) bool {
		return r.If == rule
	})
	if at < 0 {
		g.Fatalf("no rule says %s", rule)
	}
	for _, variables := range []map[string]string{g.own.Variables, g.base.Rules[at].Variables} {
		for k, v := range variables {
			env = append(env, k+"="+v)
		}
	}
	cache, policy := g.base.Cache, g.base.Rules[at].Variables["PERFDIFF_CACHE"]
	if cache.Unprotect || cache.Policy != "$PERFDIFF_CACHE" || cache.When != "always" || g.base.Artifacts.When != "always" || !slices.Equal(cache.Paths, []string{"perf"}) || !slices.Contains(g.base.Artifacts.Paths, "perf") {
		g.Errorf("got cache %+v: others may write into it, or a run that regressed is lost", cache)
	}
	mine := !g.fork || at == 0 // the cache of the project
	if mine {
		g.copy(g.cache, filepath.Join(g.dir, "perf"))
	}
	status, out := g.shell(strings.Join(slices.Concat(g.base.BeforeScript, g.base.Script), "\n"), bash, env...)
	if mine && policy == "pull-push" {
		g.copy(filepath.Join(g.dir, "perf"), g.cache)
	}
	return status, out
}

// TestGitLabServerError: what cannot be fetched is no first use.
func TestGitLabServerError(t *testing.T) {
	g := newGitLabFork(newWorkplace(t, t.TempDir(), t.TempDir())).(*gitLab)
	g.env = append(g.env, "BROKEN=1")
	if status, out := g.request(); status != statusError || !strings.Contains(out, "cannot be fetched: HTTP status 502") {
		t.Errorf("got exit %d: %s", status, out)
	}
}

// TestTreeIsNoBaseline: runs of main or profiles that a request brings in its tree are not
// those of main, also where main has none yet.
func TestTreeIsNoBaseline(t *testing.T) {
	bin, runs := buildPerfdiff(t), mainRuns(t)
	saved := filepath.Join(t.TempDir(), "x.perfdiff")
	mustRun(t, statusOK, "summarize", filepath.Join(runs, "baseline/run2"), "-q", "-o", saved)
	summary, err := os.ReadFile(saved)
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct {
		of   func(*workplace) server
		want int
		say  string
	}{
		"github": {newGitHub, statusOK, "No run is in the store"}, "jenkins": {newJenkins, statusNotJudged, "No run is in the store"},
		"gitlab": {newGitLab, statusError, "the tree holds them"}, "gitlab fork": {newGitLabFork, statusError, "the tree holds them"},
	} {
		for _, path := range []string{"perf/x.perfdiff", "perf/store/x.perfdiff", "profiles/rank0.sqlite"} {
			w := newWorkplace(t, bin, runs)
			s := tt.of(w)
			w.tree = map[string]string{path: string(summary), "perfdiff-profiles/rank0.sqlite": "x"}
			w.fresh("baseline/run1")
			if status, out := s.request(); status != tt.want || !strings.Contains(out, tt.say) {
				t.Errorf("%s: %s: exit %d want %d and %q: %s", name, path, status, tt.want, tt.say, out)
			}
		}
	}
}

// jenkins runs the stages of the Jenkinsfile.
type jenkins struct {
	*workplace
	stages, post []call
}

// call is a step or a section of a Jenkinsfile: its words, and its block.
type call struct {
	name  string
	words []string
	block []call
}

var groovy = regexp.MustCompile(`(?s)^(?://[^\n]*|[ \t]+|'''.*?'''|'[^'\n]*'|[\w.]+|[{}(),:\n])`)

// parseGroovy reads as much of the language as a declarative pipeline needs.
func parseGroovy(text string) ([]call, error) {
	var tokens []string
	for text != "" {
		token := groovy.FindString(text)
		if token == "" {
			return nil, fmt.Errorf("cannot read %.40q", text)
		}
		if text = text[len(token):]; !strings.HasPrefix(token, "//") && strings.Trim(token, " \t") != "" {
			tokens = append(tokens, token)
		}
	}
	calls, rest, err := parseCalls(tokens)
	if err == nil && len(rest) > 0 {
		err = fmt.Errorf("%q has no opening bracket", rest[0])
	}
	return calls, err
}

func parseCalls(tokens []string) (calls []call, rest []string, err error) {
	for len(tokens) > 0 && tokens[0] != "}" {
		c := call{name: tokens[0]}
		if tokens = tokens[1:]; c.name == "\n" {
			continue
		}
		if !regexp.MustCompile(`^\w+$`).MatchString(c.name) {
			return nil, nil, fmt.Errorf("%q is no step", c.name)
		}
		depth := 0
		for len(tokens) > 0 && (depth > 0 || !strings.Contains("{}\n", tokens[0])) {
			depth += map[string]int{"(": 1, ")": -1}[tokens[0]]
			c.words, tokens = append(c.words, tokens[0]), tokens[1:]
		}
		if depth != 0 {
			return nil, nil, fmt.Errorf("brackets of %s do not match", c.name)
		}
		if len(tokens) > 0 && tokens[0] == "{" {
			if c.block, tokens, err = parseCalls(tokens[1:]); err != nil {
				return nil, nil, err
			}
			if len(tokens) == 0 {
				return nil, nil, fmt.Errorf("the block of %s does not end", c.name)
			}
			tokens = tokens[1:]
		}
		calls = append(calls, c)
	}
	return calls, tokens, nil
}

// has reports whether words follow each other in a call.
func (c call) has(words string) bool { return strings.Contains(strings.Join(c.words, " "), words) }

// section is the block of a name within a block.
func section(block []call, name string) []call {
	for _, c := range block {
		if c.name == name {
			return c.block
		}
	}
	return nil
}

func newJenkins(w *workplace) server {
	w.Helper()
	text, err := os.ReadFile(filepath.Join(root, ".github/examples/Jenkinsfile"))
	if err != nil {
		w.Fatal(err)
	}
	file, err := parseGroovy(string(text))
	if err != nil {
		w.Fatalf("Jenkinsfile: %v", err)
	}
	pipeline := section(file, "pipeline")
	if options := section(pipeline, "options"); len(options) != 2 || options[0].name != "copyArtifactPermission" || options[1].name != "disableConcurrentBuilds" {
		w.Errorf("got options %+v", options)
	}
	return &jenkins{w, section(pipeline, "stages"), section(section(pipeline, "post"), "always")}
}

func (j *jenkins) push() (int, string)    { return j.build("branch") }
func (j *jenkins) request() (int, string) { return j.build("changeRequest") }
func (j *jenkins) store() string          { return filepath.Join(j.dir, "perf/store") }

func (j *jenkins) build(when string) (status int, output string) {
	j.Helper()
	for _, stage := range j.stages {
		if on := section(stage.block, "when"); status != 0 || len(on) > 0 && on[0].name != when {
			continue
		}
		for _, c := range section(stage.block, "steps") {
			if status == 0 {
				got, out := j.step(c)
				status, output = got, output+out
			}
		}
	}
	for _, c := range j.post {
		j.step(c)
	}
	return status, output
}

func (j *jenkins) step(c call) (status int, output string) {
	j.Helper()
	exists := func(path string) bool { _, err := os.Stat(path); return err == nil }
	switch c.name {
	case "catchError": // what is in it makes the build unstable
		_, output = j.step(c.block[0])
		return 0, output
	case "sh":
		return j.shell(strings.Trim(c.words[0], "'"), []string{"sh", "-e"})
	case "copyArtifacts":
		if !c.has("'main'") {
			j.Errorf("copied of another job: %v", c.words)
		}
		if !exists(j.artifacts) && !c.has("optional : true") {
			return 1, "no artifacts to copy"
		}
		j.copy(filepath.Join(j.artifacts, "perf"), filepath.Join(j.dir, "perf"))
	case "archiveArtifacts":
		if c.has("perf/**") {
			j.copy(filepath.Join(j.dir, "perf"), filepath.Join(j.artifacts, "perf"))
		} else if !exists(filepath.Join(j.dir, "comment.md")) && !c.has("allowEmptyArchive : true") {
			j.Error("nothing to archive")
		}
	case "junit":
		if !exists(filepath.Join(j.dir, "junit.xml")) && !c.has("allowEmptyResults : true") {
			j.Error("no results")
		}
	default:
		j.Fatalf("the test does not know the step %s", c.name)
	}
	return 0, ""
}

func TestGroovy(t *testing.T) {
	for _, text := range []string{"a {", "a }", "a 'b", "a (", "a { b ( }\n}", "'a'", "a \"b\""} {
		if got, err := parseGroovy(text + "\n"); err == nil {
			t.Errorf("%q: got %+v want an error", text, got)
		}
	}
}
