package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"perfdiff/analyze"
	"perfdiff/diff"
	"perfdiff/render"
)

// summarize saves what was measured of a run set, without its profiles.
func summarize(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var req *analyze.ShardRequest
	c, status := begin("summarize", args, stdout, stderr, func(c *command) (err error) {
		l := c.line
		c.Unjudged = true
		switch sharded := l.given("shard") || l.given("plan"); {
		case l.text("output") == "" && sharded:
			return errors.New("-o DIR is missing: name the directory that the part is written into, as in: perfdiff summarize candidate/ --shard 0/4 -o parts/")
		case l.text("output") == "":
			return errors.New("-o FILE is missing: name the file to write, as in: perfdiff summarize candidate/ -o main.perfdiff")
		case sharded:
			req, err = l.shardRequest()
			return errors.Join(err, c.takeRules(), c.takeReading())
		}
		return errors.Join(c.takeRules(), c.takeReading(), checkOrigin(l.origin()), checkSummaryPath(l.text("output")), l.checkOutputs(l.Args(), nil))
	})
	switch {
	case c == nil:
		return status
	case req != nil:
		return c.summarizeShard(ctx, c.line.Arg(0), *req, stdout, stderr)
	}
	set, status := c.loadOne(ctx, c.line.Arg(0), stderr)
	if set == nil {
		return status
	}
	return c.saveSummary(set, *c.line.origin(), c.line.text("output"), stdout, stderr)
}

// checkSummaryPath returns the error if no summary can be written to a path, or if its name would say
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

// printSetWarnings prints warnings of one run set, each text once.
func (c *command) printSetWarnings(warnings []analyze.Warning, stderr io.Writer) {
	var all []diff.Warning
	at := map[string]int{}
	for _, w := range warnings {
		i, said := at[w.Text]
		if !said {
			at[w.Text], all = len(all), append(all, diff.Warning{Warning: w, Count: 1})
			continue
		}
		of := &all[i]
		if of.Count++; of.File != w.File {
			of.First, of.File = cmp.Or(of.First, of.File), ""
		}
	}
	printWarnings(stderr, all)
}

// printDoubts prints what is not known about a set.
func (c *command) printDoubts(set *analyze.Set, stderr io.Writer) {
	for _, d := range set.Doubts {
		printMessage(stderr, "warning", set.Label+": "+d.Text)
		printMessage(stderr, "hint", d.Hint)
	}
}

// loadNamed loads a run set with a progress bar of this name.
func loadNamed(ctx context.Context, c *command, path, name string, stderr io.Writer) (*analyze.Set, error) {
	bars := newProgress(stderr, c.quiet)
	defer bars.stop()
	opt := c.Load
	opt.Progress = bars.side(name)
	return analyze.Load(ctx, path, opt)
}

// loadOne loads the only run set. If that fails it prints the error and returns nil with the exit status.
func (c *command) loadOne(ctx context.Context, path string, stderr io.Writer) (*analyze.Set, int) {
	set, err := loadNamed(ctx, c, path, "run set", stderr)
	if err != nil || ctx.Err() != nil {
		return nil, failed(ctx, err, "", stderr)
	}
	c.takeSets(stderr, nil, analyze.Named{Label: "run set", Set: set})
	return set, statusOK
}

// countText writes "1 run" and "3 runs".
func countText(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
