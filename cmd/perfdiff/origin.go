package main

import (
	"fmt"

	"perfdiff/analyze"
)

// origin returns where a run comes from, as flags say.
func (l *line) origin() *analyze.Origin {
	return &analyze.Origin{Label: l.text("label"), Commit: l.text("commit"), Link: l.text("link")}
}

// checkOrigin checks the values of the flags about the origin of a run.
func checkOrigin(o *analyze.Origin) error {
	if err := o.Check(); err != nil {
		return fmt.Errorf("--%w", err)
	}
	return nil
}

// setOrigin sets the origin of all runs of a set. What o leaves empty stays as a summary says
// it.
func setOrigin(set *analyze.Set, o analyze.Origin) {
	for i := range set.Runs {
		have := &set.Runs[i].Origin
		for _, x := range []struct {
			to   *string
			said string
		}{{&have.Label, o.Label}, {&have.Commit, o.Commit}, {&have.Link, o.Link}} {
			if x.said != "" {
				*x.to = x.said
			}
		}
	}
}
