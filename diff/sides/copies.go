package sides

import (
	"fmt"
	"slices"
	"strings"

	"perfdiff/analyze/run"
	"perfdiff/diff/number"
)

// No two runs have the same content: a run that does is the same run, given again. Runs are
// what certainty is made of, so that each counts once, and one on both sides says nothing
// of what differs between them.

// copies are runs of a side that are another run of it.
type copies struct {
	Side, of string
	runs     []string
}

// Once is a set without the runs that hold what another one does, and these. Which one
// counts is decided by name; the set is not changed.
func Once(name string, set *run.Set) (*run.Set, []copies) {
	var left []copies
	var kept []run.Run
	known := map[string]string{}
	runs := slices.Clone(set.Runs)
	slices.SortStableFunc(runs, func(a, b run.Run) int { return strings.Compare(a.Name, b.Name) })
	for i := range runs {
		own := DigestsOf(set, &runs[i])
		at := slices.IndexFunc(own, func(d string) bool { return known[d] != "" })
		if at < 0 {
			kept = append(kept, runs[i])
			for _, d := range own {
				known[d] = runs[i].Name
			}
			continue
		}
		of := known[own[at]]
		n := slices.IndexFunc(left, func(c copies) bool { return c.of == of })
		if n < 0 {
			n, left = len(left), append(left, copies{Side: name, of: of})
		}
		left[n].runs = append(left[n].runs, runs[i].Name)
	}
	if left == nil {
		return set, nil
	}
	out := *set
	out.Runs = kept
	return &out, left
}

// mostCopies is how many runs a warning names.
const mostCopies = 5

// Said is a warning of runs that do not count.
func (c *copies) Said() string {
	names := "run " + c.runs[0] + " holds"
	if n := len(c.runs); n > mostCopies {
		names = fmt.Sprintf("runs %s and %d others hold", strings.Join(c.runs[:mostCopies], ", "), n-mostCopies)
	} else if n > 1 {
		names = fmt.Sprintf("runs %s and %s hold", strings.Join(c.runs[:n-1], ", "), c.runs[n-1])
	}
	return names + " what run " + c.of +
		" does, and each content counts once: no two runs have the same (give each its own files)"
}

// SaidOfCopies says in a sentence how many runs of the sides do not count; "" if all do.
func (p *Lined) SaidOfCopies() (text string) {
	for _, c := range p.Copies {
		what := "are copies of " + c.of + " and do"
		if len(c.runs) == 1 {
			what = "is a copy of " + c.of + " and does"
		}
		text += fmt.Sprintf(" %s of the %s %s not count.", number.Counted(len(c.runs), "run"), c.Side, what)
	}
	return text
}

// What both sides hold, so that nobody knows whose it is: a run, or some of its files.
const (
	ofBoth      run.DoubtAbout = "both sides"
	ofBothFiles run.DoubtAbout = "both sides, files"
)

// shared doubts sides that hold the same run, or files of one.
func shared(base, cand *run.Set) (d run.Doubt, ok bool) {
	owner := map[string]string{}
	for i := range base.Runs {
		for _, digest := range DigestsOf(base, &base.Runs[i]) {
			owner[digest] = base.Runs[i].Name
		}
	}
	for i := range cand.Runs {
		own := DigestsOf(cand, &cand.Runs[i])
		both, of := 0, ""
		for _, digest := range own {
			if name := owner[digest]; name != "" {
				both, of = both+1, name
			}
		}
		if both == 0 {
			continue
		}
		what, text := ofBoth, fmt.Sprintf("run %s of the candidate is run %s of the baseline", cand.Runs[i].Name, of)
		if both < len(own) {
			what, text = ofBothFiles, fmt.Sprintf("%d of %s of run %s of the candidate are also those of run %s of the baseline",
				both, number.Counted(len(own), "file"), cand.Runs[i].Name, of)
		}
		return run.Doubt{About: what, Text: text, Hint: "give each side its own runs"}, true
	}
	return run.Doubt{}, false
}
