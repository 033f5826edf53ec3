package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"perfdiff/analyze/source/ncu"
	"perfdiff/diff"
	"perfdiff/render"
)

// checkKernelFiles checks --ncu before any file is read.
func (c *command) checkKernelFiles() error {
	if c.kernelFiles == "" {
		return nil
	}
	if base, cand, ok := strings.Cut(c.kernelFiles, ","); !ok || base == "" || cand == "" || strings.Contains(cand, ",") {
		return fmt.Errorf("--ncu %s: must be BASE,CAND: what Nsight Compute printed of the baseline and of the candidate", c.kernelFiles)
	}
	var errs []error
	pages := 0
	for _, o := range c.outputs {
		if o.format != render.HTML || o.path == "-" {
			continue
		}
		pages++
		page := pageOfKernels(o.path)
		if slices.ContainsFunc(c.outputs, func(o output) bool { return filepath.Clean(o.path) == filepath.Clean(page) }) {
			errs = append(errs, fmt.Errorf("%s: is where the page of kernels is written: name another file", page))
			continue
		}
		errs = append(errs, checkWritable(page))
	}
	if pages == 0 {
		errs = append(errs, errors.New("--ncu: its page is written beside a report and linked from it: name one, as in -o report.html"))
	}
	return errors.Join(errs...)
}

// loadKernelFiles reads and compares what --ncu names. It is done before the long work.
func (c *command) loadKernelFiles(ctx context.Context) (err error) {
	if c.kernelFiles == "" {
		return nil
	}
	base, cand, _ := strings.Cut(c.kernelFiles, ",")
	if c.kernels, err = c.loadKernels(ctx, base, cand, ncu.Options{Timeout: c.Load.Reports.Timeout}); err != nil {
		return fmt.Errorf("--ncu: %w", err)
	}
	return nil
}

// linkKernels writes the page of kernels next to a page, and returns where each kernel is on it. It says if no kernel
// is on both: the report would look as if --ncu had not been given.
func (c *command) linkKernels(o output, r *diff.Report, stderr io.Writer) (opt render.Options, err error) {
	if c.kernels == nil || o.format != render.HTML {
		return opt, nil
	}
	page := pageOfKernels(o.path)
	if err := replaceFile(page, func(w io.Writer) error {
		return render.WriteReplay(w, c.kernels, version(), render.HTML, render.Options{})
	}); err != nil {
		return opt, err
	}
	opt.Kernels = render.KernelLinks(r, c.kernels, filepath.Base(page))
	if len(opt.Kernels) == 0 {
		printMessage(stderr, "warning", fmt.Sprintf("--ncu: no kernel of the timeline is in what Nsight Compute recorded of both sides: the report has no link to %s "+
			"(record the same program: perfdiff help kernels)", page))
	}
	return opt, nil
}
