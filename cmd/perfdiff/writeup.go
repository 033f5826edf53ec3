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

// checkWriteUp checks that the directory of a write-up is there or can be made, and
// that files can be written into it.
func checkWriteUp(dir string) error {
	if dir == "" {
		return nil
	}
	if st, err := os.Stat(dir); err == nil && !st.IsDir() {
		return fmt.Errorf("--write-up %s: is a file: name a directory", dir)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("--write-up %s: cannot be made: %w (name another directory)", dir, cause(err))
	}
	err := writable(filepath.Join(dir, "write-up.md"))
	if err != nil && errors.Is(err, os.ErrPermission) {
		return fmt.Errorf("--write-up %s: %w", dir, cause(err))
	}
	return err
}

// writeUp writes the text, figures and tables of a before-and-after page, each file
// whole.
func (c *command) writeUp(r *diff.Report) error {
	if c.writeUpDir == "" {
		return nil
	}
	files, err := render.WriteUp(r)
	if err != nil {
		return err
	}
	for _, f := range files {
		if err := replaceFile(filepath.Join(c.writeUpDir, f.Name), func(w io.Writer) error { _, err := w.Write(f.Text); return err }); err != nil {
			return err
		}
	}
	return nil
}
