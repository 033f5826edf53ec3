package main

import (
	"context"
	"errors"
	"io"

	"perfdiff/diff"
	"perfdiff/render"
)

// steps lists what may mark the steps of one run set, or of two.
func steps(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	c, status := begin("steps", args, stdout, stderr, func(c *command) error {
		return errors.Join(c.takeReading(), takeListings(c))
	})
	if c == nil {
		return status
	}
	c.Load.Candidates = true
	base, cand, status := c.loadOneOrTwo(ctx, c.line.Args(), stderr)
	if base == nil {
		return status
	}
	all := diff.Candidates(base, cand)
	if err := c.listings.write(ctx, render.CandidateListing(all, cand != nil)); err != nil {
		return printError(stderr, err, "")
	}
	if err := render.Candidates(stdout, all, cand != nil, textOptions(stdout)); err != nil {
		return printedStatus(stderr, err)
	}
	if len(all) == 0 {
		return statusNotJudged
	}
	return statusOK
}
