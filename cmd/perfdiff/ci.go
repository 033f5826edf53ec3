package main

import (
	"errors"
	"io"
	"os"
	"strings"

	"perfdiff/diff"
	"perfdiff/render"
)

// announce tells the build server what perfdiff found. On GitHub Actions the verdict is
// annotated on standard output, unless a report goes there (taken), and Markdown is appended to
// the file that GITHUB_STEP_SUMMARY names.
func announce(r *diff.Report, stdout io.Writer, taken bool) error {
	if os.Getenv("GITHUB_ACTIONS") == "true" && !taken {
		to, err := forRunner(stdout)
		if err == nil {
			err = render.Annotations(to, r)
		}
		if err != nil {
			return writeError("standard output", err)
		}
	}
	if os.Getenv("GITHUB_STEP_SUMMARY") == "" {
		return nil
	}
	var b strings.Builder
	if err := render.Write(&b, r, render.Markdown, render.Options{}); err != nil {
		return err
	}
	return toJobSummary(b.String())
}

// announceSeveral does what announce does for several candidates.
func announceSeveral(s *diff.Several, stdout io.Writer, taken bool) error {
	if os.Getenv("GITHUB_ACTIONS") == "true" && !taken {
		to, err := forRunner(stdout)
		if err == nil {
			err = render.AnnotationsOfSeveral(to, s)
		}
		if err != nil {
			return writeError("standard output", err)
		}
	}
	if os.Getenv("GITHUB_STEP_SUMMARY") == "" {
		return nil
	}
	var b strings.Builder
	if err := render.WriteSeveral(&b, s, render.Markdown, render.Options{}); err != nil {
		return err
	}
	return toJobSummary(b.String())
}

// announceNothing does what announce does for a run in which nothing was compared.
func announceNothing(what, why string, failed bool, stdout io.Writer) error {
	if os.Getenv("GITHUB_ACTIONS") == "true" {
		to, err := forRunner(stdout)
		if err == nil {
			err = render.AnnotationsOfNothing(to, what, why, failed)
		}
		if err != nil {
			return writeError("standard output", err)
		}
	}
	var b strings.Builder
	if _, err := render.Nothing(&b, render.Markdown, what, why, failed); err != nil {
		return err
	}
	return toJobSummary(b.String())
}

// toJobSummary appends Markdown to the file that GITHUB_STEP_SUMMARY names, if any.
func toJobSummary(text string) error {
	path := os.Getenv("GITHUB_STEP_SUMMARY")
	if path == "" {
		return nil
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return writeError("the job summary (GITHUB_STEP_SUMMARY)", err)
	}
	_, err = io.WriteString(f, text+"\n")
	if err = errors.Join(err, f.Close()); err != nil {
		return writeError("the job summary (GITHUB_STEP_SUMMARY)", err)
	}
	return nil
}
