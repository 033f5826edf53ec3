package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"perfdiff/analyze/store"
	"perfdiff/render/words"
)

// jobs returns the names of the jobs of a store root that the candidate has as well, as directories of these names; nil
// where the store is one job's.
func (g *gateCommand) jobs() (names []string) {
	for _, dir := range g.jobStores() {
		name := filepath.Base(dir)
		if info, err := os.Stat(filepath.Join(g.cand, name)); err == nil && info.IsDir() || len(g.record) > 0 {
			names = append(names, name)
		}
	}
	return names
}

// jobStores returns the directories in a store root: stores, and on main empty ones, which are to become stores.
func (g *gateCommand) jobStores() (dirs []string) {
	if dirs = storesIn(g.store); dirs != nil || !g.save || hasSummary(g.store) {
		return dirs
	}
	entries, _ := os.ReadDir(g.store)
	for _, e := range entries {
		if dir := filepath.Join(g.store, e.Name()); e.IsDir() && !store.IsOwn(e.Name()) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// gateJobs gates each job of a store root by its own store. One error rate holds over all of them: each has its share of
// it (Bonferroni). It prints a line a job and writes the outputs of each beside those that were named, with the job in
// the name; the worst of the exit statuses is that of all.
func (g *gateCommand) gateJobs(ctx context.Context, names []string, stdout, stderr io.Writer) (status int) {
	width := 0
	for _, name := range names {
		width = max(width, len(name))
	}
	for _, dir := range g.jobStores() {
		if name := filepath.Base(dir); !slices.Contains(names, name) {
			printMessage(stderr, "jobs", name+": not judged, since the candidate has no run of it")
		}
	}
	for _, name := range names {
		one, c := *g, *g.command
		one.command, one.store = &c, filepath.Join(g.store, name)
		c.cand = filepath.Join(g.cand, name)
		c.quiet, c.Policy.Alpha = true, g.Policy.Alpha/float64(len(names))
		c.outputs = slices.Clone(g.outputs)
		for i := range c.outputs {
			if path := c.outputs[i].path; path != "-" {
				end := filepath.Ext(path)
				c.outputs[i].path = strings.TrimSuffix(path, end) + "-" + name + end
			}
		}
		own := one.run(ctx, io.Discard, stderr)
		if slices.Index(statusOrder, own) > slices.Index(statusOrder, status) {
			status = own
		}
		said := words.NotJudged
		if own == statusOK {
			said = "first run"
		}
		if r := one.report; r != nil {
			said = strings.TrimSpace(words.Outcome(r) + "  " + words.Headline(&r.Headline))
		}
		if _, err := fmt.Fprintf(stdout, "%-*s  %s\n", width, name, said); err != nil {
			return printedStatus(stderr, err)
		}
	}
	return status
}

// statusOrder lists exit statuses by how bad they are.
var statusOrder = []int{statusOK, statusMoreRuns, statusNotJudged, statusRegressed, statusError, statusInterrupted}
