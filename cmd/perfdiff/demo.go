package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"perfdiff/analyze/synth"
	"perfdiff/render"
	"perfdiff/testdata"
)

// demoStory is the pair of run sets that "perfdiff demo" writes.
const demoStory = "o-direct"

// demo writes the sample pair into a directory that is new or empty: it never
// writes over profiles.
func demo(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) > 0 && (args[0] == "--help" || args[0] == "-h") {
		return printed(stdout, stderr, helpOf("demo"))
	}
	if len(args) != 1 || len(args[0]) > 0 && args[0][0] == '-' {
		return fail(stderr, errors.New("expected one argument: perfdiff demo DIR"), "DIR is a new or empty directory, as in: perfdiff demo sample")
	}
	dir := args[0]
	if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
		return fail(stderr, fmt.Errorf("%s: the directory is not empty", dir), "name a new directory, or delete this one")
	}
	text, err := testdata.Story(demoStory)
	if err != nil {
		return fail(stderr, err, "")
	}
	story, err := synth.Parse(demoStory, text)
	if err != nil {
		return fail(stderr, err, "")
	}
	if _, err := story.Write(ctx, dir, synth.Nsight); err != nil {
		if ctx.Err() != nil {
			say(stderr, "error", "interrupted; "+dir+" is incomplete")
			return statusInterrupted
		}
		return fail(stderr, err, "")
	}
	base, cand := render.Line(filepath.Join(dir, "baseline")), render.Line(filepath.Join(dir, "candidate"))
	return printed(stdout, stderr, fmt.Sprintf("wrote %s and %s: 16 ranks each\ncompare them: perfdiff %s %s -o report.html\n", base, cand, base, cand))
}
