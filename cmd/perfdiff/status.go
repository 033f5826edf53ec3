package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"perfdiff/diff"
	"perfdiff/render"
	"slices"
	"strings"
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

// say prints one message as one line: what it names may have been chosen by
// whoever wrote the files.
func say(stderr io.Writer, kind, text string) {
	fmt.Fprintf(stderr, "perfdiff: %s: %s\n", kind, render.Line(text))
}

// fail prints an error and a hint and returns the status of errors.
func fail(stderr io.Writer, err error, hint string) int {
	for _, e := range joined(err) {
		say(stderr, "error", e.Error())
	}
	if hint != "" {
		say(stderr, "hint", hint)
	}
	return statusError
}

// joined are the errors that errors.Join put together; one that wraps several
// in a sentence of its own is one.
func joined(err error) []error {
	if j, ok := err.(interface{ Unwrap() []error }); ok && errors.Join(j.Unwrap()...).Error() == err.Error() {
		return j.Unwrap()
	}
	return []error{err}
}

// warn prints the warnings of a report; of those that several files have in common how
// many they are, and the first.
func warn(stderr io.Writer, warnings []diff.Warning) {
	for _, w := range warnings {
		text := strings.Join(slices.DeleteFunc([]string{w.Side, w.File, w.Text}, func(s string) bool { return s == "" }), ": ")
		switch {
		case w.Count > 1 && w.First != "":
			text += fmt.Sprintf(" (%d files, the first is %s)", w.Count, w.First)
		case w.Count > 1:
			text += fmt.Sprintf(" (%d times)", w.Count)
		}
		say(stderr, "warning", text)
	}
}

// cause is the reason of a path's error without the paths: the one that was
// asked for is named already.
func cause(err error) error {
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
