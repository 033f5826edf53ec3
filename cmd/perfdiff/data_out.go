package main

import (
	"bufio"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"perfdiff/diff"
	"perfdiff/render"
	"perfdiff/render/table"
)

// dataOut says what to write for other programs besides reports; "" is not wanted.
type dataOut struct {
	csv      string // directory
	sqlite   string // file
	perfetto string // file
	brief    string // file; "-" is standard output
}

// given returns the flags that were given, with their values.
func (d *dataOut) given() (out [][2]string) {
	for _, x := range [][2]string{{"--csv", d.csv}, {"--sqlite", d.sqlite}, {"--perfetto", d.perfetto}, {"--brief", d.brief}} {
		if x[1] != "" {
			out = append(out, x)
		}
	}
	return out
}

// checkData checks, before anything is read, that all outputs can be written.
func (c *command) checkData() error {
	d := &c.data
	err := checkDirectory("--csv", d.csv)
	for _, x := range [][2]string{{"--sqlite", d.sqlite}, {"--perfetto", d.perfetto}, {"--brief", d.brief}} {
		switch flag, path := x[0], x[1]; {
		case path == "", path == "-" && flag == "--brief" && !c.reportOnStdout():
		case path == "-" && flag == "--brief":
			err = errors.Join(err, errors.New("--brief -: standard output has a report already (-o -): name a file"))
		case path == "-" && flag == "--sqlite":
			err = errors.Join(err, errors.New("--sqlite -: a database is no text for standard output: name a file"))
		case path == "-":
			err = errors.Join(err, fmt.Errorf("%s -: a trace is no text for standard output: name a file", flag))
		default:
			err = errors.Join(err, flagError(flag, checkWritable(path)))
		}
	}
	return err
}

// briefOnStdout reports whether the brief takes the place of the summary.
func (c *command) briefOnStdout() bool { return c.data.brief == "-" }

// writeData writes what is for other programs, each file whole.
func (c *command) writeData(ctx context.Context, r *diff.Report, stdout, stderr io.Writer) error {
	d := &c.data
	if err := d.writeTables(ctx, render.TablesOf(r)); err != nil {
		return err
	}
	if d.perfetto != "" {
		if err := writePerfetto(ctx, d.perfetto, r, stderr); err != nil {
			return err
		}
	}
	if d.brief == "" {
		return nil
	}
	brief := plainly(func(w io.Writer) error { return render.WriteBrief(w, r) })
	return output{d.brief, render.JSON}.put(ctx, stdout, brief)
}

// The files next to tables that describe them, and the JSON report.
const (
	schemaFile       = "schema.json"
	reportSchemaFile = "report.schema.json"
)

// writeTables writes all tables: into the directory a file each and what describes them, and into the
// database.
func (d *dataOut) writeTables(ctx context.Context, t *render.Tables) error {
	if d.sqlite != "" {
		if err := replaceByPath(d.sqlite, func(path string) error { return t.WriteSQLite(ctx, path) }); err != nil {
			return err
		}
	}
	if d.csv == "" {
		return nil
	}
	if err := makeDirectory("--csv", d.csv); err != nil {
		return err
	}
	all := t.All()
	for i := range all {
		write := func(w io.Writer) error { return table.WriteCSV(w, &all[i]) }
		if err := replaceFile(filepath.Join(d.csv, all[i].Name+".csv"), unlessInterrupted(ctx, write)); err != nil {
			return err
		}
	}
	err := replaceFile(filepath.Join(d.csv, schemaFile), unlessInterrupted(ctx, func(w io.Writer) error { return table.WriteSchema(w, all, t.Policy()) }))
	return errors.Join(err, replaceFile(filepath.Join(d.csv, reportSchemaFile), unlessInterrupted(ctx, render.WriteReportSchema)))
}

// writePerfetto writes the trace, compressed where its name ends in .gz.
func writePerfetto(ctx context.Context, path string, r *diff.Report, stderr io.Writer) error {
	kept := false
	err := replaceFile(path, unlessInterrupted(ctx, func(w io.Writer) (err error) {
		if !strings.EqualFold(filepath.Ext(path), ".gz") {
			kept, err = render.Perfetto(w, r)
			return err
		}
		z := gzip.NewWriter(w)
		b := bufio.NewWriterSize(z, 1<<16)
		kept, err = render.Perfetto(b, r)
		return errors.Join(err, b.Flush(), z.Close())
	}))
	if err == nil && !kept { // without the path, which may name who --anonymize does not
		printMessage(stderr, "warning", "--perfetto: the trace holds no step: none was kept as a timeline (profiles have them; logs of step times and calls have none)")
	}
	return err
}

// checkDirectory checks that files can be written into the directory of a flag, or that it can be
// made. It makes nothing, since there may be nothing to write. "" is no directory.
func checkDirectory(flag, dir string) error {
	if dir == "" || dir == "-" {
		return refuseDash(flag, dir, "it writes files into a directory")
	}
	at := dir // what is there of it
	st, err := os.Stat(at)
	for errors.Is(err, os.ErrNotExist) && at != filepath.Dir(at) {
		at = filepath.Dir(at)
		st, err = os.Stat(at)
	}
	switch {
	case err == nil && !st.IsDir():
		return fmt.Errorf("%s %s: %s is a file: name a directory", flag, dir, at)
	case err == nil:
		err = checkWritable(filepath.Join(at, "a-file"))
	}
	if err != nil {
		return fmt.Errorf("%s %s: cannot be made: %w (name another directory)", flag, dir, causeWithoutPath(err))
	}
	return nil
}

// makeDirectory makes the directory of a flag where it is not there.
func makeDirectory(flag, dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("%s %s: cannot be made: %w (name another directory)", flag, dir, causeWithoutPath(err))
	}
	return nil
}
