package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"golang.org/x/term"

	"perfdiff/diff"
	"perfdiff/render"
)

// output is one file to write.
type output struct {
	path   string // "-" is standard output
	format render.Format
}

// write writes the report beside its place and renames it there, so that a
// reader sees the old file or the whole new one and an interrupt leaves none.
func (o output) write(r *diff.Report) (err error) {
	f, err := os.CreateTemp(filepath.Dir(o.path), ".perfdiff-*")
	if err != nil {
		return fmt.Errorf("%s: cannot be written: %w", o.path, cause(err))
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(f.Name())
			err = fmt.Errorf("%s: cannot be written: %w", o.path, cause(err))
		}
	}()
	w := bufio.NewWriterSize(f, 1<<20)
	if err = render.Write(w, r, o.format, render.Options{}); err != nil {
		return err
	}
	if err = w.Flush(); err != nil {
		return err
	}
	if err = f.Chmod(0o644); err != nil { // CreateTemp makes files for their owner only
		return err
	}
	if err = f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), o.path)
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
