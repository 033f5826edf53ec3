package main

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"time"

	"perfdiff/analyze"
	"perfdiff/diff"
	"perfdiff/render/words"
)

// makeStore makes the directory of the store and checks that files can be made in it.
func (g *gateCommand) makeStore() error {
	err := os.MkdirAll(g.store, 0o755)
	if err == nil {
		var f *os.File
		if f, err = unfinishedFiles.create(g.store); err == nil {
			f.Close()
			unfinishedFiles.drop(f.Name())
			return nil
		}
	}
	return fmt.Errorf("store: %s: no run can be saved there: %w (make it a directory that may be written, "+
		"or leave --save out)", filepath.Base(g.store), causeWithoutPath(err))
}

// saveRun saves the candidate in the store, whatever the verdict, and prints its name there:
// the next candidates are compared with it. A set without measured steps is not saved.
func (g *gateCommand) saveRun(cand *analyze.Set, store *diff.Store, stderr io.Writer) error {
	switch {
	case store.CandidateRuns != nil:
		printMessage(stderr, "store", "the run is there already, as "+words.InStore(store))
		return nil
	case !cand.RunsKnown():
		printMessage(stderr, "store", "not saved: it is not known what the runs of the candidate are")
		return nil
	case !hasSteps(cand):
		printMessage(stderr, "store", "not saved: no step of the candidate was measured")
		return nil
	}
	data, err := analyze.Summary(cand)
	if err != nil {
		return err
	}
	name := runName(cand, data, len(store.Runs))
	if err := keepFile(g.store, name, data); err != nil {
		return fmt.Errorf("store: %s: cannot be saved: %w", name, causeWithoutPath(err))
	}
	if !g.quiet {
		printMessage(stderr, "store", "saved "+name)
	}
	return g.prune(store)
}

// hasSteps reports whether any rank has a step that was kept.
func hasSteps(set *analyze.Set) bool {
	for i := range set.Runs {
		for j := range set.Runs[i].Ranks {
			if len(set.Runs[i].Ranks[j].Kept()) > 0 {
				return true
			}
		}
	}
	return false
}

// runName returns a run's file name in the store: the time of its capture (or the number of runs
// before, if no profile says when) and a digest of its content. Two writers never choose one
// name for different runs, and names sort in the order of runs.
func runName(set *analyze.Set, data []byte, before int) string {
	when := fmt.Sprintf("undated-%06d", before+1)
	if at := firstCapture(set); at != 0 {
		when = time.Unix(0, at).UTC().Format("20060102T150405Z")
	}
	digest := sha256.Sum256(data)
	return fmt.Sprintf("%s-%x.perfdiff", when, digest[:6])
}

var storeName = regexp.MustCompile(`^(?:\d{8}T\d{6}Z|undated-\d{6,})-[0-9a-f]{12}$`)

// firstCapture returns when the first capture of a set began, UTC ns; 0 if one of its runs does not say.
func firstCapture(set *analyze.Set) (first int64) {
	for i := range set.Runs {
		began := int64(0)
		for j := range set.Runs[i].Ranks {
			if at := set.Runs[i].Ranks[j].Began; at != 0 && (began == 0 || at < began) {
				began = at
			}
		}
		if began == 0 {
			return 0
		}
		if first == 0 || began < first {
			first = began
		}
	}
	return first
}

// keepFile writes a file to the disk under a temporary name, then renames it: whoever reads the
// directory sees the whole file or none, also if the machine stops in between.
func keepFile(dir, name string, data []byte) error {
	f, err := unfinishedFiles.create(dir)
	if err != nil {
		return err
	}
	defer func() {
		f.Close()
		unfinishedFiles.drop(f.Name())
	}()
	if _, err := f.Write(data); err != nil {
		return err
	}
	if err := errors.Join(f.Chmod(0o644), f.Sync()); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), filepath.Join(dir, name)); err != nil {
		return err
	}
	return syncDir(dir)
}

// syncDir makes renames in a directory durable. Systems on which a directory cannot be synced
// do not need it.
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

// prune removes the oldest runs of the candidate's job, so that only as many stay as were asked for. It removes only
// files that perfdiff named, and none that the anchor uses. Another writer may do the same at the same time.
func (g *gateCommand) prune(store *diff.Store) error {
	if g.keep == 0 {
		return nil
	}
	var own []string
	for _, label := range store.Entries() {
		if storeName.MatchString(label) && !slices.Contains(store.Tagged(), label) {
			own = append(own, label)
		}
	}
	for _, label := range own[:max(0, len(own)+1-g.keep)] {
		if err := os.Remove(filepath.Join(g.store, label+".perfdiff")); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("store: %s: an old run cannot be removed: %w (--keep 0 keeps all)", label, causeWithoutPath(err))
		}
	}
	return nil
}
