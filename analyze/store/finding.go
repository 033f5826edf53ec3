package store

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"syscall"

	"perfdiff/analyze/trace"
)

// Finding is what is wrong with a file of a store.
type Finding struct {
	File   string
	Cause  string
	Remedy string // what to do; "" nothing
}

// Text returns a finding without its file.
func (f Finding) Text() string {
	if f.Remedy == "" {
		return f.Cause
	}
	return fmt.Sprintf("%s (%s)", f.Cause, f.Remedy)
}

func (f Finding) String() string { return f.File + ": " + f.Text() }

// Damage is the error about a store that nothing can be judged by: its newest run cannot be read, so that nobody knows
// where main stands, or too many of its runs cannot.
type Damage struct {
	Why     string
	Damaged []Finding // the runs that cannot be read
}

func (d *Damage) Error() string { return d.Why }

// againRemedy is what to do about a file that is not what it was.
const againRemedy = "remove it, or copy it again from where the store was before"

// findingOf returns what an error of reading a file says. Such an error ends with its remedy in parentheses.
func findingOf(file string, err error) Finding {
	text := strings.TrimPrefix(err.Error(), file+": ")
	if i := strings.LastIndex(text, " ("); i > 0 && strings.HasSuffix(text, ")") {
		return Finding{file, text[:i], text[i+2 : len(text)-1]}
	}
	return Finding{file, text, againRemedy}
}

// writeError returns the error about a file that cannot be written, with the remedy for its cause.
func writeError(file, what string, err error) error {
	err = trace.WithoutPath(err)
	remedy := ""
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT), errors.Is(err, syscall.EFBIG):
		remedy = " (what was there is as it was: free space, or keep fewer runs with --keep, and save it again)"
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		remedy = " (what was there is as it was: make it a directory that may be written, or leave --save out)"
	}
	return fmt.Errorf("%s: %s: %w%s", file, what, err, remedy)
}
