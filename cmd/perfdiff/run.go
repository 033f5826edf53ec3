package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"perfdiff/analyze"
	"perfdiff/diff"
	"perfdiff/render"
)

// The exit statuses.
const (
	statusOK          = 0
	statusRegressed   = 1
	statusError       = 2
	statusNotJudged   = 3
	statusMoreRuns    = 4
	statusInterrupted = 130
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

// say prints one message as one line: what it names may have been chosen by
// whoever wrote the files.
func say(stderr io.Writer, kind, text string) {
	fmt.Fprintf(stderr, "perfdiff: %s: %s\n", kind, render.Line(text))
}

// fail prints an error and a hint and returns the status of errors.
func fail(stderr io.Writer, err error, hint string) int {
	for _, e := range joined(err) {
		say(stderr, "error", e.Error())
	}
	if hint != "" {
		say(stderr, "hint", hint)
	}
	return statusError
}

// joined are the errors that errors.Join put together; one that wraps several
// in a sentence of its own is one.
func joined(err error) []error {
	if j, ok := err.(interface{ Unwrap() []error }); ok && errors.Join(j.Unwrap()...).Error() == err.Error() {
		return j.Unwrap()
	}
	return []error{err}
}

// warn prints the warnings of a report; of those that several files have in common how
// many they are, and the first.
func warn(stderr io.Writer, warnings []diff.Warning) {
	for _, w := range warnings {
		text := strings.Join(slices.DeleteFunc([]string{w.Side, w.File, w.Text}, func(s string) bool { return s == "" }), ": ")
		switch {
		case w.Count > 1 && w.First != "":
			text += fmt.Sprintf(" (%d files, the first is %s)", w.Count, w.First)
		case w.Count > 1:
			text += fmt.Sprintf(" (%d times)", w.Count)
		}
		say(stderr, "warning", text)
	}
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

// write writes the outputs, each whole or not at all, and the summary.
func (c *command) write(r *diff.Report, stdout io.Writer) error {
	summary := !c.quiet
	for _, o := range c.outputs {
		if o.path == "-" { // takes the summary's place
			summary = false
			if err := render.Write(forPrograms(stdout, o.format), r, o.format, terminal(stdout)); err != nil {
				return unwritten("standard output", err)
			}
			continue
		}
		if err := o.write(r); err != nil {
			return err
		}
	}
	if err := c.writeUp(r); err != nil {
		return err
	}
	if err := announce(r, stdout, c.taken()); err != nil {
		return err
	}
	if !summary {
		return nil
	}
	opt := terminal(stdout)
	opt.Page = c.page()
	if err := render.Write(stdout, r, render.Text, opt); err != nil {
		return unwritten("standard output", err)
	}
	return nil
}

// taken reports whether a report goes to standard output.
func (c *command) taken() bool {
	return slices.ContainsFunc(c.outputs, func(o output) bool { return o.path == "-" })
}

// page is the base name of the HTML file that was asked for, "" if none was.
func (c *command) page() string {
	for _, o := range c.outputs {
		if strings.EqualFold(filepath.Ext(o.path), ".html") {
			return filepath.Base(o.path)
		}
	}
	return ""
}

// asFile is w as a file, nil where it is none.
func asFile(w io.Writer) *os.File {
	f, _ := w.(*os.File)
	return f
}
