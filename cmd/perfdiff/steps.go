package main

import (
	"context"
	"fmt"
	"io"

	"perfdiff/analyze"
	"perfdiff/diff"
	"perfdiff/render"
)

// steps lists what may mark the steps of one run set, or of two.
func steps(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	c := newCommand()
	f := newFlags()
	check := loadFlags(f, c)
	help := f.BoolP("help", "h", false, "")
	err := f.Parse(args)
	switch {
	case err == nil && *help:
		return printText(stdout, stderr, helpOf("steps"))
	case err == nil && f.NArg() != 1 && f.NArg() != 2:
		err = fmt.Errorf("expected one RUNSET or two, got %d arguments", f.NArg())
	case err == nil:
		err = check()
	}
	if err != nil {
		return printError(stderr, err, "perfdiff steps --help shows usage and examples")
	}
	c.Load.Candidates = true
	var base, cand *analyze.Set
	if f.NArg() == 1 {
		var status int
		if base, status = c.loadOne(ctx, f.Arg(0), stderr); base == nil {
			return status
		}
	} else {
		base, cand, err = c.loadPair(ctx, f.Arg(0), f.Arg(1), stderr)
		switch {
		case ctx.Err() != nil:
			printMessage(stderr, "error", "interrupted; nothing was written")
			return statusInterrupted
		case err != nil:
			return printError(stderr, err, "")
		}
	}
	c.anonymizeSides(base, cand, nil)
	all := diff.Candidates(base, cand)
	if err := render.Candidates(stdout, all, cand != nil, textOptions(stdout)); err != nil {
		return printError(stderr, writeError("standard output", err), "")
	}
	if len(all) == 0 {
		return statusNotJudged
	}
	return statusOK
}
