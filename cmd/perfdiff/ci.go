package main

import (
	"errors"
	"io"
	"os"
	"strings"

	"perfdiff/render"
)

// writing writes a report in a format.
type writing func(io.Writer, render.Format, render.Options) error

// announce tells the build server what perfdiff found. On GitHub Actions the verdict is
// annotated on standard output, unless a report goes there (taken), and Markdown is appended to
// the file that GITHUB_STEP_SUMMARY names.
func announce(stdout io.Writer, taken bool, annotate func(io.Writer) error, write writing) error {
	if os.Getenv("GITHUB_ACTIONS") == "true" && !taken {
		to, err := forRunner(stdout)
		if err == nil {
			err = annotate(to)
		}
		if err != nil {
			return writeError(standardOutput, err)
		}
	}
	if os.Getenv("GITHUB_STEP_SUMMARY") == "" {
		return nil
	}
	var b strings.Builder
	if err := write(&b, render.Markdown, render.Options{}); err != nil {
		return err
	}
	return toJobSummary(b.String())
}

// announceNothing does what announce does for a run in which nothing was compared.
func announceNothing(what, why string, failed bool, stdout io.Writer) error {
	return announce(stdout, false, func(w io.Writer) error { return render.AnnotationsOfNothing(w, what, why, failed) },
		func(w io.Writer, format render.Format, _ render.Options) error {
			_, err := render.Nothing(w, format, what, why, failed)
			return err
		})
}

// printSummary writes the summary for people to standard output. It names the page that holds the rest.
func printSummary(stdout io.Writer, page string, write writing) error {
	opt := textOptions(stdout)
	opt.Page = page
	return writeError(standardOutput, write(stdout, render.Text, opt))
}

// toJobSummary appends Markdown to the file that GITHUB_STEP_SUMMARY names.
func toJobSummary(text string) error {
	f, err := os.OpenFile(os.Getenv("GITHUB_STEP_SUMMARY"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return writeError("the job summary (GITHUB_STEP_SUMMARY)", err)
	}
	_, err = io.WriteString(f, text+"\n")
	if err = errors.Join(err, f.Close()); err != nil {
		return writeError("the job summary (GITHUB_STEP_SUMMARY)", err)
	}
	return nil
}
