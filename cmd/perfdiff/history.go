package main

import (
	"cmp"
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

// trend shows a metric over past runs.
func trend(_ context.Context, args []string, stdout, stderr io.Writer) int {
	format, anchor, out := render.Text, verdict.Anchor{}, ""
	c, status := begin("trend", args, stdout, stderr, func(c *command) (err error) {
		l := c.line
		out = l.text("output")
		if anchor, err = anchorOf(l.text("anchor")); err != nil {
			return err
		}
		if l.text("anchor") != "" && !l.yes("gate") {
			return errors.New("--anchor: is what --gate holds the newest level to: add --gate")
		}
		if out == "" {
			return nil
		}
		if format, err = render.FormatOf(out); err != nil || format != render.HTML && format != render.Text {
			return fmt.Errorf("%s: a trend is written as .html or .txt", out)
		}
		return cmp.Or(checkWritable(out), l.checkOutputs(nil, l.Args()))
	})
	if c == nil {
		return status
	}
	metric, gates := c.line.text("metric"), c.line.yes("gate")
	sets, err := analyze.LoadHistory(c.line.Args(), analyze.Options{})
	if err == nil && len(sets) == 0 {
		err = fmt.Errorf("%s: %w", strings.Join(c.line.Args(), ", "), analyze.ErrNoHistory)
	}
	if err == nil {
		if err = verdict.Followable(sets, metric); err != nil {
			err = fmt.Errorf("--metric %s: %w", metric, err)
		}
	}
	if err != nil {
		return printError(stderr, err, "")
	}
	c.takeSets(stderr, sets)
	tr := verdict.FollowMetric(sets, metric, policy.DefaultPolicy())
	if gates {
		if err := tr.Hold(anchor); err != nil {
			return printError(stderr, fmt.Errorf("--anchor: %w", err), "")
		}
	}
	if out == "" {
		if err = render.Trend(stdout, tr, render.Text); err != nil {
			err = writeError("standard output", err)
		}
	} else {
		err = replaceFile(out, func(w io.Writer) error { return render.Trend(w, tr, format) })
	}
	switch {
	case err != nil:
		return printError(stderr, err, "")
	case gates:
		return gateTrend(tr, stderr)
	case len(tr.Points) == 0:
		return statusNotJudged
	}
	return statusOK
}

// gateTrend returns the exit status of a trend with --gate.
func gateTrend(tr *verdict.Trend, stderr io.Writer) int {
	if len(tr.Levels) == 0 {
		printMessage(stderr, words.NotJudged, fmt.Sprintf("levels are told from %d runs on, and there are %d", tr.Least, len(tr.Points)))
		return statusNotJudged
	}
	for i := range tr.Held.Worse {
		printMessage(stderr, "regressed", words.Worse(tr, &tr.Held.Worse[i]))
	}
	if len(tr.Held.Worse) > 0 {
		return statusRegressed
	}
	return statusOK
}
