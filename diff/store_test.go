package diff_test

import (
	"slices"
	"strings"
	"testing"

	"perfdiff/analyze/run"
	"perfdiff/diff"
	"perfdiff/diff/difftest"
	"perfdiff/diff/policy"
	"perfdiff/diff/verdict"
)

// TestAnchors: the anchor is the level on which the store stood so many runs ago, or its first
// runs where it is not that old, and noise is learned from the runs since then and those of
// the anchor itself.
func TestAnchors(t *testing.T) {
	cand := difftest.PastSet("cand", 99*60e9, 2, nil)
	for _, c := range []struct {
		name   string
		runs   int
		anchor verdict.Anchor
		of     string // first and last run of the anchor
		at     diff.AnchorAt
		recent int // runs from which noise is learned
	}{
		{"none", 12, verdict.Anchor{}, "", diff.AnchorAt{}, 12},
		{"too few runs", 3, verdict.Anchor{Ago: 2}, "", diff.AnchorAt{}, 3},
		{"the first runs", 4, verdict.Anchor{Ago: 20}, "main-00 main-01", diff.AnchorAt{First: 2}, 4},
		{"half of a short store", 10, verdict.Anchor{Ago: 20}, "main-00 main-04", diff.AnchorAt{First: 5}, 10},
		{"eight of a longer one", 25, verdict.Anchor{Ago: 20}, "main-00 main-07", diff.AnchorAt{First: 8}, 25},
		{"so many runs ago", 30, verdict.Anchor{Ago: 20}, "main-03 main-10", diff.AnchorAt{Ago: 20}, 27},
		{"fewer runs ago", 30, verdict.Anchor{Ago: 5}, "main-18 main-25", diff.AnchorAt{Ago: 5}, 12},
	} {
		store, err := diff.NewStore("main", cand, difftest.History(c.runs, 2, nil), policy.DefaultPolicy(), c.anchor)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		of := ""
		if store.Anchor != nil {
			of = firstAndLast(store.Anchor)
		}
		if of != c.of || store.At != c.at || len(store.Recent()) != c.recent {
			t.Errorf("%s: got %q, %+v and noise of %d runs, want %q, %+v, %d",
				c.name, of, store.At, len(store.Recent()), c.of, c.at, c.recent)
		}
		if got := diff.LabelsOf(store.Recent()); got[len(got)-1] != store.Entries()[c.runs-1] {
			t.Errorf("%s: noise is learned up to %s, want the newest", c.name, got[len(got)-1])
		}
	}
	_, err := diff.NewStore("main", cand, difftest.History(5, 2, nil), policy.DefaultPolicy(), verdict.Anchor{Tag: "v1"})
	if err == nil || !strings.Contains(err.Error(), `called "v1"`) {
		t.Errorf("a tag that no run has: got %v", err)
	}
}

func firstAndLast(set *run.Set) string {
	var names []string
	for _, r := range set.Runs {
		names = append(names, r.Name)
	}
	slices.Sort(names)
	return names[0] + " " + names[len(names)-1]
}
