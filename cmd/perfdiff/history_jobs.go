package main

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"perfdiff/analyze"
	measured "perfdiff/analyze/run"
	"perfdiff/diff/history"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
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

// addJob adds the history of the runs at paths.
func (c *command) addJob(jobs []history.Job, name string, paths []string, stderr io.Writer) ([]history.Job, error) {
	sets, err := analyze.LoadHistory(paths, analyze.Options{})
	if err == nil && len(sets) == 0 {
		err = fmt.Errorf("%s: %w", strings.Join(paths, ", "), analyze.ErrNoHistory)
	}
	if err != nil {
		return nil, err
	}
	c.takeSets(stderr, sets)
	metric := c.line.text("metric")
	if err := verdict.Followable(sets, metric); err != nil {
		return nil, fmt.Errorf("--metric %s: %w", metric, err)
	}
	return append(jobs, jobOf(name, verdict.FollowMetric(sets, metric, policy.DefaultPolicy()))), nil
}

// jobOf returns the history of one metric, whose changes are found by binary segmentation.
func jobOf(name string, tr *verdict.Trend) history.Job {
	j := history.Job{Name: name}
	for _, r := range tr.Runs {
		if r.Why.Is() {
			j.Runs = append(j.Runs, history.Run{Name: r.Name, Began: r.Began, Why: r.Why})
		}
	}
	m := history.Metric{Metric: tr.Metric, Gating: true, Relative: true, SD: math.NaN()}
	for range j.Runs {
		m.Values = append(m.Values, math.NaN())
	}
	left := len(j.Runs)
	for _, p := range tr.Points {
		j.Runs, m.Values = append(j.Runs, history.Run{Name: p.Name, Began: p.Began, From: p.From}), append(m.Values, p.Value)
	}
	for i, l := range tr.Levels {
		m.Levels = append(m.Levels, history.Level{From: left + l.From, To: left + l.To, Value: l.Value, Lo: math.NaN(), Hi: math.NaN()})
		if i > 0 {
			m.Relative = l.Change.Relative
			worse := (l.Change.By > 0) == (tr.Metric.Better == measured.Lower)
			m.Changes = append(m.Changes, history.Change{At: left + l.From, First: left + l.From, Last: left + l.From, Seen: left + l.From, Size: l.Change.By, Worse: worse})
		}
	}
	j.Metrics = []history.Metric{m}
	return j
}
