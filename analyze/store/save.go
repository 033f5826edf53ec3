package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"perfdiff/analyze/run"
	"perfdiff/analyze/saved"
	"perfdiff/analyze/trace"
)

// Saving is how a run is saved.
type Saving struct {
	Now    time.Time
	Branch string // of main; "" unknown
	After  int64  // the number is larger than this one, and than all in the names of the store: see Contents.Largest
}

// Save saves a set and returns its file's name. When it returns, the file is on the disk, and the directory says so:
// whoever reads the store sees all of it or nothing, also if the machine stops in between. Litter of processes that
// ended goes. A set that is there already, to the byte, is not saved again: of processes that save one at the same
// time one file stays.
func Save(dir string, set *run.Set, how Saving) (name string, err error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", writeError(filepath.Base(dir), "cannot be made", err)
	}
	l, err := list(dir)
	if err != nil {
		return "", err
	}
	l.removeLitter(how.Now)
	digest, err := saved.Digest(set)
	if err != nil {
		return "", err
	}
	if there := l.holding(digest); len(there) > 0 {
		return there[0], nil
	}
	number, err := l.next(how.After)
	if err != nil {
		return "", err
	}
	out := *set
	out.Kept = &run.Kept{Number: number, Saved: how.Now.UnixNano(), Branch: how.Branch, Digest: digest}
	if err := run.CheckBranch(how.Branch); err != nil {
		return "", err
	}
	for i := range l.events {
		out.Kept.Events = append(out.Kept.Events, l.events[i].digest())
	}
	data, err := saved.Marshal(&out)
	if err != nil {
		return "", err
	}
	name = nameOf(out.Kept)
	if err := writeFile(dir, name, data); err != nil {
		return "", writeError(name, "cannot be saved", err)
	}
	return one(dir, name, digest), nil
}

// listing is the names in a store, and its events.
type listing struct {
	dir    string
	names  []string
	events []Event
}

func list(dir string) (l listing, err error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return l, fmt.Errorf("%s: %w", filepath.Base(dir), trace.WithoutPath(err))
	}
	l.dir = dir
	for _, f := range files {
		l.names = append(l.names, f.Name())
		if !isEvent(f.Name()) {
			continue
		}
		if v, err := readEvent(dir, f.Name()); err == nil {
			l.events = append(l.events, v)
		}
	}
	return l, nil
}

// next returns the next number of saving.
func (l *listing) next(after int64) (int64, error) {
	if n := max(after, l.largest()) + 1; n <= run.LargestNumber {
		return n, nil
	}
	return 0, fmt.Errorf("%s: a run or an event in it has the number %d, behind which there is none (remove it)",
		filepath.Base(l.dir), int64(run.LargestNumber))
}

// largest returns the largest number in names and events; at least the number of runs that have none.
func (l *listing) largest() int64 {
	largest, bare := int64(0), int64(0)
	for _, name := range l.names {
		if n := parseName(name).number; n > 0 {
			largest = max(largest, n)
		} else if strings.HasSuffix(name, runExt) {
			bare++
		}
	}
	for i := range l.events {
		largest = max(largest, l.events[i].Number)
	}
	return max(largest, bare)
}

// holding returns the whole files of runs with a content, in order of name.
func (l *listing) holding(digest string) (files []string) {
	for _, name := range l.names {
		n := parseName(name)
		if n.number == 0 || n.digest != digest[:digestLength] {
			continue
		}
		if data, err := os.ReadFile(filepath.Join(l.dir, name)); err == nil && saved.Whole(data) {
			files = append(files, name)
		}
	}
	return files
}

// one leaves one file of those that hold the content that was saved as name, and returns its name. All processes that
// do so choose alike, and the last of them sees all files.
func one(dir, name, digest string) string {
	l, err := list(dir)
	if err != nil {
		return name
	}
	same := l.holding(digest)
	if len(same) == 0 { // somebody has removed it
		return name
	}
	for _, other := range same[1:] {
		os.Remove(filepath.Join(dir, other))
	}
	return same[0]
}

// removeLitter removes files that were being written more than a day ago. Another writer may do the same.
func (l *listing) removeLitter(now time.Time) {
	for _, name := range l.names {
		if !strings.HasPrefix(name, tempPrefix) {
			continue
		}
		path := filepath.Join(l.dir, name)
		if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() && now.Sub(info.ModTime()) > aDay {
			os.Remove(path)
		}
	}
}

// writeTries is how often a file is written if another process takes it for litter, whose clock is wrong.
const writeTries = 3

// writeFile writes a file to the disk under a temporary name, then renames it.
func writeFile(dir, name string, data []byte) (err error) {
	for range writeTries {
		if err = writeOnce(dir, name, data); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return err
}

func writeOnce(dir, name string, data []byte) error {
	f, err := os.CreateTemp(dir, tempPrefix+"*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // gone by then, if all went well
	defer f.Close()
	if _, err := f.Write(data); err != nil {
		return err
	}
	if err := errors.Join(f.Chmod(0o644), f.Sync()); err != nil {
		return err
	}
	if err := f.Close(); err != nil { // network file systems tell only now
		return err
	}
	if err := os.Rename(f.Name(), filepath.Join(dir, name)); err != nil {
		return err
	}
	return syncDir(dir)
}

// syncDir makes renames in a directory durable. Systems on which a directory cannot be synced do not need it.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	err = d.Sync()
	for _, cannot := range []error{fs.ErrInvalid, errors.ErrUnsupported, fs.ErrPermission} {
		if errors.Is(err, cannot) {
			return nil
		}
	}
	return err
}

// Remove removes runs of a store, by the names of their files. Another writer may do the same.
func Remove(dir string, files []string) error {
	for _, file := range files {
		if err := os.Remove(filepath.Join(dir, file)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s: an old run cannot be removed: %w (--keep 0 keeps all)", file, trace.WithoutPath(err))
		}
	}
	return nil
}
