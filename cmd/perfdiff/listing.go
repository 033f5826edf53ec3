package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"perfdiff/render"
)

// listings are the files that a command writes its tables into.
type listings []string

// takeListings takes the -o of a command that writes only tables.
func takeListings(c *command) error {
	if c.line.given("output") && c.line.given("reader") {
		return errors.New("--reader and -o exclude each other: what both readers say is no table")
	}
	return errors.Join(c.listings.take(c.line.list("output")), c.line.checkOutputs(c.line.Args(), nil))
}

// take checks that each file can be written, and keeps their paths.
func (l *listings) take(paths []string) error {
	for _, path := range paths {
		switch {
		case path == "-":
			return errors.New("-o -: the text is printed anyway: name a file, as in -o table.csv")
		case !render.IsListing(path):
			return fmt.Errorf("%s: is written as .json, .csv or .md", path)
		}
		if err := checkWritable(path); err != nil {
			return err
		}
	}
	*l = slices.Clone(paths)
	return nil
}

// write writes tables into the files, each whole.
func (l listings) write(ctx context.Context, tables *render.Listing) error {
	for _, path := range l {
		write := func(w io.Writer) error { return tables.Write(w, path) }
		if err := replaceFile(path, unlessInterrupted(ctx, write)); err != nil {
			return err
		}
	}
	return nil
}
