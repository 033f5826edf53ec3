package main

import (
	"context"
	"io"
	"path/filepath"

	"perfdiff/diff"
	"perfdiff/render"
)

// writeUp writes the write-up: text, figures and tables, each file whole.
func (c *command) writeUp(ctx context.Context, r *diff.Report) error {
	if c.writeUpDir == "" {
		return nil
	}
	files, err := render.WriteUp(r)
	if err != nil {
		return err
	}
	if err := makeDirectory("--write-up", c.writeUpDir); err != nil {
		return err
	}
	for _, f := range files {
		if err := replaceFile(filepath.Join(c.writeUpDir, f.Name), unlessInterrupted(ctx, func(w io.Writer) error { _, err := w.Write(f.Text); return err })); err != nil {
			return err
		}
	}
	return nil
}
