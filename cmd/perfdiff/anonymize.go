package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"perfdiff/analyze"
	"perfdiff/diff/verdict"
	"perfdiff/render"
)

// takeSets takes the run sets that a command reads, once all are read: it replaces the names of machines
// and places in them and in past runs if --anonymize was given, and then says what was read if --verbose was.
func (c *command) takeSets(stderr io.Writer, past []*analyze.Set, sets ...analyze.Named) {
	numbered := numberedRuns(past)
	if c.anonymize {
		analyze.Anonymize(slices.Concat(sets, numbered))
	}
	if !c.line.yes("verbose") {
		return
	}
	for _, x := range sets {
		for _, line := range render.Reading(x.Set) {
			printMessage(stderr, "read", x.Label+": "+line)
		}
	}
	for _, x := range numbered {
		printMessage(stderr, "read", "past run: "+render.PastReading(x.Set))
	}
}

// namedSides returns the baseline and the candidate by their roles.
func namedSides(base, cand *analyze.Set) []analyze.Named {
	return []analyze.Named{{Label: "baseline", Set: base}, {Label: "candidate", Set: cand}}
}

// namedLogs returns the logs of both sides, where there are any.
func namedLogs(logs verdict.Logs) (out []analyze.Named) {
	for i, set := range logs {
		if set != nil {
			out = append(out, analyze.Named{Label: []string{"baseline", "candidate"}[i] + "-logs", Set: set})
		}
	}
	return out
}

// numberedRuns gives past runs numbers in place of names, in order of name and content, so that
// the order in which they were given does not matter.
func numberedRuns(past []*analyze.Set) []analyze.Named {
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
