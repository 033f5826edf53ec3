package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/synth"
	"perfdiff/render"
)

// allPages are the help pages of all commands, one after the other.
func allPages() string {
	pages := helpOf("")
	for _, name := range namesOfVerbs() {
		pages += helpOf(name)
	}
	return pages
}

// TestManual runs every example of the help pages, as typed, in a
// directory with a small baseline and candidate and a history.
func TestManual(t *testing.T) {
	dir := writeStory(t, "aa", synth.Nsight)
	t.Chdir(dir)
	past, _ := pastRuns(t)
	if err := os.CopyFS("history", os.DirFS(past)); err != nil {
		t.Fatal(err)
	}
	logs := writeStory(t, "aa", synth.StepLog)
	for to, from := range map[string]string{"logs-base": "/baseline", "logs-cand": "/candidate"} {
		if err := os.CopyFS(to, os.DirFS(logs+from)); err != nil {
			t.Fatal(err)
		}
	}
	second, _ := writeEdited(t, "aa", synth.Nsight, strings.NewReplacer("seed: ", "seed: 7"))
	if err := os.CopyFS("candidate-2", os.DirFS(second+"/candidate")); err != nil {
		t.Fatal(err)
	}
	ran := map[string]bool{}
	for line := range strings.Lines(allPages()) {
		line, isCommand := strings.CutPrefix(strings.TrimSpace(line), "perfdiff ")
		line, _, _ = strings.Cut(line, "   ") // what it does, in a list of commands
		if !isCommand || placeholder.MatchString(line) || strings.HasPrefix(line, "compares") || ran[line] {
			continue
		}
		ran[line] = true
		var stdout, stderr bytes.Buffer
		status := run(context.Background(), split(line), &stdout, &stderr)
		want := map[bool]int{true: statusNotJudged, false: statusOK}[strings.Contains(line, "--step-kernel")]
		if status != want {
			t.Errorf("perfdiff %s: exit %d, want %d\n%s", line, status, want, stderr.String())
		}
		if strings.Contains(line, "--quiet") != (stdout.Len() == 0) {
			t.Errorf("perfdiff %s: printed %d bytes", line, stdout.Len())
		}
	}
	if len(ran) < 8 {
		t.Errorf("only %d examples were found", len(ran))
	}
	for _, name := range []string{"report.html", "report.json", "comment.md"} {
		if st, err := os.Stat(filepath.Join(dir, name)); err != nil || st.Size() == 0 {
			t.Errorf("the examples did not write %s: %v", name, err)
		}
	}
}

// placeholder is in lines that show usage and are no examples.
var placeholder = regexp.MustCompile(`\[flags\]|\b[A-Z]{2,}\b|^[a-z]+ (compares|divides|lists|makes|names|prints|saves|shows|tells|writes) `)

// split cuts a command line at blanks outside of single quotes.
func split(line string) (args []string) {
	for _, m := range regexp.MustCompile(`'([^']*)'|(\S+)`).FindAllStringSubmatch(line, -1) {
		args = append(args, m[1]+m[2])
	}
	return args
}

// TestFlagsDocumented: every row of the table says what its flag is, no command has two of one name, and no text of
// help tells of a flag that is not there.
func TestFlagsDocumented(t *testing.T) {
	names := map[string]bool{}
	for _, g := range flagTable() {
		for _, x := range g.flags {
			names[x.name] = true
			if x.about == "" || g.on == "" {
				t.Errorf("--%s: says nothing, or belongs to no command", x.name)
			}
		}
	}
	for _, name := range append(namesOfVerbs(), "") {
		if _, err := readLine(name, nil); err != nil { // two of one name panic
			t.Errorf("%s: %v", name, err)
		}
	}
	if strings.Contains(allPages(), "{") {
		t.Error("a page of help shows where its flags were to stand")
	}
	for _, flag := range regexp.MustCompile(`--[a-z][a-z-]+`).FindAllString(allPages(), -1) {
		if !names[flag[2:]] && !slices.Contains([]string{"--array", "--batch", "--csv", "--page", "--set", "--launch-count", "--wrap"}, flag) {
			t.Errorf("%s is documented and does not exist", flag)
		}
	}
}

// TestFormatsDocumented holds help, manual and README to the formats that exist.
func TestFormatsDocumented(t *testing.T) {
	for what, text := range map[string]string{"help": helpOf(""), "README": documents(t)} {
		for _, extension := range render.Extensions() {
			if !regexp.MustCompile(regexp.QuoteMeta(extension) + `\b`).MatchString(text) {
				t.Errorf("the %s does not name files that end in %s", what, extension)
			}
		}
		for _, name := range render.Names() {
			list := regexp.MustCompile(`--format NAME.*\b` + name + `\b`)
			if what != "README" && !list.MatchString(text) {
				t.Errorf("the %s does not name --format %s", what, name)
			}
		}
	}
}

// TestUsage holds wrong command lines to an error before anything is read.
func TestUsage(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"":                                   "expected BASELINE and CANDIDATE, got 0 arguments",
		"a":                                  "got 1 argument",
		"a b --nope":                         "unknown flag: --nope",
		"a b --exit-zero":                    "--exit-zero is gone: --warn-only exits 0",
		"ncu a b --exit-zero":                "--exit-zero is gone: --warn-only exits 0",
		"gate a --markdown x":                "--markdown FILE is gone: write the comment with -o",
		"a b --markdown x":                   "unknown flag: --markdown",
		"a b -o report.pdf":                  "report.pdf",
		"a b -o nowhere/report.html":         "nowhere/report.html: cannot be written: no such file",
		"a b -o -":                           "needs --format",
		"a b --format json":                  "--format is for standard output",
		"a b -o - --format pdf":              "pdf",
		"a b --step-range [":                 "--step-range: error parsing regexp",
		"a b --step-range a --step-kernel b": "exclude each other",
		"a b --ranks 7-3":                    `"7-3" is neither a rank nor a stretch`,
		"a b --ranks x":                      `"x" is neither`,
		"a b --threshold 200%":               "must be from 0 to under 100%",
		"a b --alpha 2":                      "--alpha: alpha is 2: it must lie between 0.001 and 0.2",
		"a b --skip-first -3":                "--skip-first -3",
		"a b --jobs -1":                      "--jobs -1",
		"nowhere nowhere":                    "baseline: nowhere: no such file or directory",
		"demo":                               "perfdiff demo DIR",
		"demo --list x":                      "--list takes no directory",
		"demo --story nowhere x":             `--story: there is no story "nowhere": the stories are aa, `,
		"demo --format json x":               "--format json: must be nsight, pytorch or log",
	} {
		var stdout, stderr bytes.Buffer
		status := run(context.Background(), split(line), &stdout, &stderr)
		if status != statusError || stdout.Len() > 0 || !strings.Contains(stderr.String(), "perfdiff: error: ") || !strings.Contains(stderr.String(), want) {
			t.Errorf("perfdiff %s: exit %d, stderr %q, want exit 2 and %q", line, status, stderr.String(), want)
		}
	}
}

// TestInterrupt: a cancelled context ends with 130 and leaves nothing behind.
func TestInterrupt(t *testing.T) {
	dir := writeStory(t, "aa", synth.Nsight)
	out := t.TempDir()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	var stdout, stderr bytes.Buffer
	status := run(ctx, []string{dir + "/baseline", dir + "/candidate", "-o", out + "/report.html"}, &stdout, &stderr)
	entries, err := os.ReadDir(out)
	if status != statusInterrupted || len(entries) > 0 || err != nil {
		t.Errorf("exit %d, left %v (%v)", status, entries, err)
	}
}
