package main

import (
	"context"
	"fmt"
	"io"

	"perfdiff/analyze"
	"perfdiff/diff"
	"perfdiff/render"
)

// check compares a run set with itself, and with known changes put into it.
func check(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var sizes []float64
	c, status := begin("check", args, stdout, stderr, func(c *command) (err error) {
		if err = c.takeRules(); err == nil {
			err = c.takeReading()
		}
		if err == nil {
			err = parseGate(c, c.line.text("gate"))
		}
		if err == nil {
			sizes, err = injected(c.line.list("inject"))
		}
		return err
	})
	if c == nil {
		return status
	}
	c.history = c.line.list("history")
	history, err := analyze.LoadHistory(c.history, c.Load)
	if err != nil {
		return printError(stderr, err, "")
	}
	set, status := c.loadOne(ctx, c.line.Arg(0), stderr)
	if set == nil {
		return status
	}
	c.anonymizePast(history)
	c.printDoubts(set, stderr)
	printWarnings(stderr, append(c.emptyHistoryWarning(history), c.waiverWarnings()...))
	r := diff.Check(set, c.Policy, diff.Options{Tool: version(), History: history}, sizes)
	if err := render.Check(stdout, r); err != nil {
		return printError(stderr, writeError("standard output", err), "")
	}
	switch {
	case !r.Judged:
		return statusNotJudged
	case !r.OK():
		return statusRegressed
	}
	return statusOK
}

// injected reads the sizes of changes that are put in, 3% and 10% where none is given.
func injected(texts []string) (sizes []float64, err error) {
	if texts == nil {
		texts = []string{"3%", "10%"}
	}
	for _, text := range texts {
		v, err := parseFraction(text)
		if err != nil {
			return nil, fmt.Errorf("--inject %s: %w", text, err)
		}
		sizes = append(sizes, v)
	}
	return sizes, nil
}
