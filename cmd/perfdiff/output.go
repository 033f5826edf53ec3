package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
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

// put writes an output: a file whole, or standard output.
func (o output) put(ctx context.Context, stdout io.Writer, write writing) error {
	if o.path == "-" {
		return writeError(standardOutput, write(forPrograms(stdout, o.format), o.format, textOptions(stdout)))
	}
	return replaceFile(o.path, unlessInterrupted(ctx, func(w io.Writer) error { return write(w, o.format, render.Options{}) }))
}

// plainly is a writing of one form.
func plainly(write func(io.Writer) error) writing {
	return func(w io.Writer, _ render.Format, _ render.Options) error { return write(w) }
}

// write writes the report.
func (o output) write(ctx context.Context, r *diff.Report, opt render.Options) error {
	opt.Tables = true
	return replaceFile(o.path, unlessInterrupted(ctx, func(w io.Writer) error { return render.Write(w, r, o.format, opt) }))
}

// replaceFile writes a new file next to path and renames it to path, so that a reader sees the old file or the whole
// new one, and neither an interrupt nor a full disk leaves anything else. If path is a link the link stays, and its
// destination is replaced. Something that is no file, such as a pipe, is written into.
func replaceFile(path string, fill func(io.Writer) error) error {
	at, stream, err := destination(path)
	if err == nil && stream {
		err = writeInto(at, fill)
	} else if err == nil {
		err = writeBeside(at, fill)
	}
	return writeError(path, err)
}

// unlessInterrupted returns a fill that fails at its end if ctx has ended by then, so that the file is not renamed:
// writing takes up to a third of a comparison, and who ends the program in it does not want its outputs.
func unlessInterrupted(ctx context.Context, fill func(io.Writer) error) func(io.Writer) error {
	return func(w io.Writer) error {
		if err := fill(w); err != nil {
			return err
		}
		return ctx.Err()
	}
}

// writeBeside makes a new file and renames it to at.
func writeBeside(at string, fill func(io.Writer) error) (err error) {
	f, err := unfinishedFiles.create(filepath.Dir(at))
	if err != nil {
		return err
	}
	defer func() {
		f.Close()
		unfinishedFiles.drop(f.Name())
	}()
	if err := writeAll(f, fill); err != nil {
		return err
	}
	if err := f.Chmod(0o644); err != nil { // a temporary file is for its owner only
		return err
	}
	if err := f.Close(); err != nil { // network file systems tell only now
		return err
	}
	return os.Rename(f.Name(), at)
}

// replaceByPath replaces a file that can only be written by its name, such as a database. It fails for something that
// is no file, since such a writer does not write from start to end.
func replaceByPath(path string, fill func(path string) error) error {
	at, stream, err := destination(path)
	if err == nil && stream {
		err = errors.New("is no file: name one")
	} else if err == nil {
		err = makeBeside(at, fill)
	}
	return writeError(path, err)
}

// makeBeside has a new file filled by its name, and renames it to at.
func makeBeside(at string, fill func(path string) error) error {
	f, err := unfinishedFiles.create(filepath.Dir(at))
	if err != nil {
		return err
	}
	defer unfinishedFiles.drop(f.Name())
	if err := errors.Join(f.Chmod(0o644), f.Close()); err != nil { // a temporary file is for its owner only
		return err
	}
	if err := fill(f.Name()); err != nil {
		return err
	}
	return os.Rename(f.Name(), at)
}

// writeInto writes to a pipe or device, which may wait for a reader.
func writeInto(at string, fill func(io.Writer) error) error {
	f, err := os.OpenFile(at, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(writeAll(f, fill), f.Close())
}

func writeAll(f *os.File, fill func(io.Writer) error) error {
	w := bufio.NewWriterSize(f, 1<<20)
	if err := fill(w); err != nil {
		return err
	}
	return w.Flush()
}

// maxLinks is how many links in a row are followed: as many as operating systems follow.
const maxLinks = 40

// destination returns where an output to path goes: the end of the links that path is, which need not exist yet.
// stream is true for something that is no file.
func destination(path string) (at string, stream bool, err error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		return path, true, nil
	}
	for range maxLinks {
		to, err := os.Readlink(path)
		if err != nil { // no link
			return path, false, nil
		}
		if !filepath.IsAbs(to) {
			dir, err := filepath.EvalSymlinks(filepath.Dir(path))
			if err != nil {
				return "", false, err
			}
			to = filepath.Join(dir, to)
		}
		path = to
	}
	return "", false, errors.New("too many links")
}

// checkWritable returns an error if no file can be made next to path.
func checkWritable(path string) error {
	if st, err := os.Stat(path); err == nil && st.IsDir() {
		return fmt.Errorf("%s: is a directory: name a file in it, as in %s", path, filepath.Join(path, "report.html"))
	}
	at, stream, err := destination(path)
	if err == nil && !stream {
		var f *os.File
		if f, err = unfinishedFiles.create(filepath.Dir(at)); err == nil {
			f.Close()
			unfinishedFiles.drop(f.Name())
		}
	}
	return writeError(path, err)
}

