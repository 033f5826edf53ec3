package main

import (
	"slices"
	"testing"

	"perfdiff/analyze"
)

// TestTellApart: run sets of one name are told apart by what differs in their paths, others keep
// theirs; where nothing tells them apart all keep theirs.
func TestTellApart(t *testing.T) {
	for _, tt := range []struct{ paths, labels, want []string }{
		{[]string{"main/run", "a/run", "b/run"}, []string{"run", "run", "run"}, []string{"main", "a", "b"}},
		{[]string{"base", "a/x/run", "b/x/run"}, []string{"base", "run", "run"}, []string{"base", "a", "b"}},
		{[]string{"e/1/a/run", "e/1/b/run", "e/2/a/run"}, []string{"run", "run", "run"}, []string{"1/a", "1/b", "2/a"}},
		{[]string{"a/run/", "./b/run", "c"}, []string{"run", "run", "c"}, []string{"a", "b", "c"}},
		{[]string{"base", "one", "two"}, []string{"base", "one", "two"}, []string{"base", "one", "two"}},
		{[]string{"a", "a/run", "b/run"}, []string{"a", "run", "run"}, []string{"a", "run", "run"}},
		{[]string{"x.sum", "y.sum", "z"}, []string{"named", "named", "z"}, []string{"x.sum", "y.sum", "z"}}, // summaries, called so by who saved them
		{[]string{"/run", "/a/run", "z"}, []string{"run", "run", "z"}, []string{"run", "run", "z"}},
	} {
		var sets []*analyze.Set
		for _, label := range tt.labels {
			sets = append(sets, &analyze.Set{Label: label})
		}
		tellApart(tt.paths, sets)
		var got []string
		for _, set := range sets {
			got = append(got, set.Label)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q: got %q, want %q", tt.paths, got, tt.want)
		}
	}
}
