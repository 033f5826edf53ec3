package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"perfdiff/analyze"
)

// fold takes the names of machines and places out of the two sides of a comparison, of which
// cand may be nil, and of the past runs, where that was asked for.
func (c *command) fold(base, cand *analyze.Set, past []*analyze.Set) {
	if !c.anonymize {
		return
	}
	all := []analyze.Named{{Label: "baseline", Set: base}}
	if cand != nil {
		all = append(all, analyze.Named{Label: "candidate", Set: cand})
	}
	analyze.Anonymize(append(all, numbered(past)...))
}

// foldPast is fold of past runs alone.
func (c *command) foldPast(past []*analyze.Set) {
	if c.anonymize {
		analyze.Anonymize(numbered(past))
	}
}

// numbered are past runs under numbers, in order of what they are called and hold, so that
// the order in which they are given says nothing.
func numbered(past []*analyze.Set) []analyze.Named {
	sorted := slices.Clone(past)
	slices.SortStableFunc(sorted, func(a, b *analyze.Set) int {
		return cmp.Or(strings.Compare(a.Label, b.Label), strings.Compare(a.Digest, b.Digest))
	})
	var out []analyze.Named
	for i, set := range sorted {
		out = append(out, analyze.Named{Label: fmt.Sprintf("past-%0*d", len(fmt.Sprint(len(sorted))), i+1), Set: set})
	}
	return out
}
