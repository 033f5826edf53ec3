package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"

	"perfdiff/diff"
	"perfdiff/render"
)

// portrait writes what one run set looks like, without a comparison.
func portrait(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	c, status := begin("report", args, stdout, stderr, func(c *command) error {
		c.Unjudged = true
		return errors.Join(c.takeRules(), c.takeReading(), c.parsePortraits(c.line.list("output")), c.line.checkOutputs(c.line.Args(), nil))
	})
	if c == nil {
		return status
	}
	set, status := c.loadOne(ctx, c.line.Arg(0), stderr)
	if set == nil {
		return status
	}
	p := diff.Describe(set, c.Policy, diff.Options{Tool: version()})
	if err := c.writePortrait(ctx, p, stdout); err != nil {
		return printError(stderr, err, "")
	}
	if c.quiet {
		printWarnings(stderr, p.Warnings)
	}
	if math.IsNaN(p.Step) {
		printMessage(stderr, "not measured", "no steps were found, so that nothing of a step is told")
		return statusNotJudged
	}
	return statusOK
}

// parsePortraits checks that each output is a page, a text, JSON or tables, and can be written.
func (c *command) parsePortraits(paths []string) error {
	var reports, tables []string
	for _, path := range paths {
		if path == "-" {
			return errors.New("-o -: the text is printed anyway: name a file for the page or JSON, as in -o values.json")
		}
		as, err := render.FormatOf(path)
		switch {
		case err == nil && (as == render.HTML || as == render.Text || as == render.JSON):
			reports = append(reports, path)
		case render.IsListing(path):
			tables = append(tables, path)
		default:
			return fmt.Errorf("%s: a report on one run set is written as .html, .txt, .json, .md or .csv (perfdiff summarize saves what was measured, to be compared later)", path)
		}
	}
	return errors.Join(parseOutputs(c, reports, ""), c.listings.take(tables))
}

func (c *command) writePortrait(ctx context.Context, p *diff.Portrait, stdout io.Writer) error {
	for _, o := range c.outputs {
		if err := replaceFile(o.path, func(w io.Writer) error { return render.WritePortrait(w, p, o.format, render.Options{}) }); err != nil {
			return err
		}
	}
	if err := c.listings.write(ctx, render.PortraitListing(p)); err != nil {
		return err
	}
	if c.quiet {
		return nil
	}
	opt := textOptions(stdout)
	opt.Tables = c.tables
	for _, o := range c.outputs {
		if o.format == render.HTML {
			opt.Page = o.path
		}
	}
	if !c.anonymize {
		opt.Set = c.line.Arg(0)
	}
	return writeError(standardOutput, render.WritePortrait(stdout, p, render.Text, opt))
}
