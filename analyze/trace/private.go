package trace

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"regexp"
	"strings"
)

// WithoutPath returns the cause of err without the path or the command that it was about,
// which can name a user and which messages give as their reader wrote it.
func WithoutPath(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	if e, ok := errors.AsType[*os.LinkError](err); ok {
		return e.Err
	}
	if e, ok := errors.AsType[*exec.Error](err); ok {
		return e.Err
	}
	return err
}

var (
	quotedPath = regexp.MustCompile(`"[^"]*[/\\~][^"]*"|'[^']*[/\\~][^']*'`) // with blanks in it
	pathWord   = regexp.MustCompile(`[^\s'"]*[/\\~][^\s'"]*`)
	assignment = regexp.MustCompile(`\b([A-Za-z_][A-Za-z0-9_]*)=\S+`)
)

// WithoutPrivate returns a profiler's message on one line without paths and values of variables, which name users,
// machines and secrets. A word with a slash that is no path goes too: rather a gap in a message than a path in a
// report.
func WithoutPrivate(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	s = assignment.ReplaceAllString(s, "$1=…")
	s = quotedPath.ReplaceAllString(s, "…")
	return pathWord.ReplaceAllString(s, "…")
}
