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
	"perfdiff/diff/policy"
)

// loadJobs reads the jobs at the paths of the command line: the directories below one that holds no summary itself are
// a job each, and all other paths together are one.
func (c *command) loadJobs(stderr io.Writer) (jobs []history.Job, err error) {
	var one []string
	for _, path := range c.line.Args() {
		below := storesIn(path)
		for _, dir := range below {
			if jobs, err = c.addJob(jobs, filepath.Base(dir), []string{dir}, stderr); err != nil {
				return nil, err
			}
		}
		if below == nil {
			one = append(one, path)
		}
	}
	if one == nil {
		return jobs, nil
	}
	return c.addJob(jobs, "", one, stderr)
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

// addJob adds the history of the runs at paths: a store, or summaries.
func (c *command) addJob(jobs []history.Job, name string, paths []string, stderr io.Writer) ([]history.Job, error) {
	in := diff.StoreContents{Now: policyfile.Now()}
	if len(paths) == 1 && hasSummary(paths[0]) {
		sets, kept, err := analyze.LoadStore(paths[0], in.Now, analyze.Options{})
		if err != nil {
			return nil, err
		}
		in.Sets, in.Saved = sets, savedIn(kept)
		counted, _ := store.Counted(kept.Events, kept.Entries, "", true)
		for i := range counted {
			in.Events = append(in.Events, eventOf(&counted[i]))
		}
	} else {
		sets, err := analyze.LoadHistory(paths, analyze.Options{})
		if err == nil && len(sets) == 0 {
			err = fmt.Errorf("%s: %w", strings.Join(paths, ", "), analyze.ErrNoHistory)
		}
		if err != nil {
			return nil, err
		}
		in.Sets = sets
	}
	c.takeSets(stderr, in.Sets)
	job := diff.JobOf(name, in, policy.DefaultPolicy())
	if metric := c.line.text("metric"); job.MetricNamed(metric) == nil && len(job.Metrics) > 0 {
		return nil, fmt.Errorf("--metric %s: no such metric; there are %s", metric, strings.Join(job.Names(), ", "))
	}
	return append(jobs, *job), nil
}
