package main

import (
	"context"
	"errors"
	"io"

	"perfdiff/analyze"
)

// mergeParts puts a run set together of the parts that its shards left, and saves it.
func mergeParts(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	c, status := begin("merge", args, stdout, stderr, func(c *command) error {
		l := c.line
		c.Unjudged = true
		switch {
		case l.text("output") == "":
			return errors.New("-o FILE is missing: name the file to write, as in: perfdiff merge parts/ -o run.perfdiff")
		case l.yes("allow-missing") && l.yes("strict"):
			return errors.New("--allow-missing and --strict exclude each other")
		}
		return errors.Join(c.takeRules(), c.takeReading(), checkOrigin(l.origin()), checkSummaryPath(l.text("output")), l.checkOutputs(nil, l.Args()))
	})
	if c == nil {
		return status
	}
	set, status := c.mergeOne(ctx, c.line.Args(), c.line.yes("allow-missing"), stderr)
	if set == nil {
		return status
	}
	return c.saveSummary(set, *c.line.origin(), c.line.text("output"), stdout, stderr)
}

// mergeOne puts the run set together. If that fails it prints the error and returns nil with the exit
// status.
func (c *command) mergeOne(ctx context.Context, parts []string, partial bool, stderr io.Writer) (*analyze.Set, int) {
	bars := newProgress(stderr, c.quiet)
	opt := c.Load
	opt.Progress = bars.side("parts")
	set, warnings, err := analyze.MergeParts(ctx, parts, version(), partial, opt)
	bars.stop()
	if err != nil || ctx.Err() != nil {
		return nil, shardFailed(ctx, err, stderr)
	}
	c.printSetWarnings(warnings, stderr)
	c.takeSets(stderr, nil, analyze.Named{Label: "run set", Set: set})
	return set, statusOK
}
