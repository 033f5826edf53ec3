package manual

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var sample = []Command{
	{About: "compare", Text: `sample compares.

Usage:
  perfdiff A B

{flags}

.A line that begins with a dot, and a back\slash.
`, Groups: []Group{
		{Title: "Output", Flags: []Flag{
			{Name: "output", Short: "o", Arg: "FILE", Text: "write a report; repeatable; - is standard output"},
			{Name: "format", Arg: "NAME", Text: `format of "-o -": text or json`, Words: []string{"text", "json"}},
			{Name: "quiet", Short: "q", Text: "no summary: 'warnings' [only]"},
		}},
		{Title: "Reading", Flags: []Flag{{Name: "ranks", Arg: "LIST"}, {Name: "no-cache"},
			{Name: "candidate-logs", Arg: "PATH", Text: "logs of runs which are long enough to need more than one line of a page"}}},
	}},
	{Name: "gate", About: "gate: a change", Text: "{flags}\n", Groups: []Group{
		{Flags: []Flag{{Name: "store", Arg: "DIR", Text: "runs of main"}, {Name: "first", Arg: "pass|fail", Text: "what then"}}},
		{Title: "As before", NamesOnly: true, Flags: []Flag{{Name: "output", Short: "o", Arg: "FILE", Text: "write"}, {Name: "ranks", Arg: "LIST"}}},
	}},
	{Name: "completion", About: "completions", Text: "Usage:\n  perfdiff completion SHELL\n"},
}

// TestPage: flags stand in the page's text, each with what it takes and what it is, or by name only.
func TestPage(t *testing.T) {
	for i, want := range []string{`sample compares.

Usage:
  perfdiff A B

Output:
  -o, --output FILE      write a report; repeatable; - is standard output
      --format NAME      format of "-o -": text or json
  -q, --quiet            no summary: 'warnings' [only]

Reading:
      --ranks LIST       
      --no-cache         
      --candidate-logs PATH
                         logs of runs which are long enough to need more than one
                         line of a page

.A line that begins with a dot, and a back\slash.
`, `      --store DIR        runs of main
      --first pass|fail  what then

As before:
      -o, --output FILE, --ranks LIST
`} {
		if got := sample[i].Page(); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}

// TestBash asks bash what it would offer.
func TestBash(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not here")
	}
	script, _ := Complete("bash", sample)
	for line, want := range map[string]string{
		"perfdiff ":                  "gate completion",
		"perfdiff g":                 "gate",
		"perfdiff --f":               "--format",
		"perfdiff a b --format ":     "text json",
		"perfdiff a b --format j":    "json",
		"perfdiff a b --output ":     "",
		"perfdiff a b -o x":          "",
		"perfdiff gate --":           "--store --first --output --ranks",
		"perfdiff gate --store ":     "",
		"perfdiff completion f":      "fish",
		"perfdiff a b --nothing":     "",
		"perfdiff a b --quiet --no-": "--no-cache",
	} {
		words := strings.Split(line, " ")
		ask := fmt.Sprintf("%s\nCOMP_WORDS=(%s) COMP_CWORD=%d\n_perfdiff\necho \"${COMPREPLY[*]}\"\n", script, "'"+strings.Join(words, "' '")+"'", len(words)-1)
		out, err := exec.Command(bash, "--norc", "-c", ask).CombinedOutput()
		got, expected := strings.Fields(string(out)), strings.Fields(want)
		slices.Sort(got)
		slices.Sort(expected)
		if err != nil || !slices.Equal(got, expected) {
			t.Errorf("%q: got %q (%v), want %q", line, got, err, expected)
		}
	}
}

// TestShellsParse: each shell that is here takes its script.
func TestShellsParse(t *testing.T) {
	for _, shell := range Shells {
		script, ok := Complete(shell, sample)
		if !ok || !strings.Contains(script, "store") {
			t.Errorf("%s: the script lacks a flag", shell)
		}
		path, err := exec.LookPath(shell)
		if err != nil {
			t.Logf("%s is not here", shell)
			continue
		}
		file := filepath.Join(t.TempDir(), "script")
		if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(path, "-n", file).CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v\n%s", shell, err, out)
		}
	}
	if _, ok := Complete("csh", sample); ok {
		t.Error("csh: got a script")
	}
}

// TestMan: the page holds all of the help, and nothing in it is a request of its own.
func TestMan(t *testing.T) {
	page := Man("1.2", sample)
	for _, want := range []string{".TH PERFDIFF 1", `.SH "PERFDIFF GATE"`, ".B \\-o, \\-\\-output FILE\nwrite a report; repeatable;", `\&.A line that begins`, `back\eslash`} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
	groff, err := exec.LookPath("groff")
	if err != nil {
		t.Skip("groff is not here")
	}
	cmd := exec.Command(groff, "-man", "-Tascii", "-ww")
	cmd.Stdin = strings.NewReader(page)
	var warnings strings.Builder
	cmd.Stderr = &warnings
	out, err := cmd.Output()
	if err != nil || warnings.Len() > 0 || !strings.Contains(string(out), "logs of runs") {
		t.Errorf("groff: %v\n%s\n%s", err, warnings.String(), out)
	}
}
