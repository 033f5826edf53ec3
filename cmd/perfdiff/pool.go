package main

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"perfdiff/analyze"
	"perfdiff/analyze/store"
	"perfdiff/cmd/perfdiff/policyfile"
	"perfdiff/diff"
)

// pooled is where the runs of the candidate's commit are kept; "" where they are not: nobody said the commit, or it is
// main's own run, which the store keeps.
func (g *gateCommand) pooled() string {
	if g.from.Commit == "" || g.save {
		return ""
	}
	return store.OfCommit(g.store, g.from.Commit)
}

// loadPool reads the runs of the candidate's commit that were gated before. What cannot be read is no run.
func (g *gateCommand) loadPool() (sets []*analyze.Set) {
	if dir := g.pooled(); dir != "" {
		sets, _, _ = analyze.LoadStore(dir, policyfile.Now(), g.Load)
	}
	return slices.DeleteFunc(sets, func(s *analyze.Set) bool { return len(s.Runs) == 0 })
}

// keepPool saves the candidate's own runs for the next time that its commit is gated.
func (g *gateCommand) keepPool(cand *analyze.Set, stderr io.Writer) {
	dir := g.pooled()
	if dir == "" || !cand.RunsKnown() || !hasSteps(cand) {
		return
	}
	err := os.MkdirAll(dir, 0o755)
	if err == nil {
		_, err = store.Save(dir, cand, store.Saving{Now: policyfile.Now()})
	}
	if err != nil {
		printMessage(stderr, "store", "the runs of this commit are not kept, so that it is judged anew when it is gated again: "+causeWithoutPath(err).Error())
	}
}

// firstRuns returns how many runs are recorded where a commit has so many already: one of a new commit, else two more as
// long as they count.
func firstRuns(before int) int {
	if before == 0 {
		return 1
	}
	return max(1, min(2, diff.MostRuns-before))
}

// keepCommits is for how long runs of commits that are not on main are kept. By definition: who comes back to a pull
// request after a month records it anew.
const keepCommits = 30 * 24 * time.Hour

// dropCommits removes the runs of commits that nobody gated for long.
func (g *gateCommand) dropCommits() {
	dirs, _ := filepath.Glob(store.OfCommit(g.store, "*"))
	for _, dir := range dirs {
		if info, err := os.Stat(dir); err == nil && policyfile.Now().Sub(info.ModTime()) > keepCommits {
			_ = os.RemoveAll(dir) // or the next time
		}
	}
}
