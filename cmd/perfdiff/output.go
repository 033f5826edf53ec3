package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"golang.org/x/term"

	"perfdiff/diff"
	"perfdiff/render"
)

// output is one file to write.
type output struct {
	path   string // "-" is standard output
	format render.Format
}

// write writes the report.
func (o output) write(r *diff.Report) error {
	return replaceFile(o.path, func(w io.Writer) error { return render.Write(w, r, o.format, render.Options{}) })
}

// replaceFile writes what fill gives beside path and renames it there, so that
// a reader sees the old file or the whole new one, and neither an interrupt
// nor a full disk leaves anything else.
func replaceFile(path string, fill func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".perfdiff-*")
	if err != nil {
		return unwritten(path, err)
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
			err = unwritten(path, err)
		}
	}()
	w := bufio.NewWriterSize(f, 1<<20)
	if err = fill(w); err != nil {
		return err
	}
	if err = w.Flush(); err != nil {
		return err
	}
	if err = f.Chmod(0o644); err != nil { // CreateTemp makes files for their owner only
		return err
	}
	if err = f.Close(); err != nil { // network file systems tell only now
		return err
	}
	return os.Rename(f.Name(), path)
}

// writable checks that a file can be made beside path.
func writable(path string) error {
	if st, err := os.Stat(path); err == nil && st.IsDir() {
		return fmt.Errorf("%s: is a directory: name a file in it, as in %s", path, filepath.Join(path, "report.html"))
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".perfdiff-*")
	if err != nil {
		return unwritten(path, err)
	}
	f.Close()
	return os.Remove(f.Name())
}

// printed writes a text of the program's own to standard output and returns the exit status.
func printed(stdout, stderr io.Writer, text string) int {
	if _, err := io.WriteString(forPrograms(stdout, render.Text), text); err != nil {
		return fail(stderr, unwritten("standard output", err), "")
	}
	return statusOK
}

// unwritten is the error of an output, with what to do about its cause.
func unwritten(path string, err error) error {
	err = cause(err)
	remedy := ""
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT), errors.Is(err, syscall.EFBIG):
		remedy = " (free space there, or write to another place with -o)"
	case errors.Is(err, fs.ErrNotExist):
		remedy = " (make the folder first)"
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		remedy = " (write to another place with -o)"
	}
	return fmt.Errorf("%s: cannot be written: %w%s", path, err, remedy)
}

// terminal is how the text summary is laid out on w: the terminal's width, and
// colours unless NO_COLOR asks for none (no-color.org).
func terminal(w io.Writer) render.Options {
	f := asFile(w)
	if f == nil || !term.IsTerminal(int(f.Fd())) {
		return render.Options{}
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		width = 0
	}
	return render.Options{Width: width, Color: os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"}
}
