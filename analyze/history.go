package analyze

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/analyze/saved"
	"perfdiff/analyze/trace"
)

// ErrNoHistory is the cause if a path of a history holds no summary.
var ErrNoHistory = errors.New("no saved summaries (make one of each run: perfdiff summarize RUNSET -o FILE.perfdiff)")

// LoadHistory reads the saved summaries at paths, which are files or directories, in order of
// path. Other files in a directory are skipped. A summary in a directory that cannot be read
// does not lose the others: it becomes a set without runs, whose only file has the error. An
// empty directory, as before the first run is saved, adds nothing.
func LoadHistory(paths []string, opt Options) ([]*run.Set, error) {
	room := opt.room()
	kept := room.Bytes / 2 // for what is compared, which is read later
	room.Bytes -= kept
	defer func() { room.Bytes += kept }()
	var all []*run.Set
	for _, path := range paths {
		info, err := os.Stat(path)
		if err != nil {
			return nil, fmt.Errorf("history: %s: %w", path, trace.WithoutPath(err))
		}
		sets, err := []*run.Set(nil), error(nil)
		if info.IsDir() {
			sets, err = historyDir(path, room)
		} else if set, wrong := readSummary(path, room); wrong != nil {
			err = wrong
		} else if set == nil {
			err = fmt.Errorf("%s: %w", path, ErrNoHistory)
		} else {
			sets = []*run.Set{withLabel(set, path)}
		}
		if err != nil {
			return nil, fmt.Errorf("history: %w", err)
		}
		for _, set := range sets {
			keepRanks(set, opt.Ranks)
		}
		all = append(all, sets...)
	}
	return mergeNodes(all, opt.Runs), nil
}

// historyDir returns the summaries in a directory.
func historyDir(path string, room *saved.MemoryBudget) ([]*run.Set, error) {
	l, err := listSummaries(path, room)
	switch {
	case err != nil:
		return nil, err
	case l.files == 0, l.good > 0:
		return l.sets, nil
	case l.first != nil:
		return nil, fmt.Errorf("%s: no summary could be read: %w", path, l.first)
	}
	return nil, fmt.Errorf("%s: %w", path, ErrNoHistory)
}

// summaryList is the content of a directory of summaries. A summary that cannot be read is a
// set without runs, whose only file has the error.
type summaryList struct {
	sets        []*run.Set
	files, good int   // number of files in the directory, and of summaries that were read
	first       error // first error
}

func listSummaries(path string, room *saved.MemoryBudget) (l summaryList, err error) {
	entries, err := os.ReadDir(path)
	if err != nil {
		return l, fmt.Errorf("%s: %w", path, trace.WithoutPath(err))
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") { // one that is being written, among others
			continue
		}
		l.files++
		set, err := readSummary(filepath.Join(path, e.Name()), room)
		if set == nil && err == nil && filepath.Ext(e.Name()) == summaryExt {
			err = errors.New("it does not begin like a summary: it is empty, damaged or something else (copy or make it again)")
		}
		switch {
		case err != nil:
			l.first = cmp.Or(l.first, err)
			why := strings.TrimPrefix(err.Error(), e.Name()+": ")
			l.sets = append(l.sets, &run.Set{Label: e.Name(), Files: []run.File{{Name: e.Name(), Err: why}}})
		case set != nil:
			l.good++
			l.sets = append(l.sets, withLabel(set, e.Name()))
		}
	}
	return l, nil
}

// withLabel sets the label of a set to its file's name.
func withLabel(set *run.Set, path string) *run.Set {
	name := filepath.Base(path)
	set.Label = strings.TrimSuffix(name, filepath.Ext(name))
	return set
}
