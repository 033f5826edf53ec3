package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"perfdiff/render"
)

// showForms are the forms in which a table is printed.
var showForms = []string{"text", "csv", "json"}

// show prints a table of a JSON report.
func show(_ context.Context, args []string, stdout, stderr io.Writer) int {
	c, status := begin("show", args, stdout, stderr, func(c *command) error {
		l := c.line
		switch name, format := l.text("table"), l.text("format"); {
		case !slices.Contains(showForms, format):
			return fmt.Errorf("--format %s: must be %s", format, strings.Join(showForms, ", "))
		case l.given("table") && !slices.Contains(render.TableNames(), name):
			return fmt.Errorf("--table %s: must be %s", name, strings.Join(render.TableNames(), ", "))
		case l.given("metric") && strings.TrimSpace(l.text("metric")) == "":
			return errors.New(`--metric "": is empty: give it a value, or leave the flag out (is the variable set?)`)
		case l.given("format") && name == "" && l.text("metric") == "":
			return fmt.Errorf("--format %s: is of a table: name one with --table, or a metric with --metric", format)
		}
		return nil
	})
	if c == nil {
		return status
	}
	name, metric, format := c.line.text("table"), c.line.text("metric"), c.line.text("format")
	path := c.line.Arg(0)
	t, err := render.ReadTables(func() (io.ReadCloser, error) { return openReport(path) })
	if err != nil {
		return printError(stderr, readError(path, err), "")
	}
	as := render.Text
	if format == "json" {
		as = render.JSON
	}
	out := &failingWriter{w: forPrograms(stdout, as)}
	hint := "perfdiff show " + render.ShellPath(path) + " lists tables and metrics"
	if name == "" && metric == "" {
		err = t.WriteList(out)
		hint = ""
	} else {
		err = printTable(out, t, name, metric, format)
	}
	switch {
	case out.err != nil:
		return printError(stderr, writeError("standard output", out.err), "")
	case err != nil:
		return printError(stderr, readError(path, err), hint)
	}
	return statusOK
}

// failingWriter keeps the error of writing, to tell it from one of reading: rows are read while
// others are written.
type failingWriter struct {
	w   io.Writer
	err error
}

func (f *failingWriter) Write(p []byte) (int, error) {
	n, err := f.w.Write(p)
	if err != nil {
		f.err = err
	}
	return n, err
}

// printTable prints a table; of a metric without a table that of metrics.
func printTable(w io.Writer, t *render.Tables, name, metric, format string) error {
	if name == "" {
		name = "metrics"
	}
	x, err := t.Table(name, metric)
	if err != nil {
		return err
	}
	return render.WriteTable(w, &x, format)
}

// readError is err with the path before it.
func readError(path string, err error) error {
	return fmt.Errorf("%s: %w", path, causeWithoutPath(err))
}

// openReport opens a report, plain or gzipped.
func openReport(path string) (io.ReadCloser, error) {
	st, err := os.Stat(path)
	if err == nil && st.IsDir() {
		return nil, errors.New("is a directory: name the JSON report in it, as in report.json")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	head := make([]byte, 2)
	n, err := f.ReadAt(head, 0)
	if n < len(head) || !bytes.Equal(head, []byte{0x1f, 0x8b}) {
		if err != nil && !errors.Is(err, io.EOF) {
			f.Close()
			return nil, err
		}
		return f, nil
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		f.Close()
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{z, f}, nil
}
