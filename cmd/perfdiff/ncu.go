package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"perfdiff/analyze/source/ncu"
	"perfdiff/diff/compute"
	"perfdiff/render"
	"perfdiff/render/words"
)

// compareKernels compares kernels that Nsight Compute replayed.
func compareKernels(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var opt ncu.Options
	c, status := begin("ncu", args, stdout, stderr, func(c *command) (err error) {
		l := c.line
		if opt.Timeout, err = l.timeout(); err != nil {
			return err
		}
		if err := c.Read(l.text("policy")); err != nil {
			return err
		}
		return errors.Join(parseThreshold(c, l.text("threshold")), c.parseReplayOutputs(l.list("output"), l.text("format")),
			c.parseNames(l.text("names")), c.CheckNames(2), l.checkOutputs(nil, l.Args()))
	})
	if c == nil {
		return status
	}
	report, err := c.loadKernels(ctx, c.line.Arg(0), c.line.Arg(1), opt)
	if err != nil || ctx.Err() != nil {
		return failed(ctx, err, "", stderr)
	}
	if err := c.writeKernels(ctx, report, stdout); err != nil {
		return unwritten(err, stderr)
	}
	if c.quiet {
		c.printKernelWarnings(report, stderr)
	}
	return c.statusOfKernels(report)
}

// parseReplayOutputs does what parseOutputs does without the formats that hold steps.
func (c *command) parseReplayOutputs(paths []string, format string) error {
	for _, path := range paths {
		as, err := render.FormatOf(path)
		if path == "-" {
			as, err = render.ParseFormat(format)
		}
		switch hold := err == nil && (as == render.JUnit || as == render.SVG); {
		case path == "-" && hold:
			return fmt.Errorf("--format %s: kernels of Nsight Compute are printed as text, markdown, json or html", format)
		case path != "-" && (hold || err != nil):
			return fmt.Errorf("%s: kernels of Nsight Compute are written as .html, .json, .md or .txt", path)
		}
	}
	return parseOutputs(c, paths, format)
}

// loadKernels reads both sides and compares them.
func (c *command) loadKernels(ctx context.Context, base, cand string, opt ncu.Options) (*compute.Report, error) {
	a, err := ncu.Load(ctx, base, opt)
	if err != nil {
		return nil, err
	}
	b, err := ncu.Load(ctx, cand, opt)
	if err != nil {
		return nil, err
	}
	for i, set := range []*ncu.Set{a, b} {
		if i < len(c.Names) {
			set.Label = c.Names[i]
		}
	}
	return compute.Compare(a, b, c.Policy), nil
}

// writeKernels writes the outputs, each whole or not at all, and the summary.
func (c *command) writeKernels(ctx context.Context, r *compute.Report, stdout io.Writer) error {
	write := func(w io.Writer, format render.Format, opt render.Options) error {
		return render.WriteReplay(w, r, version(), format, opt)
	}
	for _, o := range c.outputs {
		if err := o.put(ctx, stdout, write); err != nil {
			return err
		}
	}
	if c.quiet || c.reportOnStdout() {
		return nil
	}
	return printSummary(stdout, c.pageName(), write)
}

// printKernelWarnings prints the warnings that the summary would have shown.
func (c *command) printKernelWarnings(r *compute.Report, stderr io.Writer) {
	for _, w := range r.Warnings {
		printMessage(stderr, "warning", []string{"baseline", "candidate"}[w.Side]+": "+w.File+": "+w.Text)
	}
	for side, name := range []string{"baseline", "candidate"} {
		for _, f := range r.Sides[side].Files {
			if f.Err != "" {
				printMessage(stderr, "warning", name+": "+f.Name+": could not be read: "+f.Err)
			}
		}
	}
	if r.State != compute.Passed {
		printMessage(stderr, words.ReplayState(r), words.ReplayHeadline(r))
	}
}

// statusOfKernels returns the exit status. What was not judged has not passed.
func (c *command) statusOfKernels(r *compute.Report) int {
	switch {
	case r.State == compute.Passed, r.State == compute.Failed && c.Policy.WarnOnly:
		return statusOK
	case r.State == compute.Failed:
		return statusRegressed
	}
	return statusNotJudged
}

// pageOfKernels returns the path of the page of kernels that goes with a report: report-ncu.html.
func pageOfKernels(path string) string {
	ext := filepath.Ext(path)
	return path[:len(path)-len(ext)] + "-ncu" + ext
}
