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
	measured "perfdiff/analyze/run"
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
	c := newCommand()
	f := newFlags()
	check := loadFlags(f, c)
	rules := f.String("policy", "", "")
	help := f.BoolP("help", "h", false, "")
	c.Unjudged = true
	err := f.Parse(args)
	switch {
	case err == nil && *help:
		return printText(stdout, stderr, helpOf("noise"))
	case err == nil && f.NArg() == 0:
		err = errors.New("expected RUNSETS: repeats of one job, each a run set, a saved summary or a directory of summaries")
	case err == nil:
		err = errors.Join(c.Read(*rules), check())
		c.notePolicySource(f)
	}
	if err != nil {
		return printError(stderr, err, "perfdiff noise --help shows usage and examples")
	}
	sets, status := c.loadRepeats(ctx, f.Args(), stderr)
	if sets == nil {
		return status
	}
	c.anonymizePast(sets)
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
	f := newFlags()
	metric := f.String("metric", measured.StepTime, "")
	var out string
	onceFlag(f, &out, "output", "o")
	c := newCommand()
	f.BoolVar(&c.anonymize, "anonymize", false, "")
	gates := f.Bool("gate", false, "")
	at := f.String("anchor", "", "")
	help := f.BoolP("help", "h", false, "")
	err := f.Parse(args)
	format, anchor := render.Text, verdict.Anchor{}
	if err == nil {
		anchor, err = anchorOf(*at)
	}
	switch {
	case err == nil && *help:
		return printText(stdout, stderr, helpOf("trend"))
	case err == nil && f.NArg() == 0:
		err = errors.New("expected DIR: saved summaries of past runs (perfdiff summarize)")
	case err == nil && *at != "" && !*gates:
		err = errors.New("--anchor: is what --gate holds the newest level to: add --gate")
	case err == nil && out != "":
		if format, err = render.FormatOf(out); err != nil || format != render.HTML && format != render.Text {
			err = fmt.Errorf("%s: a trend is written as .html or .txt", out)
		}
		if err == nil {
			err = cmp.Or(checkWritable(out), checkOutputs(f, nil, f.Args()))
		}
	}
	if err != nil {
		return printError(stderr, err, "perfdiff trend --help shows usage and examples")
	}
	sets, err := analyze.LoadHistory(f.Args(), analyze.Options{})
	if err == nil && len(sets) == 0 {
		err = fmt.Errorf("%s: %w", strings.Join(f.Args(), ", "), analyze.ErrNoHistory)
	}
	if err == nil {
		if err = verdict.Followable(sets, *metric); err != nil {
			err = fmt.Errorf("--metric %s: %w", *metric, err)
		}
	}
	if err != nil {
		return printError(stderr, err, "")
	}
	c.anonymizePast(sets)
	tr := verdict.FollowMetric(sets, *metric, policy.DefaultPolicy())
	if *gates {
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
	case *gates:
		return gateTrend(tr, stderr)
	case len(tr.Points) == 0:
		return statusNotJudged
	}
	return statusOK
}

// gateTrend is the exit status of a trend with --gate.
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
