package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"perfdiff/diff"
	"perfdiff/render"
	"perfdiff/render/words"
)

// The exit statuses.
const (
	statusOK          = 0
	statusRegressed   = 1
	statusError       = 2
	statusNotJudged   = 3
	statusMoreRuns    = 4
	statusInterrupted = 130
)

// printMessage prints a message on one line. It cleans the text, because names in it may have
// been chosen by whoever wrote the files.
func printMessage(stderr io.Writer, kind, text string) {
	fmt.Fprintf(stderr, "perfdiff: %s: %s\n", kind, render.Line(text))
}

// printError prints an error and a hint, and returns the exit status for errors.
func printError(stderr io.Writer, err error, hint string) int {
	for _, e := range joinedErrors(err) {
		printMessage(stderr, "error", e.Error())
	}
	if hint != "" {
		printMessage(stderr, "hint", hint)
	}
	return statusError
}

// joinedErrors returns the errors that errors.Join joined. An error that wraps several in a
// sentence of its own counts as one.
func joinedErrors(err error) []error {
	if j, ok := err.(interface{ Unwrap() []error }); ok && errors.Join(j.Unwrap()...).Error() == err.Error() {
		return j.Unwrap()
	}
	return []error{err}
}

// printWarnings prints the warnings of a report. One that several files share says how many
// they are, and names the first.
func printWarnings(stderr io.Writer, warnings []diff.Warning) {
	for i := range warnings {
		w := &warnings[i]
		text := strings.Join(slices.DeleteFunc([]string{w.Side, w.File, words.Warning(w)}, func(s string) bool { return s == "" }), ": ")
		switch {
		case w.Count > 1 && w.First != "":
			text += fmt.Sprintf(" (%d files, the first is %s)", w.Count, w.First)
		case w.Count > 1:
			text += fmt.Sprintf(" (%d times)", w.Count)
		}
		printMessage(stderr, "warning", text)
	}
}

// causeWithoutPath returns the reason in an error about a path, without the path, which the message
// names already.
func causeWithoutPath(err error) error {
	var pe *os.PathError
	var le *os.LinkError // of a rename
	switch {
	case errors.As(err, &pe):
		return pe.Err
	case errors.As(err, &le):
		return le.Err
	}
	return err
}
