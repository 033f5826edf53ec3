package main

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"perfdiff/cmd/perfdiff/manual"
)

// printed is what a command prints that has to succeed.
func printed(t *testing.T, args ...string) string {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if status := run(context.Background(), args, &stdout, &stderr); status != statusOK || stderr.Len() > 0 {
		t.Fatalf("perfdiff %q: exit %d, %s", args, status, stderr.String())
	}
	return stdout.String()
}

// TestCommandsAreTold: completions and man page tell of every command with its flags.
func TestCommandsAreTold(t *testing.T) {
	var names []string
	for _, c := range commands()[1:] {
		names = append(names, c.Name)
		if flags := c.Flags(); c.Name == "gate" && !slices.ContainsFunc(flags, func(f manual.Flag) bool { return f.Name == "escalate" && f.Text != "" }) {
			t.Errorf("gate lacks --escalate: %v", flags)
		}
	}
	for _, name := range namesOfVerbs() {
		if !slices.Contains(names, name) {
			t.Errorf("the help does not say in a line what perfdiff %s does", name)
		}
	}
	page := printed(t, "man")
	for _, want := range []string{`.SH "PERFDIFF GATE"`, `.B \-\-store DIR`, `.B \-\-licenses`, `.SS "Verdict"`} {
		if !strings.Contains(page, want) {
			t.Errorf("the man page lacks %q", want)
		}
	}
	for _, shell := range []string{"bash", "zsh", "fish"} {
		script := printed(t, "completion", shell)
		for _, want := range []string{"write-up", "summarize", "as-repeats", "o-direct", "escalate"} {
			if !strings.Contains(script, want) {
				t.Errorf("the completion for %s lacks %q", shell, want)
			}
		}
	}
	for _, args := range [][]string{{"completion"}, {"completion", "csh"}, {"completion", "bash", "zsh"}, {"man", "x"}, {"man", "--nope"}} {
		var stdout, stderr bytes.Buffer
		if status := run(context.Background(), args, &stdout, &stderr); status != statusError || stdout.Len() > 0 || stderr.Len() == 0 {
			t.Errorf("perfdiff %q: exit %d, printed %q and %q", args, status, stdout.String(), stderr.String())
		}
	}
}

// TestLicenses: the program tells of what it is made of.
func TestLicenses(t *testing.T) {
	text := printed(t, "--licenses")
	for _, want := range []string{"== github.com/klauspost/compress ", "== Apache ECharts", "Apache License", "== Go, its runtime"} {
		if !strings.Contains(text, want) {
			t.Errorf("the notices lack %q", want)
		}
	}
}
