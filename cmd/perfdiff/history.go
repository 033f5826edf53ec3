package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"perfdiff/analyze"
	"perfdiff/diff"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
	"perfdiff/render"
	"perfdiff/render/words"
)

// emptyHistoryWarning warns of a history that was given and is empty, as it is until the first
// run is saved. Otherwise there is no warning.
func (c *command) emptyHistoryWarning(history []*analyze.Set) []diff.Warning {
	if len(c.history) == 0 || len(history) > 0 {
		return nil
	}
	var names []string
	for _, path := range c.history {
		names = append(names, filepath.Base(path))
	}
	if c.anonymize {
		names = []string{"the history"}
	}
	w := diff.Warning{Count: 1}
	w.Text = "no past runs yet in " + strings.Join(names, ", ") + ": the noise between runs is assumed (save each run of main there: perfdiff summarize RUNSET -o FILE.perfdiff)"
	return []diff.Warning{w}
}

// noise prints how much repeats of one job differ.
func noise(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	c, status := begin("noise", args, stdout, stderr, func(c *command) error {
		c.Unjudged = true
		return errors.Join(c.takeRules(), c.takeReading())
	})
	if c == nil {
		return status
	}
	sets, status := c.loadRepeats(ctx, c.line.Args(), stderr)
	if sets == nil {
		return status
	}
	c.takeSets(stderr, sets)
	r := verdict.MeasureNoise(sets, c.Policy)
	if err := render.Noise(stdout, r); err != nil {
		return printError(stderr, writeError("standard output", err), "")
	}
	if r.Used < r.MinRuns {
		return statusNotJudged
	}
	return statusOK
}

// loadRepeats loads run sets as they are given. Each summary in a directory is one.
func (c *command) loadRepeats(ctx context.Context, paths []string, stderr io.Writer) ([]*analyze.Set, int) {
	var sets []*analyze.Set
	for _, path := range paths {
		more, err := analyze.LoadHistory([]string{path}, c.Load)
		if err == nil && len(more) > 0 {
			sets = append(sets, more...)
			continue
		}
		if err != nil && !errors.Is(err, analyze.ErrNoHistory) {
			return nil, printError(stderr, err, "")
		}
		set, status := c.loadOne(ctx, path, stderr)
		if set == nil {
			return nil, status
		}
		sets = append(sets, set)
	}
	return sets, statusOK
}
