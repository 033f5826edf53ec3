package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"perfdiff/analyze"
	"perfdiff/analyze/store"
	"perfdiff/cmd/perfdiff/policyfile"
	"perfdiff/diff"
	"perfdiff/diff/history"
)

// loadJobs reads the jobs at the paths of the command line: each store is a job, of a directory without a run of its own
// each store below it, and all saved summaries that are named together are one.
func loadJobs(c *command, stderr io.Writer) (jobs []history.Job, err error) {
	var stores, files []string
	for _, path := range c.line.Args() {
		switch below := storesIn(path); {
		case below != nil:
			stores = append(stores, below...)
		case hasSummary(path):
			stores = append(stores, path)
		default:
			files = append(files, path)
		}
	}
	for _, dir := range stores {
		in, err := loadHistoryStore(c, dir)
		if err != nil {
			return nil, err
		}
		c.takeSets(stderr, in.Sets)
		jobs = append(jobs, *diff.JobOf(filepath.Base(filepath.Clean(dir)), in, c.Policy))
	}
	if files != nil {
		sets, err := analyze.LoadHistory(files, c.Load)
		if err == nil && len(sets) == 0 {
			err = fmt.Errorf("%s: %w", strings.Join(files, ", "), analyze.ErrNoHistory)
		}
		if err != nil {
			return nil, err
		}
		c.takeSets(stderr, sets)
		jobs = append(jobs, *diff.JobOf("", diff.StoreContents{Sets: sets}, c.Policy))
	}
	if len(jobs) == 1 {
		jobs[0].Name = ""
	}
	return jobs, nil
}

// storesIn returns the directories with summaries in one that has none itself.
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

// loadHistoryStore reads a store, with the events that count where main is judged.
func loadHistoryStore(c *command, dir string) (in diff.StoreContents, err error) {
	in.Now = policyfile.Now()
	sets, kept, err := analyze.LoadStore(dir, in.Now, c.Load)
	if err != nil {
		return in, err
	}
	branch := c.line.text("branch")
	in.Sets, in.Saved = ofBranch(sets, kept, branch), savedIn(kept, branch)
	counted, _ := store.Counted(kept.Events, kept.Entries, "", true)
	in.Events = eventsOf(counted)
	return in, nil
}