// unfinishedFiles are files that are being written and have no final name yet.
var unfinishedFiles temporaryFiles

// temporaryFiles are files to be removed when the program ends.
type temporaryFiles struct {
	mu    sync.Mutex
	names []string
}

// create makes a file in dir.
func (d *temporaryFiles) create(dir string) (*os.File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	f, err := os.CreateTemp(dir, ".perfdiff-*")
	if err == nil {
		d.names = append(d.names, f.Name())
	}
	return f, err
}

// drop removes a file, unless it was renamed.
func (d *temporaryFiles) drop(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	os.Remove(name)
	d.names = slices.DeleteFunc(d.names, func(n string) bool { return n == name })
}

// remove removes all of them before the program ends. After it no more can be made.
func (d *temporaryFiles) remove() {
	d.mu.Lock()
	for _, name := range d.names {
		os.Remove(name)
	}
}

// printText writes a text of the program's own to standard output and returns the exit status.
func printText(stdout, stderr io.Writer, text string) int {
	_, err := io.WriteString(forPrograms(stdout, render.Text), text)
	return printedStatus(stderr, err)
}

// printedStatus returns the exit status once something was written to standard output, with an error or without.
func printedStatus(stderr io.Writer, err error) int {
	if err != nil {
		return printError(stderr, writeError(standardOutput, err), "")
	}
	return statusOK
}

// standardOutput is what errors call it.
const standardOutput = "standard output"

// writeError returns the error for an output, with the remedy for its cause; nil for none.
func writeError(path string, err error) error {
	if err == nil {
		return nil
	}
	err = causeWithoutPath(err)
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

// textOptions returns how the text form is laid out on w: in the terminal's width, and in colours
// unless NO_COLOR forbids them (no-color.org).
func textOptions(w io.Writer) render.Options {
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

// asFile returns w as a file, nil if it is none.
func asFile(w io.Writer) *os.File {
	f, _ := w.(*os.File)
	return f
}

// smallReport is of how many steps, times ranks, the outputs of a report are written at once: page and
// JSON of a rank with 98 steps took 18 ms instead of 27. Chosen, not measured: of the largest reports
// each output takes hundreds of megabytes.
const smallReport = 1 << 15

// fileWriters write files one after the other, or at once.
type fileWriters struct {
	atOnce bool
	all    sync.WaitGroup
	errs   []*error // in the order of the files
}

// run writes a file, or begins to, and then returns no error.
func (f *fileWriters) run(write func() error) error {
	if !f.atOnce {
		return write()
	}
	err := new(error)
	f.errs = append(f.errs, err)
	f.all.Go(func() { *err = write() })
	return nil
}

// wait waits for all files and returns the first error.
func (f *fileWriters) wait() error {
	f.all.Wait()
	for _, err := range f.errs {
		if *err != nil {
			return *err
		}
	}
	return nil
}

// write writes the outputs, each whole or not at all, and the summary.
func (c *command) write(ctx context.Context, r *diff.Report, stdout, stderr io.Writer) error {
	summary := !c.quiet && !c.briefOnStdout()
	files := fileWriters{atOnce: c.Load.Jobs != 1 && c.Load.Memory == 0 && len(r.Steps)*len(r.Ranks) <= smallReport}
	defer files.wait()
	for _, o := range c.outputs {
		if o.path == "-" { // takes the summary's place
			summary = false
			if ctx.Err() != nil {
				return ctx.Err()
			}
			opt := textOptions(stdout)
			opt.Tables = true
			if err := render.Write(forPrograms(stdout, o.format), r, o.format, opt); err != nil {
				return writeError(standardOutput, err)
			}
			continue
		}
		opt, err := c.linkKernels(o, r, stderr)
		if err != nil {
			return err
		}
		if err := files.run(func() error { return o.write(ctx, r, opt) }); err != nil {
			return err
		}
	}
	if err := files.wait(); err != nil {
		return err
	}
	if err := errors.Join(c.writeUp(ctx, r), c.writeData(ctx, r, stdout, stderr), ctx.Err()); err != nil {
		return err
	}
	write := func(w io.Writer, format render.Format, opt render.Options) error {
		return render.Write(w, r, format, opt)
	}
	annotate := func(w io.Writer) error { return render.Annotations(w, r) }
	if err := announce(stdout, c.reportOnStdout() || c.briefOnStdout(), annotate, write); err != nil {
		return err
	}
	if !summary {
		return nil
	}
	return printSummary(stdout, c.pageName(), func(w io.Writer, format render.Format, opt render.Options) error {
		opt.Tables = c.tables
		return write(w, format, opt)
	})
}

// reportOnStdout reports whether a report goes to standard output.
func (c *command) reportOnStdout() bool {
	return slices.ContainsFunc(c.outputs, func(o output) bool { return o.path == "-" })
}

// pageName returns the base name of the HTML output, "" if there is none.
func (c *command) pageName() string {
	for _, o := range c.outputs {
		if strings.EqualFold(filepath.Ext(o.path), ".html") {
			return filepath.Base(o.path)
		}
	}
	return ""
}
