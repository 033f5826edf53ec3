package analyze

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"perfdiff/analyze/run"
	"perfdiff/analyze/trace"
)

// LoadStore reads the runs that perfdiff gate has kept in a directory, in order of name. A
// directory that is missing or empty holds none. A summary that cannot be read does not lose
// the others: it becomes a set without runs, whose only file has the error. A directory with
// files and without any summary is an error, since it is something other than a store.
func LoadStore(path string, opt Options) ([]*run.Set, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("store: %s: %w", filepath.Base(path), trace.WithoutPath(err))
	case !info.IsDir():
		return nil, fmt.Errorf("store: %s: is a file: name the directory that perfdiff gate --save keeps runs in",
			filepath.Base(path))
	}
	room := opt.room()
	kept := room.Bytes / 2 // for the candidate, which is read later
	room.Bytes -= kept
	defer func() { room.Bytes += kept }()
	l, err := listSummaries(path, room)
	switch {
	case err != nil:
		return nil, fmt.Errorf("store: %w", err)
	case len(l.sets) == 0 && l.files > 0:
		return nil, fmt.Errorf("store: %s: holds %s and no saved summary: is it the store? (perfdiff gate --save makes "+
			"one in a directory of its own)", filepath.Base(path), countText(l.files))
	}
	byName := map[string]bool{}
	for _, set := range l.sets {
		if byName[set.Label] { // two files that differ in their extension
			set.Label += "'"
		}
		byName[set.Label] = true
		keepRanks(set, opt.Ranks)
	}
	return mergeNodes(l.sets, opt.Runs), nil
}

func countText(files int) string {
	if files == 1 {
		return "1 file"
	}
	return fmt.Sprintf("%d files", files)
}
