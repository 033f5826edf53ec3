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

// gitLab runs the jobs of gitlab-ci.yml. A fork has a cache of its own.
type gitLab struct {
	*workplace
	fork bool
	jobs map[string]gitLabJob
}

type gitLabJob struct {
	Extends string
	Rules   []map[string]string
	Cache   struct {
		Key       string
		Paths     []string
		Policy    string
		Unprotect bool
	}
	BeforeScript []string `yaml:"before_script"`
	Script       []string
	Artifacts    struct{ Paths []string }
}

func newGitLab(w *workplace) server     { return readGitLab(w, false) }
func newGitLabFork(w *workplace) server { return readGitLab(w, true) }

func readGitLab(w *workplace, fork bool) server {
	w.Helper()
	text, err := os.ReadFile(filepath.Join(root, ".github/examples/gitlab-ci.yml"))
	if err != nil {
		w.Fatal(err)
	}
	var doc map[string]any
	if err := yaml.UnmarshalWithOptions(text, &doc, yaml.Strict()); err != nil {
		w.Fatal(err)
	}
	delete(doc, "stages")
	jobs := map[string]gitLabJob{}
	if text, err = yaml.Marshal(doc); err == nil {
		err = yaml.Unmarshal(text, &jobs)
	}
	if err != nil {
		w.Fatal(err)
	}
	// The artifacts of main's job, as the server gives them: HTTP status and archive.
	w.program(filepath.Join(w.bin, "curl"), `for last; do :; done
if [ -n "$BROKEN" ]; then printf 502; exit 0; fi
case $last in
  https://gitlab/api/projects/1/jobs/artifacts/main/download\?job=save-main) ;;
  *) echo "asked for $last" >&2; printf 400; exit 0 ;;
esac
if [ -d '`+w.artifacts+`' ]; then tar cf perf.zip -C '`+w.artifacts+`' .; printf 200; else printf 404; fi`)
	w.program(filepath.Join(w.bin, "unzip"), `for last; do :; done
tar xf "$last"`)
	w.env = append(w.env, "CI_API_V4_URL=https://gitlab/api", "CI_DEFAULT_BRANCH=main", "PERF_TOKEN=")
	return &gitLab{w, fork, jobs}
}

func (g *gitLab) push() (int, string) {
	status, out := g.job("save-main", "CI_PROJECT_ID=1")
	for _, path := range g.jobs["save-main"].Artifacts.Paths {
		g.copy(filepath.Join(g.dir, path), filepath.Join(g.artifacts, path))
	}
	return status, out
}

func (g *gitLab) request() (int, string) {
	if g.fork {
		return g.job("gate", "CI_PROJECT_ID=2", "CI_MERGE_REQUEST_PROJECT_ID=1")
	}
	return g.job("gate", "CI_PROJECT_ID=1", "CI_MERGE_REQUEST_PROJECT_ID=1")
}

func (g *gitLab) job(name string, env ...string) (int, string) {
	g.Helper()
	job := g.jobs[name]
	base := g.jobs[job.Extends]
	cache := base.Cache
	if job.Cache.Key != "" {
		cache = job.Cache
	}
	if !cache.Unprotect || cache.Key != base.Cache.Key || !slices.Equal(cache.Paths, []string{"perf"}) {
		g.Errorf("%s: got cache %+v: main's and that of others are not one", name, cache)
	}
	mine := !g.fork || name != "gate" // the cache of the project
	if mine {
		g.copy(g.cache, filepath.Join(g.dir, "perf"))
	}
	status, out := g.shell(strings.Join(slices.Concat(base.BeforeScript, job.Script), "\n"), bash, env...)
	if mine && status == 0 && cache.Policy == "pull-push" {
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

// TestTreeIsNoBaseline: a baseline or profiles that a request brings in its tree are not
// those of main, also where main has none yet.
func TestTreeIsNoBaseline(t *testing.T) {
	bin, runs := buildPerfdiff(t), mainRuns(t)
	for name, tt := range map[string]struct {
		of   func(*workplace) server
		want int
		say  string
	}{
		"github": {newGitHub, statusOK, "no baseline yet"}, "jenkins": {newJenkins, statusOK, "no baseline yet"},
		"gitlab": {newGitLab, statusError, "the tree holds them"}, "gitlab fork": {newGitLabFork, statusError, "the tree holds them"},
	} {
		for _, path := range []string{"perf/main.perfdiff", "profiles/rank0.sqlite"} {
			w := newWorkplace(t, bin, runs)
			s := tt.of(w)
			w.tree = map[string]string{path: "x"}
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
	pipeline []call
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
	return &jenkins{w, section(section(file, "pipeline"), "stages")}
}

func (j *jenkins) push() (int, string)    { return j.build("branch") }
func (j *jenkins) request() (int, string) { return j.build("changeRequest") }

func (j *jenkins) build(when string) (status int, output string) {
	j.Helper()
	for _, stage := range j.pipeline {
		if on := section(stage.block, "when"); status != 0 || len(on) > 0 && on[0].name != when {
			continue
		}
		for _, c := range section(stage.block, "steps") {
			if status == 0 {
				got, out := j.step(c)
				status, output = got, output+out
			}
		}
		for _, c := range section(section(stage.block, "post"), "always") {
			j.step(c)
		}
	}
	return status, output
}

func (j *jenkins) step(c call) (status int, output string) {
	j.Helper()
	exists := func(path string) bool { _, err := os.Stat(path); return err == nil }
	switch c.name {
	case "sh":
		return j.shell(strings.Trim(c.words[0], "'"), []string{"sh", "-e"})
	case "copyArtifacts":
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
