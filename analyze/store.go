package analyze

import (
	"encoding/json"
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

// VerifyStore checks every file of a store of any size and writes its index anew, with what levels returns, which may be
// nil. It returns what is wrong, in order of file; an index that was another one is such a finding.
func VerifyStore(
	path string, now time.Time, opt Options, levels func(*store.Contents) (json.RawMessage, error),
) ([]store.Finding, error) {
	how := StoreReading(now, opt)
	if _, err := os.ReadDir(path); err != nil {
		return nil, fmt.Errorf("store: %s: %w", filepath.Base(path), trace.WithoutPath(err))
	}
	c, err := store.Read(path, how)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	found := c.Verify()
	changed, err := c.WriteIndex(how, levels)
	if err != nil {
		return found, fmt.Errorf("store: %w", err)
	}
	if changed {
		found = append(found, store.Finding{File: "index.json", Cause: "was not what the files say: it was made again"})
	}
	return found, nil
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
