package table

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"perfdiff/analyze/source/nsys/table/btree"
	"perfdiff/analyze/trace"
)

// File is a profile's tables and how much of them was read.
type File interface {
	Source
	// Has reports whether there is such a table, or what stands in its place.
	Has(table string) bool
	// Tables are the names of all tables, folded and in order.
	Tables() []string
	// Share spreads the bytes of the file over the rows that will be scanned, and Done
	// tells of those that no row stood for.
	Share(rows int64)
	Done()
	// Refused is what stands in place of what was read; nil in an export.
	Refused() error
	// Remember begins to remember where rows of which time are, in tables that begin
	// with the column start and are read again and again.
	Remember()
	// Want restricts what is read of such tables from now on to rows that start in
	// [from, to). Others may come with them.
	Want(from, to int64)
	Close()
}

// Open opens an export of either kind, or the database of another profiler, with words to name it. opt may be nil.
// warning is what a user should know about the file.
func Open(ctx context.Context, path string, words Words, opt *trace.Options) (file File, warning string, err error) {
	db, err := openDatabase(ctx, path, words, opt)
	if errors.Is(err, errDirectory) {
		d, err := openDirectory(path, opt)
		return d, "", err
	}
	if err != nil {
		return nil, "", err
	}
	return db, db.log, nil
}

// Read opens a file as Open does and reads it. It puts the file's name in front of an error, and tells the progress in
// opt of all of its bytes.
func Read(
	ctx context.Context, path string, words Words, opt *trace.Options,
	read func(name string, file File, warning string) ([]*trace.Trace, error),
) (traces []*trace.Trace, err error) {
	name := filepath.Base(path)
	file, warning, err := Open(ctx, path, words, opt)
	if err == nil {
		defer file.Close()
		traces, err = read(name, file, warning)
		if refused := file.Refused(); refused != nil && ctx.Err() == nil {
			err = refused
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	file.Done()
	return traces, nil
}

// Damaged explains an error of reading, except that of a cancelled context.
func (w Words) Damaged(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if Unread(err) {
		return fmt.Errorf("%w (%s)", err, w.Again)
	}
	remedy := w.Again
	var damage *btree.Damage
	if errors.As(err, &damage) && damage.Page > 0 {
		remedy = "copy it again, or " + remedy
	}
	return fmt.Errorf("damaged: %w (%s)", err, remedy)
}
