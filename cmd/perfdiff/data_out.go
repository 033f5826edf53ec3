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

// dataOut is what is written for other programs beside reports; "" is not wanted.
type dataOut struct {
	csv, parquet string // directories
	perfetto     string // file
	brief        string // file; "-" is standard output
}

// given are the flags that were given, with their values.
func (d *dataOut) given() (out [][2]string) {
	for _, x := range [][2]string{{"--csv", d.csv}, {"--parquet", d.parquet}, {"--perfetto", d.perfetto}, {"--brief", d.brief}} {
		if x[1] != "" {
			out = append(out, x)
		}
	}
	return out
}

// checkData checks, before anything is read, that all of it can be written.
func (c *command) checkData() error {
	d := &c.data
	err := errors.Join(checkDirectory("--csv", d.csv), checkDirectory("--parquet", d.parquet))
	for _, x := range [][2]string{{"--perfetto", d.perfetto}, {"--brief", d.brief}} {
		switch flag, path := x[0], x[1]; {
		case path == "", path == "-" && flag == "--brief" && !c.reportOnStdout():
		case path == "-" && flag == "--brief":
			err = errors.Join(err, errors.New("--brief -: standard output has a report already (-o -): name a file"))
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
	if d.csv != "" || d.parquet != "" {
		if err := d.writeTables(ctx, render.TablesOf(r)); err != nil {
			return err
		}
	}
	if d.perfetto != "" {
		if err := writePerfetto(ctx, d.perfetto, r, stderr); err != nil {
			return err
		}
	}
	brief := func(w io.Writer) error { return render.WriteBrief(w, r) }
	switch {
	case d.brief == "":
		return nil
	case c.briefOnStdout():
		if err := brief(forPrograms(stdout, render.JSON)); err != nil {
			return writeError("standard output", err)
		}
		return nil
	}
	return replaceFile(d.brief, unlessInterrupted(ctx, brief))
}

// schemaFile describes the tables beside it.
const schemaFile = "schema.json"

// writeTables writes all tables into the directories, a file each, and what describes them.
func (d *dataOut) writeTables(ctx context.Context, t *render.Tables) error {
	writers := []struct {
		flag, dir, extension string
		write                func(io.Writer, *table.Table) error
	}{
		{"--csv", d.csv, ".csv", table.WriteCSV},
		{"--parquet", d.parquet, ".parquet", func(w io.Writer, x *table.Table) error { return table.WriteParquet(w, x, version()) }},
	}
	all := t.All()
	for _, x := range writers {
		if x.dir == "" {
			continue
		}
		if err := makeDirectory(x.flag, x.dir); err != nil {
			return err
		}
		for i := range all {
			err := replaceFile(filepath.Join(x.dir, all[i].Name+x.extension), unlessInterrupted(ctx, func(w io.Writer) error { return x.write(w, &all[i]) }))
			if err != nil {
				return err
			}
		}
		if err := replaceFile(filepath.Join(x.dir, schemaFile), unlessInterrupted(ctx, func(w io.Writer) error { return table.WriteSchema(w, all, t.Policy()) })); err != nil {
			return err
		}
	}
	return nil
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
