package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"perfdiff/analyze"
	"perfdiff/render"
)

// summarize saves what was measured of a run set, without its profiles.
func summarize(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	c := newCommand()
	f := newFlags()
	check := loadFlags(f, c)
	var out string
	onceFlag(f, &out, "output", "o")
	policy := f.String("policy", "", "")
	from := originFlags(f)
	share := newShardFlags(f)
	help := f.BoolP("help", "h", false, "")
	c.Unjudged = true
	err := f.Parse(args)
	switch {
	case err == nil && *help:
		return printText(stdout, stderr, helpOf("summarize"))
	case err != nil:
	case f.NArg() != 1:
		err = fmt.Errorf("expected one RUNSET, got %d arguments", f.NArg())
	case out == "" && share.asked(f):
		err = errors.New("-o DIR is missing: name the directory that the part is written into, as in: perfdiff summarize candidate/ --shard 0/4 -o parts/")
	case out == "":
		err = errors.New("-o FILE is missing: name the file to write, as in: perfdiff summarize candidate/ -o main.perfdiff")
	case share.asked(f):
		req, err := share.request(f, out)
		if err = errors.Join(err, c.Read(*policy), check()); err != nil {
			return printError(stderr, err, "perfdiff summarize --help shows usage and examples")
		}
		return c.summarizeShard(ctx, f.Arg(0), req, stdout, stderr)
	default:
		err = errors.Join(c.Read(*policy), check(), checkOrigin(from), checkSummaryPath(out), checkOutputs(f, f.Args(), nil))
		c.notePolicySource(f)
	}
	if err != nil {
		return printError(stderr, err, "perfdiff summarize --help shows usage and examples")
	}
	set, status := c.loadOne(ctx, f.Arg(0), stderr)
	if set == nil {
		return status
	}
	return c.saveSummary(set, *from, out, stdout, stderr)
}

// checkSummaryPath is the error if no summary can be written to a path, or if its name would say
// that it is something else.
func checkSummaryPath(path string) error {
	return cmp.Or(refuseDash("-o", path, "a saved summary is no text"), checkEnding(path, summaryEnding), checkWritable(path))
}

// saveSummary writes a run set as a saved summary, says what it is, and returns the exit status.
func (c *command) saveSummary(set *analyze.Set, from analyze.Origin, out string, stdout, stderr io.Writer) int {
	if !set.RunsKnown() { // a summary would settle what nobody has
		c.printDoubts(set, stderr)
		return statusNotJudged
	}
	setOrigin(set, from)
	data, err := analyze.Summary(set)
	if err == nil {
		err = replaceFile(out, func(w io.Writer) error { _, err := w.Write(data); return err })
	}
	if err != nil {
		return printError(stderr, err, "")
	}
	c.printDoubts(set, stderr)
	c.printSetWarnings(set.Warnings, stderr)
	if c.quiet {
		return statusOK
	}
	text := fmt.Sprintf("wrote %s: %s, %.1f MB\n", render.Line(out), runsOfRanks(set), float64(len(data))/1e6)
	if p := c.readingPolicyLine(); p != "" {
		text = render.Line(p) + "\n" + text
	}
	return printText(stdout, stderr, text)
}

// runsOfRanks says how many runs of how many ranks there are.
func runsOfRanks(set *analyze.Set) string {
	least, most, all := math.MaxInt, 0, 0
	for _, r := range set.Runs {
		n := len(r.Ranks)
		least, most, all = min(least, n), max(most, n), all+n
	}
	switch text := countText(len(set.Runs), "run") + " of "; {
	case len(set.Runs) < 2:
		return text + countText(all, "rank")
	case least == most:
		return text + countText(most, "rank") + " each"
	default:
		return text + countText(all, "rank") + " in all"
	}
}

// printSetWarnings prints warnings of one run set.
func (c *command) printSetWarnings(warnings []analyze.Warning, stderr io.Writer) {
	for _, w := range warnings {
		text := w.Text
		if w.File != "" {
			text = w.File + ": " + text
		}
		printMessage(stderr, "warning", text)
	}
}

// printDoubts prints what is not known of a set.
func (c *command) printDoubts(set *analyze.Set, stderr io.Writer) {
	for _, d := range set.Doubts {
		printMessage(stderr, "warning", set.Label+": "+d.Text)
		printMessage(stderr, "hint", d.Hint)
	}
}

// loadOne loads one run set with a progress bar. If that fails it prints the error and returns
// nil with the exit status.
func (c *command) loadOne(ctx context.Context, path string, stderr io.Writer) (*analyze.Set, int) {
	bars := newProgress(stderr, c.quiet)
	opt := c.Load
	opt.Progress = bars.side("run set")
	set, err := analyze.Load(ctx, path, opt)
	bars.stop()
	switch {
	case ctx.Err() != nil:
		printMessage(stderr, "error", "interrupted; nothing was written")
		return nil, statusInterrupted
	case err != nil:
		return nil, printError(stderr, err, "")
	}
	if c.anonymize {
		analyze.Anonymize([]analyze.Named{{Label: "run set", Set: set}})
	}
	return set, statusOK
}

// countText writes "1 run" and "3 runs".
func countText(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
