package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"perfdiff/analyze"
	"perfdiff/analyze/store"
	"perfdiff/cmd/perfdiff/policyfile"
	"perfdiff/diff"
	"perfdiff/diff/history"
)

// loadJobs reads the stores at the paths of the command line. A directory without a run of its own that has stores
// below it is a job for each of them.
func (c *command) loadJobs(stderr io.Writer) (jobs []history.Job, err error) {
	var dirs []string
	for _, path := range c.line.Args() {
		if below := storesIn(path); below != nil {
			dirs = append(dirs, below...)
		} else {
			dirs = append(dirs, path)
		}
	}
	for _, dir := range dirs {
		name := ""
		if len(dirs) > 1 {
			name = filepath.Base(filepath.Clean(dir))
		}
		job, err := c.loadJob(name, dir, stderr)
		if err != nil {
			return nil, err
		}
		jobs = append(jobs, job)
	}
	return jobs, nil
}

// storesIn returns the directories with runs in one that has none itself.
func storesIn(dir string) (stores []string) {
	if hasSummary(dir) {
		return nil
	}
	entries, _ := os.ReadDir(dir) // a file, or said by whoever reads it
	for _, e := range entries {
		if path := filepath.Join(dir, e.Name()); e.IsDir() && hasSummary(path) {
			stores = append(stores, path)
		}
	}
	return stores
}

func hasSummary(dir string) bool {
	entries, _ := os.ReadDir(dir)
	return slices.ContainsFunc(entries, func(e os.DirEntry) bool { return filepath.Ext(e.Name()) == summaryEnding })
}

// loadJob reads a store, with the events that count where main is judged.
func (c *command) loadJob(name, dir string, stderr io.Writer) (history.Job, error) {
	if _, err := os.Stat(dir); err != nil {
		return history.Job{}, fmt.Errorf("%s: %w", filepath.Base(dir), causeWithoutPath(err))
	}
	in := diff.StoreContents{Now: policyfile.Now(), Main: true}
	sets, kept, err := analyze.LoadStore(dir, in.Now, c.Load)
	if err == nil && len(sets) == 0 {
		err = fmt.Errorf("%s: %w", filepath.Base(dir), analyze.ErrNoHistory)
	}
	if err != nil {
		return history.Job{}, err
	}
	in.Sets, in.Saved = sets, savedIn(kept)
	counted, _ := store.Counted(kept.Events, kept.Entries, "", true)
	for i := range counted {
		in.Events = append(in.Events, eventOf(&counted[i], in.Now))
	}
	c.takeSets(stderr, sets)
	return diff.JobOf(name, in, c.Policy), nil
}
