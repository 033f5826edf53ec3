package main

import (
	"context"
	"errors"
	"io"

	"perfdiff/analyze"
)

// mergeParts puts a run set together of the parts that its shards left, and saves it.
func mergeParts(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	c := newCommand()
	f := newFlags()
	ranks := f.String("ranks", "", "")
	runs := f.String("runs", "", "")
	rankName := f.String("rank-name", "", "")
	maxMemory := f.String("max-memory", "", "")
	f.BoolVar(&c.Load.Strict, "strict", false, "")
	f.BoolVar(&c.anonymize, "anonymize", false, "")
	f.BoolVarP(&c.quiet, "quiet", "q", false, "")
	missing := f.Bool("allow-missing", false, "")
	var out string
	onceFlag(f, &out, "output", "o")
	policy := f.String("policy", "", "")
	from := originFlags(f)
	help := f.BoolP("help", "h", false, "")
	c.Unjudged = true
	err := f.Parse(args)
	switch {
	case err == nil && *help:
		return printText(stdout, stderr, helpOf("merge"))
	case err != nil:
	case f.NArg() == 0:
		err = errors.New("expected PARTS, a directory of parts, as in: perfdiff merge parts/ -o run.perfdiff")
	case out == "":
		err = errors.New("-o FILE is missing: name the file to write, as in: perfdiff merge parts/ -o run.perfdiff")
	case *missing && c.Load.Strict:
		err = errors.New("--allow-missing and --strict exclude each other")
	default:
		err = errors.Join(checkEmpty(f), c.Read(*policy), parseMemory(c, *maxMemory), flagError("--ranks "+*ranks, c.TakeRanks(*ranks)),
			parseRuns(c, *runs), parseRankName(c, *rankName), checkOrigin(from), checkSummaryPath(out),
			checkOutputs(f, nil, f.Args()))
		c.notePolicySource(f)
	}
	if err != nil {
		return printError(stderr, err, "perfdiff merge --help shows usage and examples")
	}
	set, status := c.mergeOne(ctx, f.Args(), *missing, stderr)
	if set == nil {
		return status
	}
	return c.saveSummary(set, *from, out, stdout, stderr)
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
	if c.anonymize {
		analyze.Anonymize([]analyze.Named{{Label: "run set", Set: set}})
	}
	return set, statusOK
}
