package main

import (
	"errors"
	"io"
	"os"
	"strings"

	"perfdiff/diff"
	"perfdiff/render"
)

// announce tells the build server that runs perfdiff: on GitHub Actions the
// verdict is annotated on standard output, unless that is taken by a report, and where GITHUB_STEP_SUMMARY names a
// file the Markdown is appended to it.
func announce(r *diff.Report, stdout io.Writer, taken bool) error {
	if os.Getenv("GITHUB_ACTIONS") == "true" && !taken {
		to, err := forRunner(stdout)
		if err == nil {
			err = render.Annotations(to, r)
		}
		if err != nil {
			return unwritten("standard output", err)
		}
	}
	path := os.Getenv("GITHUB_STEP_SUMMARY")
	if path == "" {
		return nil
	}
	var b strings.Builder
	if err := render.Write(&b, r, render.Markdown, render.Options{}); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return unwritten("the job summary (GITHUB_STEP_SUMMARY)", err)
	}
	_, err = io.WriteString(f, b.String()+"\n")
	if err = errors.Join(err, f.Close()); err != nil {
		return unwritten("the job summary (GITHUB_STEP_SUMMARY)", err)
	}
	return nil
}
