package main

import (
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"perfdiff/analyze"
	"perfdiff/diff"
)

// subcommands are what the first argument can be beside a run set. A run set of
// such a name is given as ./demo.
var subcommands = map[string]func(ctx context.Context, args []string, stdout, stderr io.Writer) int{
	"demo": demo, "summarize": summarize, "noise": noise, "trend": trend, "policy": showPolicy, "check": check, "steps": steps,
	"gate": gate,
}

// run is the whole program.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	log := newBuildLog(stdout, stderr)
	stdout, stderr = log.streams(stdout, stderr)
	status := perform(ctx, args, stdout, stderr)
	if err := log.resume(); err != nil && status == statusOK {
		return statusError // the last lines could not be printed, and nowhere can that be said
	}
	return status
}

// perform does what the arguments ask for.
func perform(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	if len(args) > 0 {
		if args[0] == "help" { // perfdiff help noise is perfdiff noise --help
			if args = args[1:]; len(args) > 0 && args[0] == metricsTopic {
				return explainMetrics(args[1:], stdout, stderr)
			}
			args = append(args, "--help")
		}
		if sub := subcommands[args[0]]; sub != nil {
			return sub(ctx, args[1:], stdout, stderr)
		}
	}
	c, err := parse(args)
	switch {
	case errors.Is(err, errHelp):
		return printed(stdout, stderr, help)
	case errors.Is(err, errVersion):
		return printed(stdout, stderr, version()+"\n")
	case err != nil:
		return fail(stderr, err, "perfdiff --help shows usage and examples")
	}
	report, err := compare(ctx, c, stderr)
	switch {
	case ctx.Err() != nil:
		say(stderr, "error", "interrupted; nothing was written")
		return statusInterrupted
	case err != nil:
		return fail(stderr, err, meant(args[0]))
	}
	return c.finish(report, stdout, stderr)
}

// finish writes what was asked for of a report, and returns the exit status.
func (c *command) finish(report *diff.Report, stdout, stderr io.Writer) int {
	if err := c.write(report, stdout); err != nil {
		return fail(stderr, err, "")
	}
	if c.quiet { // the summary would have shown them
		c.sayPolicy(stderr)
		warn(stderr, report.Warnings)
		if status := c.status(report); status != statusOK {
			say(stderr, string(report.Gate.State), strings.TrimSpace(report.Headline+" "+report.GateLine()))
		}
	}
	return c.status(report)
}

// meant is a hint where the first argument is no file and looks like a command.
func meant(first string) string {
	if _, err := os.Stat(first); err == nil || len(first) < 3 {
		return ""
	}
	for _, name := range slices.Sorted(maps.Keys(subcommands)) {
		if strings.HasPrefix(name, first[:3]) || strings.HasSuffix(name, first[1:]) {
			return "perfdiff " + name + " is a command"
		}
	}
	return ""
}

// compare loads both sides and what came before, and compares them. The history comes
// first: it is small, and a mistake in it should not cost reading the profiles.
func compare(ctx context.Context, c *command, stderr io.Writer) (*diff.Report, error) {
	history, err := analyze.LoadHistory(c.history, c.Load)
	if err != nil {
		return nil, err
	}
	c.Load.Past = analyze.MarkersOf(history)
	base, cand, err := c.loadPair(ctx, c.base, c.cand, stderr)
	if err != nil {
		return nil, err
	}
	c.fold(base, cand, history)
	opt := diff.Options{Tool: version(), History: history, Warnings: append(c.noPastRuns(history), c.dates()...)}
	if len(history) > 0 {
		opt.Level = diff.LevelOf(base, cand, history, c.Policy)
		base = opt.Level.Base
	}
	return diff.Compare(base, cand, c.Policy, opt), nil
}

// loadPair loads the two sides with a progress bar for each.
func (c *command) loadPair(ctx context.Context, base, cand string, stderr io.Writer) (b, d *analyze.Set, err error) {
	bars := newProgress(stderr, c.quiet)
	defer bars.stop()
	return analyze.LoadPair(ctx,
		analyze.Side{Name: "baseline", Path: base, Progress: bars.side("baseline")},
		analyze.Side{Name: "candidate", Path: cand, Progress: bars.side("candidate")}, c.Load)
}
