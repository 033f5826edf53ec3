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
func (g *gateCommand) saveRun(cand *analyze.Set, past *diff.Store, stderr io.Writer) error {
	switch {
	case past.CandidateRuns != nil:
		printMessage(stderr, "store", "the run is there already, as "+words.InStore(past))
		return nil
	case !cand.RunsKnown():
		printMessage(stderr, "store", "not saved: it is not known what the runs of the candidate are")
		return nil
	case !hasSteps(cand):
		printMessage(stderr, "store", "not saved: no step of the candidate was measured")
		return nil
	}
	name, err := store.Save(g.store, cand, store.Saving{Now: policyfile.Now(), Branch: g.branch, After: g.kept.Largest()})
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	if !g.quiet {
		printMessage(stderr, "store", "saved "+name)
	}
	g.dropCommits()
	return g.tidy(name, &past.Line.Job, stderr)
}

// tidy thins the runs of the job of the run that was saved last, and writes the index anew. An index that cannot be
// written harms nothing.
func (g *gateCommand) tidy(saved string, job *history.Job, stderr io.Writer) error {
	how := indexReading(g.Load)
	kept, err := g.kept.Again(how)
	if err != nil {
		return fmt.Errorf("store: %w", err)
	}
	if err := store.Remove(g.store, g.outlived(kept, saved, job.Edges())); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	if kept, err = kept.Again(how); err == nil {
		_, err = writeIndex(kept, how)
	}
	if err != nil {
		printMessage(stderr, "warning", "store: "+err.Error())
	}
	return nil
}

// outlived returns the files of runs that may go, of the job of the run that was saved last. Those of
// commits about which somebody decided something stay, and so do edges, the runs on both sides of a change.
func (g *gateCommand) outlived(kept *store.Contents, saved string, edges []string) []string {
	at := slices.IndexFunc(kept.Entries, func(e store.Entry) bool { return e.File == saved })
	if at < 0 {
		return nil
	}
	var job []store.Entry
	stay := map[string]bool{}
	for _, e := range kept.Entries {
		if e.Job != kept.Entries[at].Job {
			continue
		}
		job = append(job, e)
		stay[e.Name] = slices.Contains(edges, e.Name) || slices.ContainsFunc(kept.Events, func(v store.Event) bool { return e.Origin.Is(v.Commit) })
	}
	return store.Thin(job, policyfile.Now(), g.keep, func(name string) bool { return stay[name] })
}

// hasSteps reports whether any rank has a step that was kept.
func hasSteps(set *analyze.Set) bool {
	for k := range set.EachRank() {
		if len(k.Kept()) > 0 {
			return true
		}
	}
	return false
}
