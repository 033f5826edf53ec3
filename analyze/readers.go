package analyze

import (
	"context"
	"fmt"
	"path/filepath"

	"perfdiff/analyze/source/nsys/table"
)

// Readers is the result of reading the databases of a run set twice, from their pages and by SQLite.
type Readers struct {
	table.Comparison
	Files  int    // databases
	Others int    // files of other formats, which were not compared
	File   string // that in which a table differs, relative to the run set; "" for none
}

// CompareReaders reads the databases that Load would read at a path both ways, up to the first
// table that differs. The error of a file that neither reads names it.
func CompareReaders(ctx context.Context, path string) (Readers, error) {
	var all Readers
	files, err := discover(ctx, path, nil)
	if err != nil {
		return all, err
	}
	for _, f := range files.files {
		if !beginsAs(f.path, table.IsDatabase) {
			all.Others++
			continue
		}
		all.Files++
		if err := all.Compare(ctx, f.path); err != nil {
			return all, fmt.Errorf("%s: %w", f.name, err)
		}
		if all.Differs != "" {
			all.File = filepath.ToSlash(f.name)
			break
		}
	}
	return all, nil
}
