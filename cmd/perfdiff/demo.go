package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"perfdiff/analyze/synth"
	"perfdiff/render"
	"perfdiff/testdata"
)

// demoStory is the story that "perfdiff demo" writes if none is named.
const demoStory = "o-direct"

// demoFormats are the formats in which a story can be written, by name of the profiler; log is the log of a trainer.
var demoFormats = map[string]synth.Format{"nsight": synth.Nsight, "pytorch": synth.Kineto, "log": synth.StepLog}

// demo writes the run sets of a story into a directory, which must be new or empty: it never
// writes over profiles.
func demo(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	c, status := begin("demo", args, stdout, stderr, func(c *command) error {
		l := c.line
		switch _, known := demoFormats[l.text("format")]; {
		case l.yes("list") && l.NArg() > 0:
			return errors.New("--list takes no directory")
		case !l.yes("list") && l.Arg(0) == "":
			return errors.New("expected one argument: perfdiff demo DIR")
		case !known:
			return fmt.Errorf("--format %s: must be nsight, pytorch or log", l.text("format"))
		}
		return nil
	})
	switch {
	case c == nil:
		return status
	case c.line.yes("list"):
		return listStories(stdout, stderr)
	}
	story, err := storyNamed(c.line.text("story"))
	if err != nil {
		return printError(stderr, fmt.Errorf("--story: %w", err), "perfdiff demo --list says what each is about")
	}
	return writeDemo(ctx, story, c.line.Arg(0), demoFormats[c.line.text("format")], stdout, stderr)
}

// storyNamed reads the story with a name.
func storyNamed(name string) (*synth.Story, error) {
	text, err := testdata.Story(name)
	if err != nil {
		return nil, err
	}
	return synth.Parse(name, text)
}

// listStories prints the name of every story and what is wrong in it.
func listStories(stdout, stderr io.Writer) int {
	var b strings.Builder
	for _, name := range testdata.Names() {
		story, err := storyNamed(name)
		if err != nil {
			return printError(stderr, err, "")
		}
		fmt.Fprintf(&b, "%-28s %s\n", name, story.About())
	}
	return printText(stdout, stderr, b.String())
}

// writeDemo writes both sides of a story and says how they are compared.
func writeDemo(ctx context.Context, story *synth.Story, dir string, format synth.Format, stdout, stderr io.Writer) int {
	if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
		return printError(stderr, fmt.Errorf("%s: the directory is not empty", dir), "name a new directory, or delete this one")
	}
	truth, err := story.Write(ctx, dir, format)
	if err != nil {
		if ctx.Err() != nil {
			printMessage(stderr, "error", "interrupted; "+dir+" is incomplete")
			return statusInterrupted
		}
		return printError(stderr, err, "")
	}
	base, cand := filepath.Join(dir, "baseline"), filepath.Join(dir, "candidate")
	return printText(stdout, stderr, fmt.Sprintf("wrote %s and %s: %s\ncompare them: perfdiff %s %s -o report.html\n",
		render.Line(base), render.Line(cand), ranksWritten(truth), render.ShellPath(base), render.ShellPath(cand)))
}

// ranksWritten says how many ranks each side has.
func ranksWritten(t synth.Truth) string {
	base, cand := len(t.Baseline[0].Ranks), len(t.Candidate[0].Ranks)
	text := fmt.Sprintf("%d ranks each", base)
	switch {
	case base != cand:
		text = fmt.Sprintf("%d and %d ranks", base, cand)
	case base == 1:
		text = "one rank each"
	}
	if n := len(t.Baseline); n > 1 {
		text += fmt.Sprintf(", %d runs", n)
	}
	return text
}
