package main

import (
	"context"
	"fmt"
	"io"

	"perfdiff/analyze"
	"perfdiff/diff"
	"perfdiff/render"
)

// steps lists what may mark the steps of one run set, or of two that are to be compared.
func steps(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	c := newCommand()
	f := newFlags()
	check := loadFlags(f, c)
	help := f.BoolP("help", "h", false, "")
	err := f.Parse(args)
	switch {
	case err == nil && *help:
		return printed(stdout, stderr, helpOf("steps"))
	case err == nil && f.NArg() != 1 && f.NArg() != 2:
		err = fmt.Errorf("expected one RUNSET or two, got %d arguments", f.NArg())
	case err == nil:
		err = check()
	}
	if err != nil {
		return fail(stderr, err, "perfdiff steps --help shows usage and examples")
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
			say(stderr, "error", "interrupted; nothing was written")
			return statusInterrupted
		case err != nil:
			return fail(stderr, err, "")
		}
	}
	c.fold(base, cand, nil)
	all := diff.Candidates(base, cand)
	if err := render.Candidates(stdout, all, cand != nil, terminal(stdout)); err != nil {
		return fail(stderr, unwritten("standard output", err), "")
	}
	if len(all) == 0 {
		return statusNotJudged
	}
	return statusOK
}
