//go:build unix

package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// postStep are the commands that post the comment.
func postStep(t *testing.T) string {
	t.Helper()
	steps := readWorkflow(t, ".github/examples/github-comment.yml").Jobs["comment"].Steps
	return steps[len(steps)-1].Run
}

// TestCommentLink: a link in the artifact, which comes from the pull request, must
// not bring a file of the runner into the comment.
func TestCommentLink(t *testing.T) {
	w := newWorkplace(t, t.TempDir(), t.TempDir())
	dir := filepath.Join(w.dir, "perfdiff-report")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "pull-request.txt"), "12\n")
	writeFile(t, filepath.Join(w.dir, "secret"), "secret")
	if err := os.Symlink(filepath.Join(w.dir, "secret"), filepath.Join(dir, "comment.md")); err != nil {
		t.Fatal(err)
	}
	if status, out := w.shell(postStep(t), bash, "GH_TOKEN=x", "REPO=o/r", "SHA=0"); status != 0 || !strings.Contains(out, "nothing is posted") {
		t.Errorf("exit %d: %s", status, out)
	}
}

// TestCommentPipeline runs the second workflow with a stand-in for gh: the comment
// is written once and then kept up to date, and only on the pull request whose commit
// was measured.
func TestCommentPipeline(t *testing.T) {
	post := postStep(t)
	const sha = "0123456789abcdef0123456789abcdef01234567"
	w := newWorkplace(t, t.TempDir(), t.TempDir())
	// What it is asked for goes to a file. Of the comments one is by the bot and has the
	// marker, once it was posted; jq chooses it where it is installed, as gh would.
	w.program(filepath.Join(w.bin, "gh"), `echo "$*" >> asked
case "$*" in
  "api repos/o/r/pulls/12 --jq .head.sha") echo `+sha+` ;;
  "api --paginate repos/o/r/issues/12/comments"*)
    if [ ! -f posted ]; then exit 0; fi
    for filter; do :; done
    if command -v jq > /dev/null; then jq "$filter" comments; else echo 99; fi ;;
  "api --method POST repos/o/r/issues/12/comments -F body=@body.md --silent") cp body.md posted ;;
  "api --method PATCH repos/o/r/issues/comments/99 -F body=@body.md --silent") cp body.md posted ;;
  *) echo "unexpected: $*" >&2; exit 1 ;;
esac`)
	file := func(name string) string { return filepath.Join(w.dir, name) }
	writeFile(t, file("comments"), `[{"id": 97, "user": {"login": "mallory"}, "body": "<!-- perfdiff report -->"}, {"id": 98, "user": {"login": "github-actions[bot]"}, "body": "of another workflow"},
		{"id": 99, "user": {"login": "github-actions[bot]"}, "body": "<!-- perfdiff report -->\nold"}, {"id": 100, "user": {"login": "github-actions[bot]"}, "body": "see <!-- perfdiff report -->"}]`)
	for _, tt := range []struct {
		name, number, comment, sha string
		want                       int
		say, asked                 string
	}{
		{"nothing handed over", "", "", sha, 0, "nothing is posted", ""},
		{"no number", "12; rm -rf /\n", "x", sha, 1, "names no pull request", ""}, {"another path", "../12\n", "x", sha, 1, "names no pull request", ""},
		{"another's number", "12\n", "x", strings.Repeat("f", 40), 0, "has moved on", "pulls/12"},
		{"the first time", "12\n", "### REGRESSED", sha, 0, "", "POST"}, {"the second time", "12\n", "### UNCHANGED", sha, 0, "", "PATCH"},
	} {
		for _, name := range []string{"perfdiff-report", "asked"} {
			if err := os.RemoveAll(file(name)); err != nil {
				t.Fatal(err)
			}
		}
		if tt.number != "" {
			if err := os.Mkdir(file("perfdiff-report"), 0o755); err != nil {
				t.Fatal(err)
			}
			writeFile(t, file("perfdiff-report/pull-request.txt"), tt.number)
			writeFile(t, file("perfdiff-report/comment.md"), tt.comment)
		}
		status, out := w.shell(post, bash, "GH_TOKEN=x", "REPO=o/r", "SHA="+tt.sha)
		asked, _ := os.ReadFile(file("asked"))
		posted, _ := os.ReadFile(file("posted"))
		if status != tt.want || !strings.Contains(out, tt.say) || !strings.Contains(string(asked), tt.asked) || tt.asked == "" && len(asked) > 0 {
			t.Errorf("%s: exit %d want %d and %q: %s; asked %s", tt.name, status, tt.want, tt.say, out, asked)
		}
		if method := tt.asked == "POST" || tt.asked == "PATCH"; method != strings.Contains(string(asked), "--method") || method && string(posted) != "<!-- perfdiff report -->\n"+tt.comment {
			t.Errorf("%s: asked %s, posted %q", tt.name, asked, posted)
		}
	}
}

// TestReadmeAction: the lines of README and topics name inputs that the action has.
func TestReadmeAction(t *testing.T) {
	found := regexp.MustCompile(`(?m)^    - uses: your-org/perfdiff.*\n(?:    .*\n)+`).FindAllString(documents(t), -1)
	if len(found) != 2 {
		t.Fatalf("got %d times the action, want it in the README and in a topic", len(found))
	}
	for _, lines := range found {
		checkActionLines(t, lines)
	}
}

// checkActionLines holds one use of the action to the inputs that it has.
func checkActionLines(t *testing.T, lines string) {
	t.Helper()
	var steps []workStep
	if err := yaml.Unmarshal([]byte(lines), &steps); err != nil || len(steps) != 1 || steps[0].With["record"] == "" || !strings.Contains(steps[0].With["flags"], "--escalate") {
		t.Fatalf("got %+v (%v)", steps, err)
	}
	inputs := readWorkflow(t, ".github/actions/perfdiff/action.yml").Inputs
	for key := range steps[0].With {
		if _, ok := inputs[key]; !ok {
			t.Errorf("the action has no input %q", key)
		}
	}
}
