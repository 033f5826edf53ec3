package nsys

import (
	"context"
	"errors"
)

// export is a profile's tables and how much of them was read.
type export interface {
	tables
	has(table string) bool
	share(rows int64)
	done()
	refused() error // what stands in place of what was read; nil in an export
	// remember begins to remember where rows of which time are, in tables that begin
	// with the column start and are read again and again.
	remember()
	// want restricts what is read of such tables from now on to rows that start in
	// [from, to). Others may come with them.
	want(from, to int64)
	close()
}

// open opens an export of either kind. warning is what to know of it.
func open(ctx context.Context, path string, progress func(int64)) (file export, warning string, err error) {
	db, err := openDatabase(ctx, path, progress)
	if errors.Is(err, errDirectory) {
		d, err := openDirectory(path, progress)
		return d, "", err
	}
	if err != nil {
		return nil, "", err
	}
	return db, db.log, nil
}
