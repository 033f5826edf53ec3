package main

import (
	"slices"
	"strings"

	"perfdiff/analyze"
	"perfdiff/analyze/store"
	"perfdiff/diff/history"
)

// ofBranch returns the sets of a store that are of a branch of main, or of none that anybody said; all of them for "".
// A store may hold several, as where main and a release branch share a cache.
func ofBranch(sets []*analyze.Set, kept *store.Contents, branch string) []*analyze.Set {
	other := map[string]bool{}
	for i := range kept.Entries {
		if e := &kept.Entries[i]; branch != "" && e.Branch != "" && e.Branch != branch {
			other[e.Name] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(sets), func(s *analyze.Set) bool { return other[s.Label] })
}

// savedIn returns what a store says of its sets, by their labels. Runs of commits that a branch does not hold any more,
// since somebody pushed it by force, are marked, as far as git knows the branch here.
func savedIn(kept *store.Contents, branch string) func(*analyze.Set) history.Saved {
	var on []string
	if branch != "" {
		on = strings.Fields(string(askGit(".", "rev-list", branch, "--")))
		slices.Sort(on)
	}
	gone := func(commit string) bool {
		at, _ := slices.BinarySearch(on, commit)
		return len(on) > 0 && commit != "" && (at == len(on) || !strings.HasPrefix(on[at], commit))
	}
	at := map[string]*store.Entry{}
	for i := range kept.Entries {
		at[kept.Entries[i].Name] = &kept.Entries[i]
	}
	return func(set *analyze.Set) (out history.Saved) {
		if e := at[set.Label]; e != nil {
			out = history.Saved{Number: e.Number, At: e.Saved, Branch: e.Branch, Gone: gone(e.Origin.Commit)}
		}
		return out
	}
}
