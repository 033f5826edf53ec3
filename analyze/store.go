package analyze

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"perfdiff/analyze/run"
	"perfdiff/analyze/store"
	"perfdiff/analyze/trace"
)

// LoadStore reads the runs that perfdiff gate has kept in a directory, in the order of saving, and what else the store
// holds. A directory that is missing or empty holds none. A summary that cannot be read does not lose the others: it
// becomes a set without runs, whose only file has the error; see store.Contents.Damage. Summaries of the nodes of one run
// are one set, and those of the contents are not to be used then. A directory with files and
// without any summary is an error, since it is something other than a store.
func LoadStore(path string, now time.Time, opt Options) ([]*run.Set, *store.Contents, error) {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, &store.Contents{Dir: path}, nil
	case err != nil:
		return nil, nil, fmt.Errorf("store: %s: %w", filepath.Base(path), trace.WithoutPath(err))
	case !info.IsDir():
		return nil, nil, fmt.Errorf("store: %s: is a file: name the directory that perfdiff gate --save keeps runs in",
			filepath.Base(path))
	}
	room := opt.room()
	kept := room.Bytes / 2 // for the candidate, which is read later
	room.Bytes -= kept
	defer func() { room.Bytes += kept }()
	read := func(file string) (*run.Set, error) { return readSummary(file, room) }
	c, err := store.Read(path, store.Reading{Now: now, Set: read})
	switch {
	case err != nil:
		return nil, nil, fmt.Errorf("store: %w", err)
	case len(c.Entries) == 0 && len(c.Others) > 0:
		return nil, nil, fmt.Errorf("store: %s: holds %s and no saved summary: is it the store? (perfdiff gate --save makes "+
			"one in a directory of its own)", filepath.Base(path), countText(len(c.Others)))
	}
	sets := c.Sets()
	for _, set := range sets {
		keepRanks(set, opt.Ranks)
	}
	return mergeNodes(sets, opt.Runs), c, nil
}

// StoreReading is how a store of any size is read: one run after the other, of which only what store.Entry says is kept.
func StoreReading(now time.Time, opt Options) store.Reading {
	return store.Reading{Now: now, Drop: true, Set: func(file string) (*run.Set, error) {
		room := *opt.room()
		return readSummary(file, &room)
	}}
}

func countText(files int) string {
	if files == 1 {
		return "1 file"
	}
	return fmt.Sprintf("%d files", files)
}
