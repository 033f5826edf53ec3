package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"perfdiff/diff"
	"perfdiff/render"
)

// checkWriteUp checks that files can be written into the directory of a write-up, or that it
// can be made. It makes nothing, since there may be nothing to write.
func checkWriteUp(dir string) error {
	if dir == "" {
		return nil
	}
	at := dir // what is there of it
	st, err := os.Stat(at)
	for errors.Is(err, os.ErrNotExist) && at != filepath.Dir(at) {
		at = filepath.Dir(at)
		st, err = os.Stat(at)
	}
	switch {
	case err == nil && !st.IsDir():
		return fmt.Errorf("--write-up %s: %s is a file: name a directory", dir, at)
	case err == nil:
		err = checkWritable(filepath.Join(at, "write-up.md"))
	}
	if err != nil {
		return fmt.Errorf("--write-up %s: cannot be made: %w (name another directory)", dir, causeWithoutPath(err))
	}
	return nil
}

// writeUp writes the write-up: text, figures and tables, each file whole.
func (c *command) writeUp(r *diff.Report) error {
	if c.writeUpDir == "" {
		return nil
	}
	files, err := render.WriteUp(r)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(c.writeUpDir, 0o755); err != nil {
		return fmt.Errorf("--write-up %s: cannot be made: %w (name another directory)", c.writeUpDir, causeWithoutPath(err))
	}
	for _, f := range files {
		if err := replaceFile(filepath.Join(c.writeUpDir, f.Name), func(w io.Writer) error { _, err := w.Write(f.Text); return err }); err != nil {
			return err
		}
	}
	return nil
}
